"""Game servers: registration, leases, and the presence and sessions of players."""
