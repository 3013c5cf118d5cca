"""`gamekeeper try` as somebody meets it: started, used, ended, and nothing left."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest
from typer.testing import CliRunner

from gamekeeper.api.v1.session import NoSession
from gamekeeper.app import ROUTES
from gamekeeper.cli import app, cluster
from gamekeeper.cli.try_ import PortTaken
from gamekeeper.db import programs
from tests.deadlines import PATIENCE
from tests.processes import running

pytestmark = pytest.mark.deploy


@contextmanager
def directory() -> Iterator[Path]:
    """A place for temporary files that PostgreSQL reaches when it cannot be the user we are."""
    place = Path(tempfile.mkdtemp(prefix="gktest-", dir="/tmp"))
    place.chmod(0o1777)
    yield place
    shutil.rmtree(place)


@pytest.fixture
def room() -> Iterator[Path]:
    with directory() as place:
        yield place


@contextmanager
def trying(room: Path, *arguments: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a session of its own, as a terminal would run it."""
    command = [sys.executable, "-m", "gamekeeper", "try", "--players", "50", *arguments]
    env = os.environ | {"TMPDIR": str(room)} | env
    pipe = subprocess.PIPE
    with running(command, env=env, stdout=pipe, stderr=pipe, text=True) as process:
        yield process


def ctrl_c(process: subprocess.Popen[str]) -> None:
    """A terminal sends it to everybody in the foreground."""
    os.killpg(process.pid, signal.SIGINT)


