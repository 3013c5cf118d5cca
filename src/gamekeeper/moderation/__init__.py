"""Moderation: sanctions imposed and lifted by staff, their templates, and who may do that."""
