"""Measures how fast games run, and how fast other libraries run theirs in the same minutes.

``runner`` measures any game, ``peers`` the other libraries that are installed, ``report`` prints.
"""
