"""A process imports a slow library when it first needs it, and not when it starts."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "deferred"),
    [
        ("gamekeeper.app", {"babel", "pgqueuer", "pydantic", "webauthn", "OpenSSL"}),
        ("gamekeeper.worker", {"babel", "webauthn", "OpenSSL"}),
    ],
)
def test_slow_libraries_are_imported_when_needed(module, deferred):
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    imported = set(done.stdout.split())
    assert module in imported
    assert imported & deferred == set()
