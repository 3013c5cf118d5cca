"""Gamekeeper: the players and users of a game server, read and changed safely."""
