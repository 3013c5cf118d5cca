"""Schemathesis reads the document and tries to catch the server at something else."""

import base64
import json
import sys
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from gamekeeper import app
from gamekeeper.api import example_world
from gamekeeper.api.pages import PAGES
from gamekeeper.api.v1.session import NoSession
from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import symbols
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.delivery import SendLetter
from tests import processes
from tests.approvals.requested import make_request
from tests.clients.records import DOCUMENT
from tests.contract.endpoints import label, obey
from tests.make import (
    BY,
    fill_slot,
    join,
    make_item,
    make_player,
    make_server,
    make_user,
)
from tests.moderation import rows
from tests.own_server import client, database, key, log, settings
from tests.server import serving

__all__ = ["client", "database", "key", "log", "settings"]

SEED = "20260314"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "ignored_auth",
    "unsupported_method",
    "allow_header_conformance",
)

pytestmark = pytest.mark.torture


@pytest.fixture(scope="module")
def url(settings: Settings, log: Path):
    """A server whose operator names the example's host, which no DNS knows."""
    operator = {
        "GAMEKEEPER_WEBHOOK_HOSTS": f"{urlsplit(example_world.WEBHOOK_URL).hostname}:443",
        # Its account has two already.
        "GAMEKEEPER_CHARACTERS_PER_USER": "1000",
    }
    with serving(settings, log, **operator) as (url, _):
        yield url


@pytest.fixture(scope="module")
async def world(database: Database) -> None:
    """The world of the document's examples, so that they find what they name."""
    user = await make_user(database, example_world.USER, password=example_world.PASSWORD, api=True)
    ana = await make_player(database, example_world.PLAYER, user=user)
    await make_player(database, "Bo", user=user)
    server = await make_server(database, fence=example_world.FENCE, server=example_world.SERVER)
    await join(database, ana, server)
    # However often somebody registers, the examples know the number.
    low = example_world.FENCE
    only = f"MINVALUE {low} MAXVALUE {low + 1} START {low} RESTART INCREMENT 9 CYCLE"
    await database.write(lambda writer: writer.run(f"ALTER SEQUENCE fences {only}"))
    await make_item(database, id=example_world.POTION, inventory_stack=1000)
    await make_item(database, "Satchel", id=example_world.POUCH, type="bag", bag_slots=2)
    await fill_slot(database, ana, "inventory", 0, example_world.POTION, 1000)
    await database.write(lambda writer: _fill(writer, ana))
    letter = SendLetter(by=BY, player=str(ana), subject="Welcome")
    written = await delivery.send.one(database, letter)
    named = "UPDATE letters SET id = $1 WHERE id = $2"
    await database.write(lambda writer: writer.run(named, example_world.LETTER, written.id))
    master = await make_player(database)
    await database.write(lambda writer: _found(writer, master, ana))
    await _listen(database)
    shown = {"id": example_world.SANCTION, "kind": "warning", "user_id": user}
    await rows.make_sanction(database, example_world.SANCTION_CODE, **shown)
    await rows.make_sanction(database, example_world.APPEALABLE_CODE, kind="mute")
    mute = await rows.make_sanction(database, example_world.APPEALED_CODE, kind="mute")
    await rows.make_appeal(database, mute, id=example_world.APPEAL)
    await rows.make_case(database, id=example_world.CASE)
    await make_request(database, example_world.PLAYER, example_world.POTION)
    for sql, name in (
        (SEGMENT, example_world.SEGMENT),
        (SEGMENT_LIST, example_world.SEGMENT_LIST),
    ):
        await database.write(lambda writer, sql=sql, name=name: writer.run(sql, name))
    for sql in (CAMPAIGN, CAMPAIGN_RECIPIENT):
        await database.write(lambda writer, sql=sql: writer.run(sql, example_world.CAMPAIGN))
    await database.write(lambda writer: writer.run(SCHEDULE, example_world.SCHEDULE))
    await database.write(lambda writer: _print_codes(writer, Vault(database.settings)))
    named = "UPDATE approval_requests SET id = $1"
    await database.write(lambda writer: writer.run(named, example_world.APPROVAL))


