"""The table: the web application and its store."""
