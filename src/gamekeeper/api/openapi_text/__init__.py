"""What the OpenAPI document says beyond signatures: descriptions, examples, errors."""
