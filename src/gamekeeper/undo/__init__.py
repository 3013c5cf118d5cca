"""Undo: an action read back as its inverse, one or many at once; an undo can be undone."""
