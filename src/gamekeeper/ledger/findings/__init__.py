"""Findings: hours unlike those of the weeks before, and rules of operators that were exceeded."""
