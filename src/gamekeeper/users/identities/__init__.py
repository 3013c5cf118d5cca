"""Identities: the accounts of players at Discord, Steam and OpenID issuers."""
