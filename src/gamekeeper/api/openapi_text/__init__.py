"""Texts of the OpenAPI document beyond signatures: descriptions, examples, errors."""
