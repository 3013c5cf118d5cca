"""The whole service at a glance: one search for everything, and the state of the game."""
