"""Authentication and authorisation: API keys, tokens, scopes, brute-force protection."""
