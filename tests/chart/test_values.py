"""Values: every variable is a setting, secrets are references, a typo is an error."""

import json
import os
import re
import tomllib
from typing import Any

import pytest
import yaml

from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import Settings
from tests.chart import settings_schema
from tests.chart.rendered import CHART, ROOT, VALUES, pods, template, variables

pytestmark = pytest.mark.engines

SCHEMA = CHART / "values.schema.json"
WITHOUT_MIGRATE = ("serve", "worker")


def test_the_schema_knows_the_settings_of_this_version():
    schema = json.loads(SCHEMA.read_text())
    wanted = {"settings": settings_schema.settings(), "secretKeys": settings_schema.secret_keys()}
    if os.environ.get("GOLDEN") == "write":
        for part, properties in wanted.items():
            schema["properties"][part]["properties"] = properties
        SCHEMA.write_text(json.dumps(schema, indent=2) + "\n")
    assert {part: schema["properties"][part]["properties"] for part in wanted} == wanted


@pytest.mark.parametrize("name", VALUES)
def test_every_variable_is_a_setting_that_the_service_accepts(name: str):
    """Read as the service reads them, with something in the place of each secret."""
    secrets = {
        "GAMEKEEPER_DATABASE_URL": "postgresql://gamekeeper@db/gamekeeper",
        "GAMEKEEPER_REPLICA_URL": "postgresql://gamekeeper@replica/gamekeeper",
        "GAMEKEEPER_PASSWORD_KEYS": "2026a:" + "ab" * 32,
        "GAMEKEEPER_SMTP_URL": "smtp://keeper:sesame@mail:587",
        "GAMEKEEPER_ANCHOR_KEY": "cd" * 32,
    }
    for part in WITHOUT_MIGRATE:
        found = variables(pods(name)[part])
        env = {key: secrets[key] if isinstance(to, dict) else to for key, to in found.items()}
        assert unfit_for_production(Settings.read(env)) == []


def test_every_setting_can_be_set():
    """All at once, as text that the service reads."""
    values = {name: _allowed(schema) for name, schema in settings_schema.settings().items()}
    done = _templated({"settings": values})
    assert done.returncode == 0, done.stderr
    [worker] = [
        each["spec"]["template"]["spec"]
        for each in yaml.safe_load_all(done.stdout)
        if each and each["metadata"]["name"] == "gamekeeper-worker" and "template" in each["spec"]
    ]

    found = {key: to for key, to in variables(worker).items() if isinstance(to, str)}
    del found["GAMEKEEPER_METRICS_ADDRESS"]

    assert found == {
        f"GAMEKEEPER_{name.upper()}": str(value).lower() if value is True else str(value)
        for name, value in values.items()
    }


def _allowed(schema: dict[str, Any]) -> Any:
    """Some value that a schema allows; of numbers the largest."""
    if "enum" in schema:
        return schema["enum"][-1]
    if schema["type"] == "boolean":
        return True
    if schema["type"] == "string":
        return "x"
    return schema.get("maximum", schema.get("minimum", 1))


def _templated(more: dict):
    words = ["--values", str(VALUES["minimal"])]
    for part, values in more.items():
        words += ["--set-json", f"{part}={json.dumps(values)}"]
    return template(*words)


def test_secrets_are_references_and_never_values():
    found = variables(pods("production")["serve"])
    references = {key for key, to in found.items() if isinstance(to, dict)}
    assert references == {
        f"GAMEKEEPER_{name}"
        for name in ("DATABASE_URL", "REPLICA_URL", "PASSWORD_KEYS", "SMTP_URL", "ANCHOR_KEY")
    }
    done = _templated({"settings": dict.fromkeys(settings_schema.SECRETS, "sesame")})
    assert done.returncode != 0
    assert [name for name in settings_schema.SECRETS if f"'{name}'" not in done.stderr] == []
    assert "kind: Secret" not in "".join(
        file.read_text() for file in (CHART / "templates").iterdir()
    )


TYPOS = {
    "settings.pubic_url": "https://x.org",
    "settings.inventory_slots": 0,
    "settings.log_level": "loud",
    "settings.metrics_address": "0.0.0.0:1",
    "settings.fail_point": "x:kill",
    "secretKeys.databaseurl": "x",
    "serve.replica": 3,
    "serve.terminationGracePeriodSeconds": 5,
    "serve.workers": "many",
    "networkPolicy.on": True,
    "image.digest": "latest",
    "ingress.streaming": "yes",
    "replicas": 3,
}


def test_a_typo_is_an_error():
    """Helm names all of them; a value that is right is not named."""
    wrong = [f"{path}={json.dumps(value)}" for path, value in TYPOS.items()]
    words = [word for one in wrong for word in ("--set-json", one)]
    done = template("--values", str(VALUES["minimal"]), *words)

    assert done.returncode != 0
    faults = done.stderr.partition("\ngamekeeper:\n")[2]
    named = set(re.findall(r"'([^']*)'", faults))
    parts = {part for path in named for part in path.split("/")}
    assert {path.rpartition(".")[2] for path in TYPOS} <= parts
    assert "public_url" not in parts


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "settings.public_url=https://x.org"], "existingSecret is needed"),
        (["--set", "existingSecret=x"], "settings.public_url is needed"),
    ],
)
def test_what_must_be_set_is_asked_for_by_name(words: list[str], said: str):
    done = template(*words)

    assert (done.returncode != 0, said in done.stderr) == (True, True), done.stderr


def test_the_chart_has_the_version_of_the_service():
    """And of the image, which is tagged with it."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())

    assert (chart["version"], chart["appVersion"]) == (version, version)
    [container] = pods("minimal")["serve"]["containers"]
    assert container["image"] == f"gamekeeper:{version}"


def test_the_readme_shows_values_that_the_chart_takes(tmp_path):
    [example] = re.findall(r"```yaml\n(.*?)```", (CHART / "README.md").read_text(), re.DOTALL)
    file = tmp_path / "values.yaml"
    file.write_text(example)

    done = template("--values", str(file))

    assert done.returncode == 0, done.stderr
