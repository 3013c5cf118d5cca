"""
Locks on batches: redemptions share one, a revocation waits until it has it alone.

Advisory locks, because a row lock that many share is written to the row by each of them.
"""

from typing import LiteralString

# 71: no other lock of two keys has it (campaigns have 70, schedules 72).
_KEY: LiteralString = "71, hashtext($1::uuid::text)"
SHARED: LiteralString = f"SELECT pg_advisory_xact_lock_shared({_KEY})"
ALONE: LiteralString = f"SELECT pg_advisory_xact_lock({_KEY})"
