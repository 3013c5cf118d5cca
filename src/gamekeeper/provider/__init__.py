"""Gamekeeper as an OpenID provider: websites and launchers sign players in with their account."""
