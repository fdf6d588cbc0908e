"""Opponents that know nothing of our search, as external programs for the arena."""
