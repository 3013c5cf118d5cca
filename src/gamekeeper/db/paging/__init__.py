"""Pagination: lists in order, with page numbers that cost the same on every page."""
