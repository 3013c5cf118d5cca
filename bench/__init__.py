"""
Benchmarks: the throughput of the service as a share of bare PostgreSQL's.

A development tool, not shipped. See `python -m bench --help`; docs/benchmarks.md is its last
report.
"""
