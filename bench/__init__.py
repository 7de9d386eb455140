"""Speed, measured side by side with other people's engines."""
