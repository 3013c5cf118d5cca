"""The public HTTP API: route handlers, request bodies and responses."""
