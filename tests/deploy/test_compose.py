"""compose.yaml fits the settings, the commands and the files that there are."""

import re
import shutil
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from msgspec import structs

from gamekeeper.cli.commands import COMMANDS
from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import Settings

pytestmark = pytest.mark.deploy

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "compose.yaml").read_text()
COMPOSE = yaml.safe_load(TEXT)
SERVICES = COMPOSE["services"]
OURS = ("migrate", "serve", "worker")
SETTINGS = {field.encode_name for field in structs.fields(Settings)}
VARIABLE = re.compile(r"\$\{(\w+)(?::?([-?])([^}]*))?\}")
PINNED = re.compile(r"[\w./-]+:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?")


def resolved(text: str) -> str:
    """A value with the defaults of its variables put in."""
    return VARIABLE.sub(lambda found: found[3] if found[2] == "-" else "x" * 8, text)


@pytest.mark.parametrize("name", OURS)
def test_each_variable_is_a_setting_with_a_valid_value(name):
    """A misspelled one would stop the start, or worse, a default would go unnoticed."""
    given = {key: resolved(value) for key, value in SERVICES[name]["environment"].items()}

    assert given.keys() <= SETTINGS
    assert Settings.read(given).database_url.endswith("@postgres:5432/gamekeeper")


def test_the_service_has_the_role_that_cannot_alter_history():
    """Only migrate is the owner of the tables."""
    roles = {
        name: SERVICES[name]["environment"]["GAMEKEEPER_DATABASE_URL"].split("//")[1].split(":")[0]
        for name in OURS
    }
    assert roles == {"migrate": "gamekeeper_owner", "serve": "gamekeeper", "worker": "gamekeeper"}
    assert SERVICES["migrate"]["command"] == ["migrate", "--app-role", "gamekeeper"]


@pytest.mark.parametrize("name", OURS)
def test_each_command_exists_and_runs_in_production(name):
    command, *options = SERVICES[name]["command"]

    assert command in COMMANDS
    assert ("--production" in options) == (name != "migrate")


@pytest.mark.parametrize("name", OURS)
def test_ours_write_nothing_and_have_no_privilege(name):
    service = SERVICES[name]

    assert service["read_only"] is True
    assert [mount.partition(":")[0] for mount in service["tmpfs"]] == ["/tmp"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_image_is_of_this_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    image = f"gamekeeper:{version}"

    assert {resolved(SERVICES[name]["image"]) for name in OURS} == {image}
    built = (ROOT / "Containerfile").read_text()
    assert f'org.opencontainers.image.version="{version}"' in built
    assert f"--tag {image} ." in built


def test_the_images_of_others_are_pinned():
    images = {resolved(service["image"]) for service in SERVICES.values()}
    base = re.findall(r"^ARG BASE_IMAGE=(.*)$", (ROOT / "Containerfile").read_text(), re.MULTILINE)

    assert len(base) == 1
    assert [image for image in [*images, *base] if not PINNED.fullmatch(image)] == []


def test_every_mounted_file_exists():
    sources = [
        mount.partition(":")[0]
        for service in SERVICES.values()
        for mount in service.get("volumes", [])
    ]
    files = [source for source in sources if source.startswith("./")]
    named = [source for source in sources if not source.startswith("./")]

    assert len(files) > 5
    assert set(named) == COMPOSE["volumes"].keys()
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_only_proxies_are_reached_from_outside():
    """Every other port is this machine's own, and the database has none."""
    ports = {name: service.get("ports", []) for name, service in SERVICES.items()}
    public = {
        name
        for name, given in ports.items()
        if any(not port.startswith("127.0.0.1:") for port in given)
    }
    assert public == {"caddy"}
    assert ports["postgres"] == []
    assert COMPOSE["networks"]["back"]["internal"] is True


def test_every_variable_has_a_default_or_says_what_to_do():
    found = {name: (kind, text) for name, kind, text in VARIABLE.findall(TEXT)}
    example = (ROOT / "deploy/compose/env.example").read_text()
    secret = {name for name, (kind, _) in found.items() if kind == "?"}

    assert not [name for name, (kind, _) in found.items() if not kind]
    assert secret == {name for name in found if name.endswith("_PASSWORD")}
    assert all("deploy/compose/secrets" in found[name][1] for name in secret)
    assert set(re.findall(r"^(\w+_PASSWORD)=$", example, re.MULTILINE)) == secret


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "deploy/compose", tmp_path / "deploy/compose")
    return tmp_path


def secrets(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["deploy/compose/secrets", *arguments]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def variables(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text().splitlines() if line and line[0] != "#"]
    return dict(line.split("=", 1) for line in lines)


def test_the_secrets_are_new_each_time_and_fit_for_production(checkout, tmp_path):
    done = secrets(checkout, "https://play.example.org")
    env, ours = variables(checkout / ".env"), variables(checkout / "gamekeeper.env")

    assert done.returncode == 0, done.stderr
    passwords = {value for name, value in env.items() if name.endswith("_PASSWORD")}
    assert len(passwords) == 5
    assert all(re.fullmatch(r"[0-9a-f]{64}", password) for password in passwords)
    assert (env["SITE"], env["COMPOSE_PROFILES"]) == ("play.example.org", "tls")
    url = SERVICES["serve"]["environment"]["GAMEKEEPER_DATABASE_URL"]
    settings = Settings.read(ours | {"GAMEKEEPER_DATABASE_URL": resolved(url)})
    assert unfit_for_production(settings) == []
    assert settings.public_url == "https://play.example.org"
    for name in (".env", "gamekeeper.env"):
        assert stat.S_IMODE((checkout / name).stat().st_mode) == 0o600


def test_the_secrets_of_a_running_installation_are_never_overwritten(checkout):
    secrets(checkout, "https://localhost")
    before = (checkout / ".env").read_text()

    again = secrets(checkout, "https://localhost")

    assert again.returncode == 1
    assert ".env is there already" in again.stderr
    assert (checkout / ".env").read_text() == before


@pytest.mark.parametrize("address", ["", "http://play.example.org", "play.example.org", "https://"])
def test_an_address_without_tls_is_refused_with_an_example(checkout, address):
    done = secrets(checkout, *filter(None, [address]))

    assert done.returncode == 2
    assert "deploy/compose/secrets https://play.example.org" in done.stderr
    assert not (checkout / ".env").exists()


@pytest.mark.parametrize(
    "file", ["deploy/compose/gamekeeper.env.example", "deploy/systemd/gamekeeper.env.example"]
)
def test_the_examples_name_settings_only(file):
    names = set(re.findall(r"^(?:# )?(GAMEKEEPER_\w+)=", (ROOT / file).read_text(), re.MULTILINE))

    assert len(names) > 3
    assert names <= SETTINGS


def test_the_secrets_stay_out_of_the_history_and_of_the_image():
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    context = (ROOT / ".containerignore").read_text().splitlines()

    assert {"/.env", "/gamekeeper.env"} <= set(ignored)
    assert next(line for line in context if line and line[0] != "#") == "*"
    assert not [line for line in context if line.startswith("!") and ".env" in line]
    assert (ROOT / ".dockerignore").readlink() == Path(".containerignore")
