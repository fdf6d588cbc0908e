"""What helps people to play better; knows no game."""
