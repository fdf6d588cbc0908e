"""What each entry of the state array means."""

SIZE = 0
"""Cells along each side of the board."""
SEATS = 1
"""Players."""
STONES = 2
"""Stones on the board."""
WINNER = 3
"""The seat that has three in a row, plus 1; 0 if none has."""
CELLS = 4
"""From here on the cells, row by row from a1: 0 if empty, else the owner's seat plus 1."""
