"""The game as a whole: what belongs to no character and no account."""
