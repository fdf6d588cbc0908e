"""Bots: whatever plays a state with an action. Ours search; other programs may do as they like."""
