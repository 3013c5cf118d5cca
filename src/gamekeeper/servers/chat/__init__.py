"""What players said in the game, as game servers report it."""
