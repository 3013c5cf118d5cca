"""The files of docs/operate/failover.md are those that the drill runs, and fit each other."""

from pathlib import Path

import yaml

from tests.db.proxy import Proxy
from tests.failover.nodes import Node, block


def test_the_drill_can_use_the_files_of_the_page(tmp_path: Path):
    node = Node("node2", tmp_path, Proxy(1), Proxy(2), 5433)
    node.configure({"ttl": 30})

    made = yaml.safe_load((tmp_path / "config.yml").read_text())
    assert "10.0.0" not in (tmp_path / "config.yml").read_text()
    assert made["name"] == "node2"
    assert made["postgresql"]["listen"] == "127.0.0.1:5433"
    assert made["bootstrap"]["dcs"]["ttl"] == 30


def test_patroni_accepts_the_intervals_and_loses_nothing():
    settings = yaml.safe_load(block("yaml", "scope:"))["bootstrap"]["dcs"]

    assert settings["synchronous_mode"] is True
    # Patroni's own rule: a primary notices that it lost etcd before its key expires.
    assert settings["loop_wait"] + 2 * settings["retry_timeout"] <= settings["ttl"]


def test_the_members_of_etcd_are_the_servers_of_patroni():
    lines = dict(line.split("=", 1) for line in block("ini", "ETCD_NAME").splitlines())
    members = [part.split("=")[1] for part in lines["ETCD_INITIAL_CLUSTER"].split(",")]
    hosts = yaml.safe_load(block("yaml", "scope:"))["etcd"]["hosts"].split(",")

    assert [member.replace("2380", "2379") for member in members] == [f"http://{h}" for h in hosts]
    assert lines["ETCD_ADVERTISE_CLIENT_URLS"] == f"http://{hosts[0]}"
