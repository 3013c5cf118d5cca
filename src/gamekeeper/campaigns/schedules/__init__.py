"""Schedules: campaigns at an instant or repeatedly, made and started by the worker."""
