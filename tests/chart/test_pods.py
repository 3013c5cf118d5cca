"""What pods may do, how they start and end, and how the network reaches them."""

import re

import pytest

from gamekeeper.app import ROUTES
from gamekeeper.cli.serve import DRAIN_SECONDS
from tests.chart.rendered import VALUES, objects, one, pods, template, text

pytestmark = pytest.mark.engines

FOR_THE_CLUSTER = {"/livez", "/readyz", "/metrics"}


@pytest.mark.parametrize("name", VALUES)
def test_no_pod_has_a_right_that_it_does_not_need(name: str):
    found = pods(name)
    assert found.keys() >= {"serve", "worker"}
    for pod in found.values():
        assert pod["automountServiceAccountToken"] is False
        assert pod["enableServiceLinks"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        [container] = pod["containers"]
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"name": "tmp", "mountPath": "/tmp"} in container["volumeMounts"]
        assert container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert container["resources"]["limits"].keys() == {"memory"}


@pytest.mark.parametrize("name", VALUES)
def test_requests_in_flight_have_their_time_when_a_pod_goes(name: str):
    pod = pods(name)["serve"]
    [container] = pod["containers"]
    slept = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)

    assert pod["terminationGracePeriodSeconds"] >= max(30, slept + DRAIN_SECONDS + 5)


def test_a_grace_period_that_would_cut_requests_off_is_refused():
    done = template("--values", str(VALUES["minimal"]), "--set", "serve.preStopSeconds=30")

    assert done.returncode != 0
    assert "must be 25 more than serve.preStopSeconds" in done.stderr


def test_an_update_takes_no_pod_before_its_successor_is_ready():
    for component in ("serve", "worker"):
        update = one("minimal", "Deployment", component)["spec"]["strategy"]["rollingUpdate"]
        assert update == {"maxUnavailable": 0, "maxSurge": 1}
    [container] = pods("minimal")["serve"]["containers"]
    probes = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness")}
    assert list(probes.values()) == [{"path": "/livez", "port": "http"}] * 2
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "http"}


def test_the_autoscaler_has_the_replicas_to_itself():
    assert "replicas" not in one("production", "Deployment", "serve")["spec"]
    scaler = one("production", "HorizontalPodAutoscaler", "serve")["spec"]
    assert scaler["scaleTargetRef"]["name"] == "gamekeeper-serve"
    assert (scaler["minReplicas"], scaler["maxReplicas"]) == (3, 12)
    assert one("replicas", "Deployment", "serve")["spec"]["replicas"] == 5


def test_migrations_run_before_anything_else_and_as_the_owner():
    job = one("production", "Job", "migrate")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["migrate", "--app-role=gamekeeper"]
    [only] = container["env"]
    assert only["valueFrom"]["secretKeyRef"] == {"name": "gamekeeper-owner", "key": "url"}
    # Nothing that the release makes exists by then.
    assert "serviceAccountName" not in job["spec"]["template"]["spec"]
    policy = one("production", "NetworkPolicy", "migrate")["metadata"]["annotations"]
    weights = [policy, job["metadata"]["annotations"]]
    assert int(weights[0]["helm.sh/hook-weight"]) < int(weights[1]["helm.sh/hook-weight"])

    [alone] = one("minimal", "Job", "migrate")["spec"]["template"]["spec"]["containers"][0]["env"]
    assert alone["valueFrom"]["secretKeyRef"] == {"name": "gamekeeper", "key": "database-url"}
    assert not [each for each in objects("replicas") if each["kind"] == "Job"]


@pytest.mark.parametrize("name", VALUES)
def test_every_selector_finds_pods_of_this_release(name: str):
    labels = {
        each["metadata"]["labels"]["app.kubernetes.io/component"]: each["spec"]["template"][
            "metadata"
        ]["labels"]
        for each in objects(name)
        if each["kind"] in ("Deployment", "Job")
    }
    selectors = [
        each["spec"]["selector"] if each["kind"] == "Service" else chosen["matchLabels"]
        for each in objects(name)
        if each["kind"] in ("Service", "PodDisruptionBudget", "NetworkPolicy", "Deployment")
        for chosen in [each["spec"].get("podSelector", each["spec"].get("selector"))]
    ]
    assert len(selectors) >= 4
    for selector in selectors:
        assert [part for part, has in labels.items() if selector.items() <= has.items()] == [
            selector["app.kubernetes.io/component"]
        ]


def test_the_ingress_takes_every_public_route_and_no_other():
    """Probes and metrics are for the cluster."""
    [rule] = one("production", "Ingress", "serve")["spec"]["rules"]
    exact = {path["path"] for path in rule["http"]["paths"] if path["pathType"] == "Exact"}
    prefixes = tuple(path["path"] for path in rule["http"]["paths"] if path["pathType"] == "Prefix")

    def reaches(path: str) -> bool:
        return path in exact or any(
            path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes
        )

    paths = {re.sub(r"\{[^}]*\}", "x", route.path) for route in ROUTES}
    assert {path for path in paths if not reaches(path)} == FOR_THE_CLUSTER


def test_event_streams_pass_the_ingress():
    annotations = one("production", "Ingress", "serve")["metadata"]["annotations"]
    assert annotations["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
    assert int(annotations["nginx.ingress.kubernetes.io/proxy-read-timeout"]) > 60
    assert annotations["cert-manager.io/cluster-issuer"] == "letsencrypt"


def test_an_ingress_without_a_host_is_refused():
    done = template("--values", str(VALUES["minimal"]), "--set", "ingress.enabled=true")

    assert (done.returncode != 0, "ingress.hosts is needed" in done.stderr) == (True, True)


def test_webhooks_cannot_reach_an_address_inside():
    egress = one("production", "NetworkPolicy", "worker")["spec"]["egress"]
    [public] = [
        peer["ipBlock"]
        for rule in egress
        for peer in rule.get("to", [])
        if peer.get("ipBlock", {}).get("cidr") == "0.0.0.0/0"
    ]
    assert {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"} <= set(
        public["except"]
    )
    serve = one("production", "NetworkPolicy", "serve")["spec"]["egress"]
    assert not [rule for rule in serve if "0.0.0.0/0" in str(rule)]


def test_only_the_ingress_controller_and_monitoring_reach_serve():
    rules = one("production", "NetworkPolicy", "serve")["spec"]["ingress"]
    ports = {port["port"] for rule in rules for port in rule["ports"]}
    assert ports == {"http", "metrics"}
    assert all(rule["from"] for rule in rules)
    [rule] = one("production", "NetworkPolicy", "worker")["spec"]["ingress"]
    assert (rule["ports"], bool(rule["from"])) == ([{"port": "metrics"}], True)


def test_a_large_number_stays_a_number():
    """Go would write 604800 as 6.048e+05."""
    assert 'value: "604800"' in text("production")
    assert "e+0" not in text("production")
