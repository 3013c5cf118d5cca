"""The ledger: every change as an action, every item that moves as a posting."""
