"""Sources of identities: the services that prove who a person is."""
