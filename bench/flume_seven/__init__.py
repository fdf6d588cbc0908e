"""The value of the empty 7x7 board of Flume: a solver for several threads, and a checker."""
