"""The database: logs of matches, users, tokens and jobs, in SQLite or PostgreSQL."""
