"""Trains networks by self-play; knows no game. ``watermeet train`` is its command."""
