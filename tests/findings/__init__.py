"""Findings: unusual hours, rules, and gifts that wait for approval."""
