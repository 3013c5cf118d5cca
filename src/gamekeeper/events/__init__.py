"""Events: the audit log as a stream of server-sent events (change feed)."""
