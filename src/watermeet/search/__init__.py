"""Search for any game: it knows the kernels of the contract and of judgement, and no game."""
