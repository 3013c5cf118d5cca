"""Events: the log of actions, followed as it grows."""
