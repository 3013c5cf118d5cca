"""A sketch of several realms (docs/decisions/0068-realms.md); not part of the service."""
