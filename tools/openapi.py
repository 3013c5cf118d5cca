"""Print the OpenAPI document of the service, for the generator of the TypeScript client."""

import sys

import msgspec

from gamekeeper.api import document, pages
from gamekeeper.app import ROUTES

if __name__ == "__main__":
    described = [route for route in ROUTES if route.path not in pages.PAGES]
    sys.stdout.buffer.write(msgspec.json.encode(document.describe(described)))
