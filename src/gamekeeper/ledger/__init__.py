"""The ledger: an audit log of all changes (actions) and of all item moves (postings)."""
