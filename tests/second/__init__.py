"""A second implementation of notation and match files, from docs/spec/ alone: it imports nothing of ours."""