SEGMENT = """
    INSERT INTO segments (name, definition, changed_by_name)
    VALUES ($1, '{"Groups": [{"Conditions": [{"Field": "online"}]}]}', 'tests')
"""
CAMPAIGN = """
    INSERT INTO campaigns (id, name, segment, definition, work, per_second, state, created_by,
                           created_by_name, recipients)
    VALUES ($1, 'Outage', 'active-players', '{"Groups": [{"Conditions": [{"Field": "online"}]}]}',
            '{"Kind": "letter", "Subject": "Sorry"}', 2000, 'ready', 'system', 'tests', 1)
"""
SCHEDULE = """
    INSERT INTO schedules (id, name, segment, definition, work, per_second, cron, time_zone,
                           grace_minutes, max_recipients, next_at, created_by, created_by_name)
    VALUES ($1, 'Weekend', 'active-players',
            '{"Groups": [{"Conditions": [{"Field": "online"}]}]}',
            '{"Kind": "letter", "Subject": "Welcome"}', 2000, '0 18 * * FRI', 'Europe/Berlin',
            60, 1000, '2030-03-15T17:00:00Z', 'system', 'tests')
"""
CAMPAIGN_RECIPIENT = """
    INSERT INTO campaign_recipients (campaign_id, player_id)
    SELECT $1, id FROM players ORDER BY id LIMIT 1
"""
CODE_BATCH = """
    INSERT INTO code_batches (id, campaign, name, codes, made, uses, subject, text, items,
                              letter_days, state, created_by_name)
    VALUES ($1, 'spring-2026', 'Newsletter', 1, 1, 1000, 'A gift', '', '[]', 30, $2, 'tests')
"""
CODE = "INSERT INTO codes (hash, batch_id) VALUES ($1, $2)"
SEGMENT_LIST = "INSERT INTO segment_lists (name, changed_by_name) VALUES ($1, 'tests')"

