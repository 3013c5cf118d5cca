"""Staff: the accounts that hold roles, how they sign in, and what they may do."""
