"""What the server asks of a database, and the two engines that do it."""
