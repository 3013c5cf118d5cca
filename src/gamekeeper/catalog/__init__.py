"""The catalog: what exists in the game. Items, spells, player variables, classes."""
