"""What npm installs is locked, and from wherever a machine gets its packages."""

import json
from pathlib import Path

LOCK = Path(__file__).parents[2] / "package-lock.json"
WORKSPACES = {"clients/typescript", "console", "tests/provider/node"}


def test_every_package_has_a_hash_and_no_address():
    packages = json.loads(LOCK.read_text())["packages"]
    ours = {"", *WORKSPACES}
    bare = {
        name
        for name, about in packages.items()
        if name not in ours and not about.get("link") and "integrity" not in about
    }
    addresses = {about["resolved"] for about in packages.values() if "resolved" in about}
    assert (bare, addresses - WORKSPACES) == (set(), set())
