"""Users: the accounts behind the characters, their emails and passwords."""
