"""Approvals: changes beyond the limits of who wants them, which somebody else decides on."""
