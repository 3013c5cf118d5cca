"""Segments: saved conditions over characters and accounts, their counts, members and lists."""
