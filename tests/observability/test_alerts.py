"""Alerts: each fires when it should and not when it should not, and names its runbook."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests import processes

pytestmark = pytest.mark.engines

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/observability"
RULES = [
    rule
    for group in yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
TESTS = yaml.safe_load((FOLDER / "alerts.test.yml").read_text())["tests"]


def promtool(*words: object) -> None:
    program = shutil.which("promtool")
    assert program, "promtool is not there: apt-get install prometheus"
    done = processes.run([program, *map(str, words)], cwd=FOLDER)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_are_rules():
    promtool("check", "rules", "alerts.yml")


def test_the_configuration_is_a_configuration():
    promtool("check", "config", "prometheus.yml")


def test_the_rules_fire_and_stay_quiet_as_told():
    promtool("test", "rules", "alerts.test.yml")


def test_each_rule_is_tested_both_ways():
    tried = {
        (case["alertname"], bool(case["exp_alerts"]))
        for test in TESTS
        for case in test["alert_rule_test"]
    }
    assert tried == {(rule["alert"], fires) for rule in RULES for fires in (True, False)}


def test_a_rule_that_cannot_fire_fails_its_test(tmp_path):
    """The tests of rules would notice: none of them passes by accident."""
    name = "GamekeeperChainLagging"
    tests = [test for test in TESTS if test["alert_rule_test"][0]["alertname"] == name]
    text = (FOLDER / "alerts.yml").read_text()
    (tmp_path / "alerts.yml").write_text(text.replace("lag_seconds) > 60", "lag_seconds) > 6000"))
    file = tmp_path / "alerts.test.yml"
    file.write_text(yaml.safe_dump({"rule_files": ["alerts.yml"], "tests": tests}))

    done = processes.run(["promtool", "test", "rules", str(file)])

    assert done.returncode == 1
    assert name in done.stdout + done.stderr


def test_every_alert_has_a_runbook_and_every_runbook_an_alert():
    sections = re.findall(r"^## (\w+)$", (ROOT / "docs/runbooks.md").read_text(), re.MULTILINE)

    assert sorted(sections) == sorted(rule["alert"] for rule in RULES)
    for rule in RULES:
        assert rule["annotations"]["runbook"] == f"docs/runbooks.md#{rule['alert'].lower()}"
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_runbooks_name_panels_that_exist():
    dashboards = (FOLDER / "grafana/dashboards").glob("*.json")
    titles = {
        panel["title"] for file in dashboards for panel in json.loads(file.read_text())["panels"]
    }
    text = (ROOT / "docs/runbooks.md").read_text().partition("\n## ")[2]
    named = {" ".join(one.split()) for one in re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", text)}

    assert len(named) > 10
    assert named <= titles
