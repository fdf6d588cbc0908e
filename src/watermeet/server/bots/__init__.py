"""The server's own bots: jobs in a table, done by worker processes."""
