"""Bots of the server: jobs in a table, thought about in other processes."""
