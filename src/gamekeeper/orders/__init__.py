"""Orders: what players paid for in a shop, delivered once to their mailboxes."""
