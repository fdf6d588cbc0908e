"""Bot against bot: fair pairings, many matches, and what they say about strength."""
