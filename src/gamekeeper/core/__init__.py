"""Core, imports no other package: settings, errors, schemas, parsing, names, logging, metrics."""
