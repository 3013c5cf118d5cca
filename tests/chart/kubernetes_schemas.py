"""
Checks objects against the schemas of Kubernetes; run by the Python of .release-tools.

Reads a JSON list of pairs, a version and an object, and writes what is wrong with each.
Strictly: a field that Kubernetes does not know is wrong too.
"""

import json
import sys
from typing import Any

import kubernetes_validate


def fault(version: str, thing: dict[str, Any]) -> str:
    try:
        kubernetes_validate.validate(thing, version, strict=True)
    except kubernetes_validate.ValidationError as wrong:
        return f"{thing['kind']} {thing['metadata']['name']}, {version}: {wrong.message}"
    return ""


if __name__ == "__main__":
    json.dump([fault(*pair) for pair in json.load(sys.stdin)], sys.stdout)
