"""People: users and their names, ratings, and finding opponents."""
