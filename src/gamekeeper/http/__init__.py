"""HTTP over ASGI: routing, requests, responses, admission control, OpenAPI; no domain logic."""