# Some examples end what others need: here no lease ends, and no guild, membership or segment.
UNENDING = [
    """
    CREATE FUNCTION go_on() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.lease_until := now() + interval '1 hour';
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER go_on BEFORE UPDATE ON servers FOR EACH ROW EXECUTE FUNCTION go_on()",
    "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "CREATE TRIGGER stay BEFORE DELETE ON guilds FOR EACH ROW EXECUTE FUNCTION stay()",
    "CREATE TRIGGER stay BEFORE DELETE ON guild_members FOR EACH ROW EXECUTE FUNCTION stay()",
    "CREATE TRIGGER stay BEFORE INSERT ON deleted_guilds FOR EACH ROW EXECUTE FUNCTION stay()",
    "CREATE TRIGGER stay BEFORE DELETE ON segments FOR EACH ROW EXECUTE FUNCTION stay()",
    "CREATE TRIGGER stay BEFORE DELETE ON segment_lists FOR EACH ROW EXECUTE FUNCTION stay()",
    "CREATE TRIGGER stay BEFORE DELETE ON schedules FOR EACH ROW EXECUTE FUNCTION stay()",
    # Nor a letter.
    """
    CREATE FUNCTION stay_open() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.state := 'open';
        NEW.ended_at := NULL;
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER stay_open BEFORE UPDATE ON letters FOR EACH ROW EXECUTE FUNCTION stay_open()",
    # And a campaign stays ready, whatever was started or stopped.
    """
    CREATE FUNCTION stay_ready() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.state := 'ready';
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER stay_ready BEFORE UPDATE ON campaigns
        FOR EACH ROW EXECUTE FUNCTION stay_ready()
    """,
    # A schedule stays active, and a batch of codes what it is but for its download.
    """
    CREATE FUNCTION stay_active() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.state := 'active';
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER stay_active BEFORE UPDATE ON schedules
        FOR EACH ROW EXECUTE FUNCTION stay_active()
    """,
    """
    CREATE FUNCTION stay_downloadable() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NEW.state IN ('active', 'revoked') THEN
            NEW := OLD;
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER stay_downloadable BEFORE UPDATE ON code_batches
        FOR EACH ROW EXECUTE FUNCTION stay_downloadable()
    """,
    # Nor is a code revoked.
    """
    CREATE FUNCTION stay_valid() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        NEW.revoked_at := NULL;
        RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER stay_valid BEFORE UPDATE ON codes FOR EACH ROW EXECUTE FUNCTION stay_valid()",
    # A rank is changed by another row in the place of this one.
    """
    CREATE FUNCTION be_there() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM guild_members WHERE player_id = NEW.player_id) THEN
            RETURN NULL;
        END IF;
        RETURN NEW;
    END $$
    """,
    """
    CREATE TRIGGER be_there BEFORE INSERT ON guild_members
        FOR EACH ROW EXECUTE FUNCTION be_there()
    """,
]


async def _print_codes(writer: Writer, vault: Vault) -> None:
    """A batch that can be downloaded and activated, and a code of another that is active."""
    await writer.run(CODE_BATCH, example_world.CODE_BATCH, "ready")
    await writer.run(CODE_BATCH, active := uuid4(), "active")
    await writer.run(CODE, symbols.typed_hashes(vault, example_world.REDEEM_CODE)[0], active)


async def _listen(database: Database) -> None:
    """A server that nobody stops, with somebody who hears the chat; and an open command."""
    await join(
        database, await make_player(database, example_world.LISTENER), await make_server(database)
    )
    await obey(database)
    for unending in UNENDING:
        await database.write(lambda writer, one=unending: writer.run(one))
    sql = """
        INSERT INTO commands (id, kind, server_id, state, sent_by, sent_by_name, expires_at,
                              delivered_to, fence)
        VALUES ($1, 'kill', $2, 'delivered', 'system', 'world', now() + interval '1 hour', $2, $3)
    """
    await database.write(
        lambda writer: writer.run(
            sql, example_world.COMMAND, example_world.SERVER, example_world.FENCE
        )
    )


async def _found(writer: Writer, owner: UUID, member: UUID) -> None:
    """A guild, and a variable of each owner: the guild, an account, the game."""
    await writer.run(
        "INSERT INTO guilds (id, name, name_key, bank_slots) VALUES ($1, $2, lower($2), 9)",
        example_world.GUILD,
        example_world.GUILD_NAME,
    )
    for player, rank in ((owner, 0), (member, 3)):
        await writer.run(
            "INSERT INTO guild_members (player_id, guild_id, rank) VALUES ($1, $2, $3)",
            player,
            example_world.GUILD,
            rank,
        )
    for variable, kind, whose in (
        (example_world.PRESTIGE, "integer", "guild"),
        (example_world.VOTES, "integer", "user"),
        (example_world.SEASON, "string", "game"),
    ):
        await writer.run(
            "INSERT INTO variables (id, name, type, owner) VALUES ($1, $2, $3, $2)",
            variable,
            whose,
            kind,
        )


async def _fill(writer: Writer, player: UUID) -> None:
    await writer.run(
        "INSERT INTO bags (player_id, id, slot_count) VALUES ($1, $2, 2)", player, example_world.BAG
    )
    await writer.run(
        "INSERT INTO bag_owners (bag_id, player_id) VALUES ($1, $2)", example_world.BAG, player
    )
    await writer.run(
        "INSERT INTO spells (id, name) VALUES ($1, 'Fireball')", example_world.FIREBALL
    )
    await writer.run(
        "INSERT INTO variables (id, name, type) VALUES ($1, 'Karma', 'integer')",
        example_world.SLAIN,
    )
    await writer.run("INSERT INTO classes (id, name) VALUES ($1, 'Warrior')", example_world.WARRIOR)
    await writer.run(
        "INSERT INTO api_keys (hash, id, name) VALUES (sha256('shown'), $1, 'shown')",
        example_world.API_KEY,
    )
    await writer.run(
        """
        INSERT INTO sanction_templates (name, steps, changed_by_name)
        VALUES ('spam', '[{"kind": "warning", "duration_seconds": null}]', 'tests')
        """
    )
    await writer.run(
        "INSERT INTO item_icons (item_id, png, digest) VALUES ($1, '\\x00', 'none')",
        example_world.POTION,
    )
    # Something nothing else here touches, so that it can be undone: alone, and as a transaction.
    await _teach(writer, player, example_world.GIFT, 7)
    await _teach(writer, player, example_world.GIVEN, 8, transaction=example_world.TRADE)
    # A transaction is looked for at the time that its id says.
    then = datetime.fromtimestamp((example_world.TRADE.int >> 80) / 1000, UTC)
    await writer.run("UPDATE actions SET at = $2 WHERE id = $1", example_world.GIVEN, then)


async def _teach(writer: Writer, player: UUID, action: UUID, slot: int, **about: UUID) -> None:
    spell = uuid4()
    await writer.run("INSERT INTO spells (id, name) VALUES ($1, 'Frost')", spell)
    await writer.run("INSERT INTO player_spells VALUES ($1, $2, $3)", player, slot, spell)
    lesson = {"spell_id": spell, "slot": slot} | about
    taught = Action(id=action, kind="spells.teach", by=BY, player_id=player, after=lesson)
    await actions.record(writer, [taught])


@pytest.fixture(scope="module")
def answers(
    url: str, key: str, world: None, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Counter[int]]:
    """How often each operation answered with which status, in a run without a failure."""
    folder = tmp_path_factory.mktemp("schemathesis")
    report = folder / "report.ndjson"
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}/api/openapi.json"]
    command += ["--header", f"Authorization: Bearer {key}", "--checks", ",".join(CHECKS)]
    command += ["--phases", "examples,coverage,fuzzing", "--max-examples", "10", "--seed", SEED]
    command += ["--generation-database", "none", "--request-timeout", "60", "--warnings", "off"]
    command += ["--report-ndjson-path", str(report), "--no-color"]
    done = processes.run(command, cwd=folder, timeout=1100)
    assert done.returncode == 0, done.stdout + done.stderr
    return _counted(report)


def _counted(report: Path) -> dict[str, Counter[int]]:
    counted: dict[str, Counter[int]] = defaultdict(Counter)
    for line in report.read_text().splitlines():
        finished = json.loads(line).get("ScenarioFinished", {"recorder": {}})["recorder"]
        for call in finished.get("interactions", {}).values():
            counted[finished["label"]][call["response"]["status_code"]] += 1
            _check_code(finished["label"], call["response"])
    return counted


def _check_code(label: str, response: dict[str, Any]) -> None:
    """The schema of a failure allows every code; this operation, only those of its examples."""
    method, _, path = label.partition(" ")
    answers = DOCUMENT["paths"][path].get(method.lower(), {"responses": {}})["responses"]
    described = answers.get(str(response["status_code"]), {"content": {}})["content"]
    codes = described.get("application/json", {}).get("examples", {})
    if codes and (content := response.get("content")):
        failure = json.loads(base64.b64decode(content["$base64"]))
        assert failure["Code"] in codes, f"{label}: {failure}"


def test_the_server_answers_as_the_document_says(answers: dict[str, Counter[int]]):
    """The fixture has failed otherwise; here, that the run was not about nothing."""
    assert sum(counted.total() for counted in answers.values()) > 1000
    assert len(answers) == len([route for route in app.ROUTES if route.path not in PAGES])


def test_every_operation_was_seen_to_succeed(answers: dict[str, Counter[int]]):
    """
    Else its answer was never compared with its schema.

    Three need a secret nobody can guess, what was approved is not rejected, whoever is in a
    guild neither founds nor joins one, and an account whose character plays is not erased.
    Private messages need the header X-Reason; tests/chat/test_private.py sends it.
    """
    by_cookie = {label(route) for route in app.ROUTES if NoSession in route.raises}
    unseen = {operation for operation, counted in answers.items() if not counted[200]}
    assert unseen == {
        *by_cookie,
        # Only from our own pages; and one of its sessions.
        "POST /api/v1/session",
        "POST /api/v1/session/link",
        "POST /api/v1/session/invitation",
        "DELETE /api/v1/staff/{user}/sessions/{session_id}",
        # An API key has no account, and no session to invite with.
        "POST /api/v1/me/reports",
        "GET /api/v1/me/email",
        "POST /api/v1/me/email/verification",
        "POST /api/v1/me/orders/claim",
        "POST /api/v1/me/codes",
        "GET /api/v1/me/mailbox/{letter_id}",
        "POST /api/v1/me/mailbox/{letter_id}/claim",
        "POST /api/v1/me/mailbox/{letter_id}/read",
        "DELETE /api/v1/me/mailbox/{letter_id}",
        # Signed with a secret that this server does not have: tests/orders/test_webhooks.py.
        "POST /api/v1/shops/{shop}/events",
        "POST /api/v1/staff/invitations",
        "DELETE /api/v1/staff/invitations/{id}",
        # Only a worker writes findings, and an access ban has another id each time:
        # tests/findings/test_look.py and tests/linked/test_access_bans.py.
        "GET /api/v1/economy/findings/{id}",
        "POST /api/v1/economy/findings/{id}/acknowledge",
        "GET /api/v1/access-bans/{key}",
        "POST /api/v1/access-bans/{key}/lift",
        # Its letter has no items, so that it can be deleted: tests/mailbox/test_letters.py.
        "POST /api/v1/players/{key}/mailbox/{letter_id}/claim",
        # No other service is configured: tests/identities/test_sources.py.
        *("POST /api/v1/sign-in/start", "POST /api/v1/sign-in/finish"),
        *("POST /api/v1/sign-in/account", "POST /api/v1/sign-in/steam-ticket"),
        # A key has no account, and no code or identity of the examples exists: test_links.py.
        *("POST /api/v1/me/identities/start", "POST /api/v1/me/identities/finish"),
        *("POST /api/v1/me/identities/codes", "POST /api/v1/me/identities/link"),
        *("DELETE /api/v1/me/identities/{identity_id}", "POST /api/v1/identities/link"),
        "POST /api/v1/users/{key}/identities/link",
        "DELETE /api/v1/users/{key}/identities/{identity_id}",
        # Its campaign stays ready: tests/campaigns/test_runs.py and test_reversals.py.
        "POST /api/v1/campaigns/{campaign_id}/pause",
        "POST /api/v1/campaigns/{campaign_id}/resume",
        "POST /api/v1/campaigns/{campaign_id}/reverse",
        # Its schedule stays active: tests/schedules/test_schedule_endpoints.py.
        "POST /api/v1/schedules/{schedule_id}/resume",
        # Its order has a receiver: tests/orders/test_orders.py.
        "POST /api/v1/orders/{shop}/{order_id}/assign",
        "POST /api/v1/approvals/{id}/reject",
        "GET /api/v1/logs/pm",
        "DELETE /api/v1/users/{key}",
        "POST /api/v1/guilds/create",
        "POST /api/v1/guilds/{guild_id}/members/{key}",
        "POST /api/v1/users/password/reset/complete",
        # What was mailed is computed from a key: tests/contract/test_email_verification.py.
        "POST /api/v1/users/email/verification/complete",
        "DELETE /api/oauth/tokens/{username}/{token_id}",
        "DELETE /api/oauth/token/{username}/{sign_in}",
    }
