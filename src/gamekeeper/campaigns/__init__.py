"""Campaigns: one piece of work for every member of a segment, once each, and its reversal."""
