"""Redeem codes: batches of codes that give a letter with items, once per account and campaign."""
