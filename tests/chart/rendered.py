"""The objects that Helm makes of the chart and values."""

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests import processes

ROOT = Path(__file__).parents[2]
CHART = ROOT / "deploy/chart"
TOOLS = ROOT / ".release-tools"
CLOUDNATIVEPG = ROOT / "deploy/cloudnativepg"
VALUES = {file.stem: file for file in sorted((Path(__file__).parent / "values").iterdir())} | {
    "cloudnativepg": CLOUDNATIVEPG / "values.yaml"
}
GOLDEN = Path(__file__).parent / "golden"


def helm(*words: str) -> subprocess.CompletedProcess[str]:
    program = TOOLS / "helm"
    assert program.exists(), "Helm is missing: `just release-tools` installs it."
    with tempfile.TemporaryDirectory() as home:
        return processes.run([str(program), *words], env={"HOME": home, "PATH": "/usr/bin:/bin"})


def template(*words: str) -> subprocess.CompletedProcess[str]:
    return helm("template", "gamekeeper", str(CHART), "--namespace", "games", *words)


@cache
def text(name: str, *more: str) -> str:
    """What Helm writes for one of the value sets, and values of a single test."""
    done = template("--values", str(VALUES[name]), *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(name: str, *more: str) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(text(name, *more)) if one]


def one(name: str, kind: str, component: str, *more: str) -> dict[str, Any]:
    """The only object of a kind for a part of the service."""
    [found] = [
        each
        for each in objects(name, *more)
        if each["kind"] == kind
        and each["metadata"]["labels"]["app.kubernetes.io/component"] == component
    ]
    return found


def pods(name: str, *more: str) -> dict[str, dict[str, Any]]:
    """The specification of every pod, by the part of the service that it runs."""
    return {
        each["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]["template"]["spec"]
        for each in objects(name, *more)
        if each["kind"] in ("Deployment", "Job")
    }


def variables(pod: dict[str, Any]) -> dict[str, Any]:
    """The environment of a pod's only container: text, or the key of a Secret."""
    [container] = pod["containers"]
    found = {
        each["name"]: each.get("value") or each["valueFrom"]["secretKeyRef"]
        for each in container["env"]
    }
    assert len(found) == len(container["env"]), "a variable is set twice"
    return found
