"""Ratings: a fold over finished rated matches. Pure; the server stores what comes out."""
