"""Mailboxes: letters to characters, with items that are claimed, returned or destroyed."""
