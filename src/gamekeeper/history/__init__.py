"""History: point-in-time queries, timelines, restore, and retention of postings."""
