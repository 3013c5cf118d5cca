"""The doctor: small checks of an installation, each with one sentence and what to do."""
