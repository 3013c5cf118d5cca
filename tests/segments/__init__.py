"""Tests of segments."""
