"""Outgoing HTTP requests: SSRF protection, connections and the client."""
