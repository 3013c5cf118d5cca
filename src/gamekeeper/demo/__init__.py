"""Demo data (seed data): a realistic world of any size, reproducible from its seed."""
