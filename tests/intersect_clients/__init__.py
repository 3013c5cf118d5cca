"""
Recorded clients: what public programs for the Intersect Engine's API send, and want to hear.

One TOML file for each program in `programs/`, and `endpoints.toml` for the whole API, hold facts
of the wire and no code of theirs. Each is replayed against a server process of our own. They are
written from notes on traffic and source, not captured: order and some bodies are our choice.
"""
