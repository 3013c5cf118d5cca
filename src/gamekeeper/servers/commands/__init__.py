"""Commands to the live game: sent by staff, carried out once by a game server, and answered."""
