"""``gamekeeper players``: characters are found, shown, changed, restored and imported."""
