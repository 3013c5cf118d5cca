"""HTTP over ASGI: routing, requests, responses, admission control, OpenAPI. Knows no domain."""
