"""The demo: a believable world of any size, the same for the same seed everywhere."""