def processes(room: Path) -> dict[int, str]:
    """Those that have the directory in their command or their environment."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            command, env = (each / "cmdline").read_bytes(), (each / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(room) in command + env:
            found[int(each.name)] = command.replace(b"\0", b" ").decode()
    return found


def assert_nothing_is_left(room: Path) -> None:
    assert processes(room) == {}
    assert list(room.iterdir()) == []


# ── From the beginning to Ctrl-C ──


def test_a_program_gets_a_working_server_and_ctrl_c_leaves_nothing_behind(room):
    # Settings of a real service must neither be used nor be in the way.
    settings = {"GAMEKEEPER_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/real", "PGPORT": "1"}
    with trying(room, "--json", **settings) as process:
        assert process.stdout is not None
        sight = json.loads(process.stdout.readline())
        assert sight.keys() == {
            *("console", "owner", "documentation", "url", "key", "username", "password"),
            *("databaseUrl", "player", "item"),
        }
        with httpx2.Client(
            base_url=sight["url"],
            headers={"Authorization": f"Bearer {sight['key']}"},
            trust_env=False,
        ) as client:
            # And those of the story.
            assert client.get("/api/v1/players").json()["Total"] > 50
            assert client.get(f"/api/v1/players/{sight['player']}").status_code == 200
            assert client.get("/api/v1/players", headers={"Authorization": ""}).status_code == 401

            [private] = room.iterdir()
            assert private.stat().st_mode & 0o777 == 0o700
            assert str(private) in sight["databaseUrl"]
            assert sum("postgres" in command for command in processes(room).values()) >= 1

            # The client still holds its connection: that must not keep the server.
            ctrl_c(process)
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "")
    assert err == "Stopped. All data was deleted.\n"
    assert_nothing_is_left(room)


def test_a_signal_half_way_through_the_start_leaves_nothing_behind(room):
    with trying(room, "--json") as process:
        while not list(room.glob("*/data/postmaster.pid")):
            assert process.poll() is None
            time.sleep(0.02)
        process.terminate()
        # One is enough; those that follow must not disturb the cleaning up.
        ctrl_c(process)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "")
    assert err == "Stopped. All data was deleted.\n"
    assert_nothing_is_left(room)


# ── What people see ──


@pytest.fixture(scope="module")
def shown() -> Iterator[tuple[Path, subprocess.Popen[str], list[str]]]:
    """A running one, and the lines it has printed for a person."""
    with directory() as room, trying(room) as process:
        lines = []
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("Press Ctrl-C"):
                break
        yield room, process, lines


def test_the_printed_lines_work_as_they_are_pasted(shown):
    _, _, lines = shown
    rank, look, give, token = [_pasted(line) for line in lines if line.startswith("curl ")]

    assert rank[0]["Count"] == 3
    player, inventory = look
    assert any(line.startswith(f"{player['Name']} and the inventory") for line in lines)
    assert [slot["Slot"] for slot in inventory] == list(range(35))
    assert give[0]["quantity"]["inventory"] == 21
    assert token[0]["access_token"].startswith("gka_")


def _pasted(line: str) -> list:
    """What each URL of the line answered; anything but success ends curl with an error."""
    shell = subprocess.run(
        ["sh", "-euc", f'curl() {{ command curl -sS --fail --noproxy "*" "$@"; }}\n{line}'],
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(answer) for answer in shell.stdout.splitlines()]


def test_the_console_is_printed_first_and_its_link_signs_the_owner_in(shown):
    _, _, lines = shown
    [first, *_] = [line for line in lines if line.startswith("  ")]
    name, page = first.split()
    assert name == "Console"
    [again] = [line for line in lines if "gamekeeper staff link" in line]
    made = subprocess.run(
        ["sh", "-euc", again.replace(" gamekeeper ", f" {sys.executable} -m gamekeeper ")],
        capture_output=True,
        text=True,
        check=True,
    )
    for address in (page, made.stdout.strip()):
        url, _, code = address.partition("/console/sign-in#link=")
        ours = {"X-Gamekeeper": "1", "Sec-Fetch-Site": "same-origin"}
        with httpx2.Client(base_url=url, headers=ours, trust_env=False, timeout=PATIENCE) as client:
            begun = client.post("/api/v1/session/link", json={"code": code})
            assert begun.json()["State"] == "signed_in", begun.text
            me = client.get("/api/v1/me").json()
            assert (me["Name"], me["Roles"]) == ("Maren", ["owner"])


def test_the_documentation_is_printed_and_is_there(shown):
    _, _, lines = shown
    [page] = [line.split()[1] for line in lines if line.startswith("  Documentation")]
    answer = httpx2.get(page, trust_env=False, timeout=PATIENCE)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/html")


def test_the_worker_runs_too(shown):
    room, _, _ = shown
    assert [command for command in processes(room).values() if command.endswith("worker ")]


# What an example cannot name: ids that are new in every world, and secrets that are mailed.
NOT_IN_ANY_WORLD = {
    # By the cookie of a browser, from our own pages.
    *(route.handler.__name__ for route in ROUTES if NoSession in route.raises),
    "sign_in_with_password",
    "sign_in_with_link",
    "end_staff_session",
    # The guild of the examples is not in the demo's world.
    *("get_guild", "delete_guild", "delete_guild_by_query", "rename_guild"),
    *("list_guild_members", "list_guild_bank", "kick_guild_member", "set_guild_rank"),
    *("transfer_guild", "add_guild_member", "remove_guild_member", "deposit_to_guild"),
    *("withdraw_from_guild", "list_guild_variables", "get_guild_variable"),
    *("get_guild_variable_value", "set_guild_variable"),
    # The case of the examples is not in the demo's world either; and a key has no account.
    *("get_case", "get_case_chat", "view_case", "claim_case", "release_case", "add_case_note"),
    *("close_case", "reopen_case", "add_case_evidence", "file_my_report"),
    # Nor its finding, its access ban and its invitation, which needs the session of a browser.
    *("get_finding", "acknowledge_finding", "get_access_ban", "lift_access_ban"),
    *("get_economy_rule", "file_report"),
    # Nor its letter and its list of names.
    *("get_letter", "claim_letter", "mark_letter_read", "withdraw_letter", "delete_letter"),
    *("get_my_letter", "claim_my_letter", "mark_my_letter_read", "delete_my_letter"),
    *("get_segment_list", "remove_segment_list"),
    # Nor its campaign.
    *("get_campaign", "try_campaign", "start_campaign", "pause_campaign", "resume_campaign"),
    *("stop_campaign", "reverse_campaign", "list_campaign_recipients"),
    # Nor its schedule.
    *("get_schedule", "list_next_runs", "list_schedule_runs", "pause_schedule", "resume_schedule"),
    *("skip_run", "delete_schedule"),
    # Nor its batch of codes.
    *("get_code_batch", "download_codes", "activate_code_batch", "revoke_code_batch"),
    *("list_code_redemptions", "look_up_code", "revoke_code", "redeem_code", "redeem_my_code"),
    # Nor its link codes and identities, and a key has no account.
    *("create_my_link_code", "link_my_identity", "unlink_my_identity"),
    *("link_identity", "unlink_identity", "link_identity_by_code"),
    # No source is configured.
    *("start_my_link", "finish_my_link", "start_sign_in", "finish_sign_in"),
    *("finish_sign_in_of_website", "check_steam_ticket"),
    # Nor its OpenID client.
    *("get_openid_client", "change_openid_client", "remove_openid_client"),
    *("renew_openid_client_secret", "end_openid_sign_ins"),
    # A key has no address either, and the token of the examples was never mailed.
    *("get_my_email", "request_my_email_verification", "complete_email_verification"),
    # The order of the examples has a receiver, a key has no account, and no shop has a secret.
    *("assign_order", "claim_my_order", "receive_shop_event"),
    *("create_invitation", "revoke_invitation", "accept_invitation"),
    "get_bag",
    "get_action",
    "undo_action",
    "complete_password_reset",
    "create_webhook",
    "get_webhook",
    "change_webhook",
    "remove_webhook",
    "renew_webhook_secret",
    "test_webhook",
    "replay_deliveries",
    "list_deliveries",
    "get_delivery",
    "get_approval",
    "approve_change",
    "reject_change",
    "get_key",
    "revoke_key",
    "get_sanction",
    "get_sanction_excerpt",
    "lift_sanction",
    "end_token",
    "end_sign_in",
    "get_transaction",
    "undo_transaction",
    "follow_bag",
    # It needs the header X-Reason.
    "list_private_messages",
    # Its game servers are rows that answer nothing.
    "get_command",
    "answer_command",
    "send_chat",
    "send_global_chat",
    "send_direct_chat",
    "send_proximity_chat",
    # Ana owns a guild by then.
    "delete_player",
    "delete_user",
}


def test_the_examples_of_the_documentation_exist_in_this_world(shown):
    """Every operation as the page shows it, in the order of the page, with the printed key."""
    _, _, lines = shown
    values = dict(line.split(None, 1) for line in lines if line.startswith("  "))
    [key] = [line.split()[-1] for line in lines if line.startswith("  API key")]
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.Client(
        base_url=values["Address"], headers=headers, trust_env=False, timeout=PATIENCE
    ) as client:
        document = client.get("/api/openapi.json").json()
        operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        refused = {
            name: answer.text
            for name in [*(name for name in operations if name not in DESTRUCTIVE), *DESTRUCTIVE]
            if (answer := _tried(client, *operations[name])).status_code != 200
        }
    assert refused.keys() == NOT_IN_ANY_WORLD, refused


# The others need what these end; a spell is taught before it is forgotten.
DESTRUCTIVE = (
    *("forget_spell", "leave_server", "stop_server", "remove_segment"),
    *("delete_player", "delete_user"),
)


def _tried(client: httpx2.Client, method: str, path: str, operation: dict) -> httpx2.Response:
    """As the page sends it if nothing but Execute is pressed."""
    for parameter in operation["parameters"]:
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(parameter["example"]))
    body = operation.get("requestBody", {"content": {}})["content"].get("application/json")
    query = {
        parameter["name"]: parameter["example"]
        for parameter in operation["parameters"]
        if parameter["in"] == "query" and parameter.get("required")
    }
    return client.request(method, path, params=query, json=body and body["example"])


def test_a_server_that_dies_takes_everything_along(shown):
    room, process, _ = shown
    [server] = [pid for pid, command in processes(room).items() if " serve " in command]
    os.kill(server, signal.SIGKILL)

    _, err = process.communicate(timeout=PATIENCE)

    assert process.returncode == 1
    assert err.startswith("gamekeeper: The server ended by itself.\n")
    assert "Traceback" not in err
    assert_nothing_is_left(room)


# ── What can be missing ──


def test_a_port_that_is_taken_is_refused_before_anything_starts():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        outcome = CliRunner().invoke(app, ["try", "--port", port])
    assert isinstance(outcome.exception, PortTaken)
    assert port in str(outcome.exception)


def test_the_newest_postgresql_that_is_complete_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "PLACES", (f"{tmp_path}/*/bin",))
    for version in ("9.6", "15", "16"):
        _install(tmp_path / version / "bin", "initdb", "postgres")
    _install(tmp_path / "17" / "bin", "initdb")
    assert cluster.found() == tmp_path / "16" / "bin"


def test_a_link_on_the_path_leads_to_all_programs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "PLACES", ())
    _install(tmp_path / "server", "initdb", "postgres")
    (tmp_path / "initdb").symlink_to(tmp_path / "server" / "initdb")
    assert cluster.found() == tmp_path / "server"


def test_without_postgresql_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "PLACES", ())
    with pytest.raises(cluster.PostgresMissing, match="apt install postgresql"):
        cluster.found()


def _install(place: Path, *names: str) -> None:
    place.mkdir(parents=True)
    for program in names:
        (place / program).touch(0o755)
