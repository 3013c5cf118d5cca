"""Undo: apply the inverse of an action, for one or many; an undo can be undone (redo)."""
