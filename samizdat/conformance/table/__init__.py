"""The second tier: what people meet at the table."""
