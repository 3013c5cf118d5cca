"""The catalog: the game's definitions of items, spells, player variables and classes."""
