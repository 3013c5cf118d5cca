"""``gamekeeper actions``: the audit log is listed, undone and verified."""
