"""Webhooks: addresses that are told of events as they happen."""
