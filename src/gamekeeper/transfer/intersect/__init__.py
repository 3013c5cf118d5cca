"""Import of a game of the Intersect Engine from its own database (migration)."""
