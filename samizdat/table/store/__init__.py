"""The store: everything a table must not lose, in one database."""
