"""The arena: bot against bot in fair pairings, and how strong that shows them to be."""
