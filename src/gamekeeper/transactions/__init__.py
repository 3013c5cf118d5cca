"""Transactions: atomic groups of changes to several characters."""
