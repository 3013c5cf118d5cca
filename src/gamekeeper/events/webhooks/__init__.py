"""Webhooks: events delivered to HTTP endpoints, signed, in order and with retries."""
