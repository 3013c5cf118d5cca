"""Sanctions in force: who is banned, muted or may not trade, and until when."""
