"""The registry of action kinds."""
