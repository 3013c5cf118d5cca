"""PostgreSQL: transactions, batching, idempotency, pagination, partitions, jobs, migrations."""
