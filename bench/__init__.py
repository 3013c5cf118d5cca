"""
The bench: how much of what PostgreSQL can do is left when it is asked through the service.

A tool for development, not part of what is shipped. `python -m bench --help` tells the
rest; docs/benchmarks.md is what it wrote last.
"""
