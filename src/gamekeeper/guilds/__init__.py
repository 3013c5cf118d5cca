"""Guilds: their members, their banks and their variables."""
