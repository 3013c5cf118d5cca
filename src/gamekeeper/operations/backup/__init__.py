"""Backup and restore: dumps with a manifest, verified and made safe when they are loaded."""
