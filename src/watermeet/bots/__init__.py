"""Bots: whoever answers a state with an action. Ours search; strangers' may do as they like."""
