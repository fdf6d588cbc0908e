"""Search for any game: it calls kernels of the contract and of evaluation, and knows no game."""
