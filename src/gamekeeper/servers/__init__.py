"""Game servers: the leases they hold, and who plays on them."""
