"""The bus: how the nodes of a server notify each other."""
