"""The client library, on real servers."""
