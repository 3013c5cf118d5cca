"""Transactions: many changes to many characters, each transaction whole or not at all."""
