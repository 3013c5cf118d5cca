"""Shop adapters: the webhooks of Tebex, Stripe and an operator's own shop, read as orders."""
