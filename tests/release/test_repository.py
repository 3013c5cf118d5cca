"""The files for people who join: workflows, forms and hooks run what they name."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import gamekeeper_client
import pytest
import yaml

from tools.release import ROOT, version

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
PINNED = re.compile(r"[\w-]+/[\w.-]+@[0-9a-f]{40}")


def read(file: Path) -> dict[str, Any]:
    return yaml.safe_load(file.read_text())


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_a_workflow_pins_its_actions_and_starts_with_read_access(file):
    workflow = read(file)

    assert workflow["permissions"] == {"contents": "read"}
    used = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert used
    assert [action for action in used if not PINNED.fullmatch(action)] == []


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_the_programs_that_a_workflow_runs_exist(file):
    commands = " && ".join(step.get("run", "") for step in steps(read(file)))
    recipes = re.findall(r"^([a-z][a-z-]*)\b", (ROOT / "justfile").read_text(), re.MULTILINE)

    for script in re.findall(r"\.ci/\S+", commands):
        assert (ROOT / script).is_file(), script
    assert set(re.findall(r"\bjust ([a-z-]+)", commands)) <= {*recipes}


def test_ci_runs_the_checks_and_every_lane_of_tests():
    [markers] = [
        tool["pytest"]["ini_options"]["markers"]
        for tool in [tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]]
    ]
    lanes = {marker.partition(":")[0] for marker in markers} - {"slow"}

    matrix = read(ROOT / ".github/workflows/ci.yml")["jobs"]["lane"]["strategy"]["matrix"]

    assert {*matrix["lane"]} == {"check", "test", *lanes}


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_a_form_has_labels_and_unique_fields(file):
    form = read(file)

    assert {"name", "description", "labels", "body"} == {*form}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)


def test_hooks_run_the_locked_programs():
    [local] = read(ROOT / ".pre-commit-config.yaml")["repos"]
    locked = (ROOT / "requirements.lock").read_text()

    programs = {hook["entry"].split()[0] for hook in local["hooks"]}

    assert programs == {".venv/bin/ruff", ".venv/bin/typos", ".ci/npm"}
    assert re.search(r"^ruff==", locked, re.MULTILINE)
    assert re.search(r"^typos==", locked, re.MULTILINE)


def test_all_parts_have_the_version_of_the_service():
    package = json.loads((ROOT / "clients/typescript/package.json").read_text())

    assert gamekeeper_client.__version__ == version()
    assert package["version"] == version()
    assert read(ROOT / "deploy/chart/Chart.yaml")["appVersion"] == version()
