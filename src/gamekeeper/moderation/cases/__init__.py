"""Cases: the reports about an account, and how moderators handle them."""
