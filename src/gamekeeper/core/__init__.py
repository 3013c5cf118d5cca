"""The ground that knows nobody: settings, errors, schemas, parsing, names, logging, metrics."""
