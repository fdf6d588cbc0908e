"""What all games share. Imports nothing of ours from outside this folder."""
