"""The database by CloudNativePG and the chart's values for it name the same things."""

import re
from typing import Any

import pytest
import yaml

from tests.chart.rendered import CLOUDNATIVEPG, ROOT, objects, pods, variables

pytestmark = pytest.mark.engines

PAGE = ROOT / "docs/operate/managed-postgresql.md"


@pytest.fixture(scope="module")
def cluster() -> dict[str, Any]:
    return yaml.safe_load((CLOUDNATIVEPG / "cluster.yaml").read_text())


def test_migrations_use_the_secret_that_the_operator_makes(cluster):
    migrate = pods("cloudnativepg")["migrate"]
    [role] = cluster["spec"]["managed"]["roles"]

    # The operator calls it after the cluster; `uri` is the URL of the database's owner.
    made = {"name": f"{cluster['metadata']['name']}-app", "key": "uri"}
    assert variables(migrate)["GAMEKEEPER_DATABASE_URL"] == made
    assert migrate["containers"][0]["args"] == ["migrate", f"--app-role={role['name']}"]


def test_pods_reach_the_database_and_are_in_its_namespace(cluster):
    name, namespace = cluster["metadata"]["name"], cluster["metadata"]["namespace"]
    policies = [each for each in objects("cloudnativepg") if each["kind"] == "NetworkPolicy"]
    selected = [
        peer["podSelector"]["matchLabels"]["cnpg.io/cluster"]
        for policy in policies
        for rule in policy["spec"]["egress"]
        for peer in rule.get("to", [])
        if "cnpg.io/cluster" in peer.get("podSelector", {}).get("matchLabels", {})
    ]

    assert {policy["metadata"]["namespace"] for policy in policies} == {namespace}
    assert selected == [name] * len(policies)


def test_the_guide_has_the_role_the_secrets_and_the_host(cluster):
    """The URL of the role that serves is put together by hand, so it is easily wrong."""
    guide, [role] = PAGE.read_text(), cluster["spec"]["managed"]["roles"]
    initdb, name = cluster["spec"]["bootstrap"]["initdb"], cluster["metadata"]["name"]
    [(user, host, database)] = re.findall(
        r"postgresql://(\w+):\$PASSWORD@([\w-]+):5432/(\w+)", guide
    )

    assert (user, host, database) == (role["name"], f"{name}-rw", initdb["database"])
    assert f"secret generic {role['passwordSecret']['name']} " in guide
    assert f"--from-literal=username={user} " in guide


def test_a_commit_waits_for_a_standby(cluster):
    synchronous = cluster["spec"]["postgresql"]["synchronous"]

    assert (synchronous["number"], synchronous["dataDurability"]) == (1, "required")
    assert cluster["spec"]["instances"] > synchronous["number"] + 1
