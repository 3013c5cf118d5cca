"""Bulk import and export of accounts and characters, as JSON Lines or CSV."""
