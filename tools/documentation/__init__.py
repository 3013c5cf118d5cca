"""The documentation site: its pages are put together here, and built by Zensical."""
