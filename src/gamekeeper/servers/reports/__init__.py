"""Reports of players about players: filed by game servers, websites and players."""
