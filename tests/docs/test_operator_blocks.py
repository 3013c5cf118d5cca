"""The commands of the pages for operators and staff, run as a reader would paste them."""

import re
from pathlib import Path

import pytest

from tests.databases import admin, cloned
from tests.docs.shell import BLOCK, ROOT, blocks, pasted
from tests.server import environment, serving

pytestmark = pytest.mark.deploy

SAMPLES = {"catalog.toml": "docs/samples/catalog.json"}

NOT_RUN = {
    "start/index.md": ("sudo apt install", "python3 -m venv"),
    "guides/operator.md": ("apt install", "GAMEKEEPER_DATABASE_URL=postgresql://gamekeeper_owner"),
    # tests/failover sets up the three servers with the files of the page.
    "operate/failover.md": ("apt install", "systemctl enable", "just failover"),
    "operate/replica.md": ("pg_basebackup", "GAMEKEEPER_REPLICA_URL="),
    "operate/managed-postgresql.md": ("PASSWORD=",),
    # Its code is another one in each world.
    "guides/alternative-accounts.md": ("gamekeeper access-bans lift",),
}
"""How blocks begin that are not run: they install as root, or need another machine."""

CALLED = re.compile(r"\b(?:blocks|run)\(\s*\"([\w/-]+\.md)\"")
"""A page whose blocks a test runs."""


def run(page: str) -> list[str]:
    """The blocks of a page but those that cannot be run, with the sample files."""
    left_out = NOT_RUN.get(page, ())
    chosen = [block for block in blocks(page) if not block.startswith(left_out)]
    for written, sample in SAMPLES.items():
        chosen = [block.replace(written, sample) for block in chosen]
    return chosen


def test_every_block_is_run_or_says_why_not():
    pages = [
        page.relative_to(ROOT / "docs").as_posix()
        for folder in ("start", "guides", "operate")
        for page in sorted((ROOT / "docs" / folder).glob("*.md"))
    ]
    with_blocks = {page for page in pages if BLOCK.search((ROOT / "docs" / page).read_text())}
    tests = [Path(__file__), Path(__file__).with_name("test_shell_blocks.py")]
    called = {page for file in tests for page in CALLED.findall(file.read_text("utf-8"))}
    # Replicas, failover and recovery are set up in other tests; there is no Kubernetes here.
    elsewhere = ("failover", "managed-postgresql", "pitr", "replica")
    assert with_blocks - called == {f"operate/{page}.md" for page in elsewhere}
    for page, beginnings in NOT_RUN.items():
        found = BLOCK.findall((ROOT / "docs" / page).read_text("utf-8"))
        for beginning in beginnings:
            assert [block for block in found if block.startswith(beginning)], (page, beginning)


async def test_accounts_keys_and_limits(template, tmp_path):
    commands = [
        # An account that the first page changes.
        "echo 'violet otter 42' | gamekeeper users create ben ben@example.com",
        *run("operate/accounts-and-keys.md"),
        *run("operate/limits.md"),
        *run("operate/password-keys.md"),
        *run("operate/web-pages.md"),
    ]
    async with cloned(template) as settings:
        said = pasted([*commands, "gamekeeper keys list"], tmp_path, **environment(settings))

    assert "fan-site" in said


async def test_alternative_accounts(template, tmp_path):
    commands = [
        "echo 'violet otter 42' | gamekeeper users create ana ana@example.com",
        *run("guides/alternative-accounts.md"),
    ]
    async with cloned(template) as settings:
        said = pasted(commands, tmp_path, **environment(settings))

    assert "203.0.113.0/24" in said


async def test_partitions_and_page_counts(template, tmp_path):
    async with cloned(template) as settings:
        commands = [*run("operate/partitions.md"), *run("operate/page-counts.md")]
        said = pasted(commands, tmp_path, **environment(settings))

    assert "Ledger verified" in said


async def test_the_database_has_two_roles(tmp_path):
    role = "gamekeeper_of_the_page"
    await admin(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN")
    async with cloned("template1") as settings:
        commands = [
            block.replace("--app-role gamekeeper", f"--app-role {role}")
            for block in run("operate/database.md")
        ]
        pasted([*commands, "gamekeeper version --json"], tmp_path, **environment(settings))
    await admin(f"DROP ROLE {role}")


async def test_a_backup_is_made_and_restored(template, tmp_path):
    place = tmp_path / "backups"
    async with cloned(template) as settings, cloned("template1") as empty:
        replaced = {
            "/srv/backups/gamekeeper-20261116T031500Z": f"{place}/gamekeeper-*",
            "/srv/backups": str(place),
            "postgresql://gamekeeper_owner:…@127.0.0.1:5432/restored": str(empty.database_url),
        }
        commands = ["gamekeeper keys create game-server", "gamekeeper keys create website"]
        for block in run("operate/backup.md"):
            for written, real in replaced.items():
                block = block.replace(written, real)
            commands.append(block)
        pasted(commands, tmp_path, **environment(settings))
        said = pasted(["gamekeeper keys list"], tmp_path, **environment(empty))

    assert "game-server" in said
    assert "website" in said


async def test_the_guide_for_operators(template, tmp_path):
    async with cloned(template) as settings:
        with serving(settings, tmp_path / "log") as (url, _):
            commands = [
                block.replace("http://127.0.0.1:8000", url) for block in run("guides/operator.md")
            ]
            said = pasted(commands, tmp_path, **environment(settings))

    assert '"status":"ready"' in said
    assert "/console/sign-in#link=gkl_" in said
