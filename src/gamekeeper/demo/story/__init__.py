"""The demo world's story: some weeks of play and of staff's work, told by the real operations."""
