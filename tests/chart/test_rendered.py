"""
What Helm makes of the chart: as kept in golden/, and valid for Kubernetes.

After a change that is meant, write the files anew with `GOLDEN=write pytest tests/chart`, and
read the difference.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import processes
from tests.chart.rendered import CHART, GOLDEN, ROOT, TOOLS, VALUES, helm, objects, one, text

pytestmark = pytest.mark.engines

VERSIONS = ("1.30", "1.37")
"""The oldest that the chart supports, and the newest that there are schemas of."""

COMPONENT = "app.kubernetes.io/component"
OPERATOR = {"ServiceMonitor", "PrometheusRule"}
"""Kinds of the Prometheus operator, of which Kubernetes has no schema."""


@pytest.mark.parametrize("name", VALUES)
def test_the_objects_are_as_written_down(name: str):
    golden = GOLDEN / f"{name}.yaml"
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(text(name))
    assert text(name) == golden.read_text()


def test_the_chart_is_clean_by_helms_own_lint():
    for name, values in VALUES.items():
        done = helm("lint", "--strict", str(CHART), "--values", str(values))
        assert done.returncode == 0, f"{name}:\n{done.stdout}{done.stderr}"


def test_the_objects_are_valid_for_kubernetes():
    """And one that is not is found: the check is one that can fail."""
    known = [each for name in VALUES for each in objects(name) if each["kind"] not in OPERATOR]
    assert len(known) > 20
    wrong = one("minimal", "Deployment", "serve")
    wrong["spec"]["template"]["spec"]["terminationGracePeriod"] = 45
    pairs = [(version, each) for version in VERSIONS for each in [*known, wrong]]

    faults = [fault for fault in _faults(pairs) if fault]

    assert len(faults) == len(VERSIONS), faults
    assert all("'terminationGracePeriod' was unexpected" in fault for fault in faults)


def _faults(pairs: list[tuple[str, dict[str, Any]]]) -> list[str]:
    python = TOOLS / "venv/bin/python"
    assert python.exists(), "The schemas are missing: `just release-tools` installs them."
    script = str(Path(__file__).with_name("kubernetes_schemas.py"))
    done = processes.run([str(python), script], typed=json.dumps(pairs))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_kinds_of_the_prometheus_operator_have_its_form():
    found = {each["kind"]: each for each in objects("production") if each["kind"] in OPERATOR}
    assert found.keys() == OPERATOR
    assert {each["apiVersion"] for each in found.values()} == {"monitoring.coreos.com/v1"}
    assert {each["metadata"]["labels"]["release"] for each in found.values()} == {"prometheus"}

    monitor = found["ServiceMonitor"]["spec"]
    assert monitor.keys() == {"jobLabel", "namespaceSelector", "selector", "endpoints"}
    [endpoint] = monitor["endpoints"]
    assert endpoint.keys() == {"port", "path", "interval", "scrapeTimeout"}
    # It finds the Services by their labels, and these have a port of this name.
    services = [
        each
        for each in objects("production")
        if each["kind"] == "Service"
        and monitor["selector"]["matchLabels"].items() <= each["metadata"]["labels"].items()
    ]
    assert {each["spec"]["selector"][COMPONENT] for each in services} == {"serve", "worker"}
    for each in services:
        assert [port["name"] for port in each["spec"]["ports"]] == [endpoint["port"]]
        assert each["metadata"]["labels"][monitor["jobLabel"]] == "gamekeeper"

    rules = found["PrometheusRule"]["spec"]
    assert rules.keys() == {"groups"}
    for group in rules["groups"]:
        assert group.keys() <= {"name", "interval", "rules"}
        for rule in group["rules"]:
            assert rule.keys() <= {"alert", "record", "expr", "for", "labels", "annotations"}
            assert ("alert" in rule) != ("record" in rule)
            assert rule["expr"]


def test_the_alerts_are_those_of_the_repository():
    """Helm packs only what lies in the chart, so they are there a second time."""
    ours, theirs = CHART / "files/alerts.yml", ROOT / "deploy/observability/alerts.yml"
    if theirs.exists():
        if os.environ.get("GOLDEN") == "write":
            ours.write_text(theirs.read_text())
        assert ours.read_text() == theirs.read_text()
    assert yaml.safe_load(ours.read_text())["groups"]
