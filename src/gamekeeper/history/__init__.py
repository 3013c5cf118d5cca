"""History: what was, what happened, and how to have it back."""
