"""The TypeScript package: as new as the OpenAPI document, typed, and its README is true."""

import asyncio
import os
import re
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from tests.clients.typescript.conftest import NODES
from tests.clients.typescript.sides import MODULES, NODE, PACKAGE, ROOT, TSC, node
from tests.deadlines import PATIENCE
from tests.make import make_item, make_player

pytestmark = pytest.mark.browser

BIOME = MODULES / ".bin" / "biome"
EXAMPLES = re.findall(r"```ts\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)
POTION = UUID("957189e7-ca1b-4138-8d7a-fdbf695cbae1")
OPTIONS = [
    *("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--module", "nodenext", "--target", "es2022", "--lib", "es2023,dom,dom.asynciterable"),
    *("--skipLibCheck", "--types", "node"),
]


def test_keyed_operations_are_those_of_the_document(generated: Path):
    committed = (PACKAGE / "src/keyed.ts").read_text()
    assert (generated / "keyed.ts").read_text() == committed, "run `just client`"


def test_every_cursor_goes_by_the_name_that_the_client_knows(url):
    """`pages` in src/pages.ts."""
    openapi = httpx2.get(f"{url}/api/openapi.json", trust_env=False).json()
    schemas = openapi["components"]["schemas"]
    for path, operations in openapi["paths"].items():
        content = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        if "Next" in schemas.get(reference.rpartition("/")[2], {}).get("properties", {}):
            names = {parameter["name"] for parameter in operations["get"]["parameters"]}
            [name] = names & {"cursor", "before", "after"}
            wanted = {"/api/v1/events": "after", "/api/v1/players/{key}/sessions": "before"}
            assert name == wanted.get(path, "cursor"), path


def test_types_and_form(built):
    node(TSC, "-p", "test")
    node(BIOME, "check", "--error-on-warnings", ".", cwd=ROOT)
    source = "".join(file.read_text() for file in (PACKAGE / "src").glob("*.ts"))
    assert not re.search(r"\bany\b(?=[;,>\[)])|@ts-(ignore|nocheck)|biome-ignore", source)


@pytest.mark.parametrize("program", NODES.values(), ids=list(NODES))
def test_logic(built, program: Path):
    if not program.exists():
        pytest.skip(f"there is no {program} here")
    tests = sorted((PACKAGE / "test").glob("*.test.mjs"))
    assert len(tests) == 3
    node("--test", *tests, program=program)


@pytest.fixture(scope="module")
def examples(built, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The examples of the README, compiled as a project of somebody else's would be."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "node_modules").symlink_to(MODULES)
    (folder / "package.json").write_text('{"type": "module"}')
    files = [folder / f"example{number}.ts" for number, _ in enumerate(EXAMPLES)]
    for file, text in zip(files, EXAMPLES, strict=True):
        file.write_text(text)
    node(TSC, *OPTIONS, *files, cwd=folder)
    return [file.with_suffix(".js") for file in files]


async def test_the_examples_of_the_readme(examples, url, key, database, direct):
    ranking, delivery, listing, accounts, bot = examples

    async def run(file: Path, **more: str) -> str:
        env = os.environ | {"GAMEKEEPER_CLIENT_URL": url, "GAMEKEEPER_CLIENT_KEY": key} | more
        return await asyncio.to_thread(node, file, cwd=file.parent, program=NODE, env=env)

    await make_item(database, "Healing Potion", id=POTION, inventory_stack=10)
    begin = (await direct.events.page("latest"))["Next"]
    assert await run(accounts) == "welcome, Mira\nInvalid credentials.\n"
    assert await run(delivery) == "not delivered: No player with name 'Mira'.\n"
    mira = await make_player(database, "Mira", level=7)
    await make_player(database, "Nod", level=3)
    assert await run(ranking) == "1. Mira, level 7\n2. Nod, level 3\n"
    # The key keeps what was answered first, also that there was nobody; so the order is another.
    text = delivery.read_text()
    delivery.write_text(text.replace("order-17", "order-18"))
    assert [await run(delivery), await run(delivery)] == ["delivered\n"] * 2
    assert await run(listing) == "items.give Healing Potion by contract: order 17\n"
    following = asyncio.create_task(run(bot, LAST_SEQ=str(begin)))
    await direct.players.give(mira, POTION, reason="the last one")
    lines = (await asyncio.wait_for(following, PATIENCE)).splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "contract gave Mira some Healing Potion"
    ] * 2
