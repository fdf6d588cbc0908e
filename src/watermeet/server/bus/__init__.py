"""How the nodes of a server hear of each other."""
