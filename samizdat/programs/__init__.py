"""Programs that sit at a table over the JSON API: a small client, and a server of the Model Context Protocol."""
