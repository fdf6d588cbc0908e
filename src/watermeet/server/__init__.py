"""The web platform: people and bots play all registered games through it."""
