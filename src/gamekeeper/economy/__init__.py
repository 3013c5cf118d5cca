"""The economy: how many of each item there are, where, and how they came and went."""
