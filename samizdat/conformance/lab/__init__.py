"""The first tier: the rules."""
