"""`just matrix`: the tests on each supported Python and PostgreSQL."""
