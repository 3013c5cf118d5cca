"""The gate: every reliability test at its full size, with a JSON file for each run."""
