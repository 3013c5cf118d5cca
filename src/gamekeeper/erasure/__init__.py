"""Erasure of accounts: their characters and personal data go, their sanctions stay."""
