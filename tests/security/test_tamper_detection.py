"""
Everything that somebody with all rights on the database could alter: it is found.

Each is done on a copy of a small world, behind the service's back; `actions verify` and
`ledger verify` must tell. What neither can tell stands in OUT_OF_REACH, with the reason.
"""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from msgspec import Struct, structs

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import verify_chain, verify_ledger
from gamekeeper.ledger.links import COLUMNS, WITH_POSTINGS, Linked, Seal, hashed
from gamekeeper.ledger.reports import ChainReport
from gamekeeper.ledger.verify_ledger import Proof
from tests.cli.command import gamekeeper
from tests.databases import SharedDatabase, cloned, name_of
from tests.ledger.chains import anchored, rehash
from tests.security import tampered
from tests.security.tampered import World

SLOT = "WHERE player_id = {ana} AND item_id = {potion}"
LAST_POSTING = "player_id = {ana} AND seq = (SELECT seq FROM ledger_heads WHERE player_id = {ana})"
POSTING = "WHERE player_id = {cid} AND seq = 2"
GIFT = "WHERE player_id = {ana} AND kind = 'items.give' AND item_id = {potion}"
FORGED = """
    INSERT INTO actions (id, xid, kind, actor, actor_name, player_id, request_id, address)
    VALUES (gen_random_uuid(), {}, 'items.give', 'user:1', 'innocent', {{ana}}, '', '')
"""
NEXT = "pg_snapshot_xmax(pg_current_snapshot())"
MINTED = """
    WITH head AS (UPDATE ledger_heads SET seq = seq + 1 WHERE player_id = {{ana}} RETURNING *),
         slot AS (INSERT INTO slots (player_id, place, slot, item_id, quantity)
                  VALUES ({{ana}}, 'bank', 99, {{potion}}, 1000))
    INSERT INTO postings (player_id, seq, at, xid, action_id, place, slot, item_id, quantity,
                          against, held_before, held_after, stat_buffs)
    SELECT player_id, seq, at, {xid}, {action}, 'bank', 99, {{potion}}, 1000, '{against}', 0, 1000,
           '{{{{0,0,0,0,0}}}}' FROM head
"""
ACTION = "(SELECT {} FROM actions WHERE player_id = {{ana}} AND kind = '{}' ORDER BY id LIMIT 1)"
UNLINKED = """
    INSERT INTO actions (id, kind, actor, actor_name, request_id, address)
    SELECT gen_random_uuid(), 'servers.register', 'system', 'tests', '', ''
      FROM generate_series(1, 300)
"""


def minted(kind: str, against: str) -> str:
    """A posting with its slot and head, under an action there is, with its transaction."""
    about = {"action": ACTION.format("id", kind), "xid": ACTION.format("xid", kind)}
    return MINTED.format(against=against, **about)


FOUND_BY_ACTIONS = {
    "an action's reason": ["UPDATE actions SET reason = '' WHERE kind = 'undo'"],
    "an action's actor": ["UPDATE actions SET actor = 'user:1' WHERE kind = 'undo'"],
    "two actions edited": ["UPDATE actions SET reason = '' " + GIFT],
    "an action removed": ["DELETE FROM actions WHERE kind = 'undo'"],
    "an action removed with its link": [
        "DELETE FROM chain WHERE action_id = (SELECT id FROM actions WHERE kind = 'undo')",
        "DELETE FROM actions WHERE kind = 'undo'",
    ],
    "fifty links cut off the end, with their actions": [
        """DELETE FROM actions WHERE id IN
           (SELECT action_id FROM chain ORDER BY seq DESC LIMIT 50)""",
        "DELETE FROM chain WHERE action_id NOT IN (SELECT id FROM actions)",
    ],
    "an action put in with an old transaction": [
        FORGED.format("(SELECT min(xid) FROM actions)"),
    ],
    "an action put in with a future transaction": [
        FORGED.format(f"({NEXT}::text::bigint + 1000000000)::text::xid8"),
    ],
    "a posting's account": ["UPDATE postings SET against = 'import' " + POSTING],
    "a posting's action": [
        f"UPDATE postings SET action_id = gen_random_uuid() {POSTING}",
    ],
    "a posting's time, kept in order": [
        f"UPDATE postings SET at = at - interval '1 microsecond' {POSTING}",
    ],
    "a posting's transaction": ["UPDATE postings SET xid = '7' " + POSTING],
    "the last posting and its slot raised together": [
        "UPDATE postings SET quantity = quantity + 7, held_after = held_after + 7 WHERE "
        + LAST_POSTING,
        "UPDATE slots SET quantity = quantity + 7 " + SLOT,
    ],
    "the first posting of a gift and all after it raised together": [
        """UPDATE postings SET quantity = quantity + 7, held_after = held_after + 7
            WHERE player_id = {cid} AND seq = 1""",
        """UPDATE postings SET held_before = held_before + 7, held_after = held_after + 7
            WHERE player_id = {cid} AND seq = 2""",
        "UPDATE slots SET quantity = quantity + 7 WHERE player_id = {cid}",
    ],
    "minted under an action of the same player": [minted("items.give", "grant")],
    "minted under an action that had no postings": [minted("players.progress", "grant")],
    "the last posting removed, with what it put there": [
        "DELETE FROM postings WHERE player_id = {cid} AND seq = 2",
        "UPDATE ledger_heads SET seq = 1 WHERE player_id = {cid}",
        "UPDATE slots SET quantity = 4 WHERE player_id = {cid}",
    ],
    "the form of a link": ["UPDATE chain SET form = 1 WHERE seq = 3"],
    "a link of a form there is none of": ["UPDATE chain SET form = 300 WHERE seq = 3"],
    "the digest in a link": [
        "UPDATE chain SET postings = sha256('x') WHERE seq = (SELECT min(seq) FROM chain)"
    ],
    "a digest taken out of a link": [
        "UPDATE chain SET postings = NULL WHERE seq = (SELECT min(seq) FROM chain)"
    ],
    "months said to be dropped, and their postings removed": [
        "INSERT INTO ledger_beginning (at) VALUES (now() - interval '1 hour')",
        "DELETE FROM postings WHERE player_id = {cid}",
        "DELETE FROM ledger_heads WHERE player_id = {cid}",
        "DELETE FROM slots WHERE player_id = {cid}",
    ],
}

FOUND_BY_LEDGER = {
    "a checkpoint with items that were never held": [
        """INSERT INTO ledger_checkpoints (player_id, seq, at, contents)
           SELECT player_id, seq, at, jsonb_build_array(jsonb_build_object(
                      'place', 'bank', 'inside', NULL, 'slot', 9, 'item_id', {potion}::uuid,
                      'quantity', 999, 'stat_buffs', ARRAY[0, 0, 0, 0, 0], 'bag_id', NULL))
             FROM postings WHERE player_id = {ana} AND seq = 1"""
    ],
    "a slot raised": ["UPDATE slots SET quantity = quantity + 5 " + SLOT],
    "a slot removed": ["DELETE FROM slots " + SLOT],
    "a slot added": [
        """INSERT INTO slots (player_id, place, slot, item_id, quantity)
           VALUES ({ana}, 'bank', 9, {potion}, 9)"""
    ],
    "a slot with another item": ["UPDATE slots SET item_id = {other} " + SLOT],
    "a slot with other buffs": ["UPDATE slots SET stat_buffs = '{{9,0,0,0,0}}' " + SLOT],
    "a posting's quantity": [
        "UPDATE postings SET quantity = quantity + 1, held_after = held_after + 1 WHERE "
        + LAST_POSTING
    ],
    "a posting removed": ["DELETE FROM postings WHERE player_id = {ana} AND seq = 2"],
    "a head raised": ["UPDATE ledger_heads SET seq = seq + 1 WHERE player_id = {ana}"],
    "minted under a made-up action": [
        MINTED.format(action="gen_random_uuid()", xid="pg_current_xact_id()", against="grant")
    ],
    "minted under an action of somebody else": [
        minted("items.give", "grant").replace(
            "WHERE player_id = {ana} AND kind", "WHERE player_id = {bob} AND kind"
        )
    ],
    "minted under an action of another kind": [minted("players.progress", "grant")],
    "minted under an action of another transaction": [
        MINTED.format(
            action=ACTION.format("id", "items.give"),
            xid="pg_current_xact_id()",
            against="grant",
        )
    ],
    "all postings of a player removed, and said to be dropped": [
        "INSERT INTO ledger_beginning (at) VALUES (now() + interval '1 hour')",
        "DELETE FROM postings WHERE player_id = {cid}",
        "DELETE FROM ledger_heads WHERE player_id = {cid}",
        "DELETE FROM slots WHERE player_id = {cid}",
    ],
    "a level": ["UPDATE players SET level = 99 WHERE id = {ana}"],
    "experience": ["UPDATE players SET exp = exp + 1 WHERE id = {ana}"],
    "a spell forgotten": ["DELETE FROM player_spells WHERE player_id = {ana}"],
    "a spell in another slot": ["UPDATE player_spells SET slot = 9 WHERE player_id = {ana}"],
    "a variable": ["UPDATE player_variables SET value = '6' WHERE player_id = {ana}"],
    "a variable unset": ["DELETE FROM player_variables WHERE player_id = {ana}"],
    "a variable of an account": ["UPDATE user_variables SET value = '6' WHERE user_id = {user}"],
    "a variable of an account unset": ["DELETE FROM user_variables WHERE user_id = {user}"],
    "a variable of the game": ["UPDATE game_variables SET value = '6'"],
    "a variable of the game unset": ["DELETE FROM game_variables"],
    "powers": ["UPDATE users SET user_management = true WHERE id = {user}"],
    "an email address": ["UPDATE users SET email = 'thief@example.com' WHERE id = {user}"],
    "a password removed": ["DELETE FROM passwords WHERE user_id = {user}"],
    "a password set later": [
        """UPDATE passwords SET sealed = 'x', changed_at = now() + interval '2 hours'
            WHERE user_id = {user}"""
    ],
    "a key with more scopes": ["UPDATE api_keys SET scopes = NULL WHERE name = 'shop'"],
    "a key with other limits": [
        "UPDATE api_keys SET limits = jsonb_build_object('undos_per_day', 9) WHERE name = 'shop'"
    ],
    "a key with other rate limits": ["UPDATE api_keys SET rates = 'read off' WHERE name = 'shop'"],
    "a key with another secret": ["UPDATE api_keys SET hash = sha256('x') WHERE name = 'shop'"],
    "a key that lasts longer": [
        "UPDATE api_keys SET expires_at = now() + interval '9 days' WHERE name = 'shop'"
    ],
    "a key put in": ["INSERT INTO api_keys (hash, name) VALUES (sha256('x'), 'back door')"],
    "a revoked key that lives again": ["UPDATE api_keys SET revoked_at = NULL WHERE name = 'gone'"],
}

FOUND_BY_LEDGER |= {
    "a name": ["UPDATE players SET name = 'Eva', name_key = 'eva' WHERE name = 'Eve'"],
    "where a character is": ["UPDATE players SET x = 8 WHERE name = 'Eve'"],
    "a character that is gone without an action": ["DELETE FROM players WHERE name = 'Eve'"],
    "a deleted character that is there again": [
        """
        INSERT INTO players (id, user_id, name, name_key, class_id)
        SELECT player_id, user_id, name, lower(name), (SELECT id FROM classes)
          FROM deleted_players
        """
    ],
}

OUT_OF_REACH = {
    "what is archived of a deleted character": (
        ["UPDATE deleted_players SET kept = kept || '{{\"spells\": null}}'"],
        "it is compared when it comes back, with what was taken and with the last actions about it",
    ),
    "a password's record": (
        ["UPDATE passwords SET sealed = 'x' WHERE user_id = {user}"],
        "actions contain no secrets; making a record that verifies needs GAMEKEEPER_PASSWORD_KEYS",
    ),
    "a stored reply": (
        ["UPDATE replies SET body = '{{}}'"],
        "it is only sent to a caller that repeats the request, and changes nothing",
    ),
    "a level, a spell or a variable that no action is about": (
        [
            "UPDATE players SET level = 99 WHERE id = {cid}",
            "INSERT INTO player_spells VALUES ({cid}, 0, {spell})",
            "INSERT INTO player_variables VALUES ({cid}, {variable}, '9')",
        ],
        "data imported past the service has no record to compare with",
    ),
}


class Copy(Struct):
    settings: Settings
    world: World

    async def tamper(self, *statements: str) -> None:
        ids = {name: f"'{id_}'" for name, id_ in structs.asdict(self.world).items()}
        connection = await asyncpg.connect(self.settings.database_url)
        try:
            for statement in statements:
                assert (await connection.execute(statement.format(**ids))).split()[-1] != "0"
        finally:
            await connection.close()

    async def proofs(self) -> tuple[ChainReport, Proof]:
        return await verify_chain.find(self.settings), await verify_ledger.verify(self.settings)


@pytest.fixture(scope="module")
async def original(template: str, tmp_path_factory) -> AsyncIterator[Copy]:
    async with cloned(template) as plain:
        settings = anchored(plain, tmp_path_factory.mktemp("anchors"))
        async with Database.open(settings) as database:
            world = await tampered.make(database, settings)
        yield Copy(settings, world)


@pytest.fixture(scope="module")
async def copied(original: Copy) -> AsyncIterator[SharedDatabase]:
    """A copy of the world, which can be made as it was: in a fraction of the time of a new one."""
    async with SharedDatabase.open(name_of(original.settings)) as copied:
        yield copied


@pytest.fixture
async def copy(original: Copy, copied: SharedDatabase) -> AsyncIterator[Copy]:
    url = copied.settings.database_url
    yield Copy(structs.replace(original.settings, database_url=url), original.world)
    await copied.clean()


async def test_what_the_service_did_is_proved(copy):
    report, proof = await copy.proofs()

    assert (report.total, report.unlinked.count, proof.breach) == (0, 0, None)
    assert report.forms.old == 0


@pytest.mark.parametrize("what", FOUND_BY_ACTIONS)
async def test_actions_verify_finds(copy, what):
    await copy.tamper(*FOUND_BY_ACTIONS[what])

    report, _ = await copy.proofs()

    assert report.total >= 1


@pytest.mark.parametrize("what", FOUND_BY_LEDGER)
async def test_ledger_verify_finds(copy, what):
    await copy.tamper(*FOUND_BY_LEDGER[what])

    _, proof = await copy.proofs()

    assert proof.breach is not None


@pytest.mark.parametrize("what", OUT_OF_REACH)
async def test_what_is_out_of_reach_is_said_to_be(copy, what):
    statements, reason = OUT_OF_REACH[what]
    await copy.tamper(*statements)

    report, proof = await copy.proofs()

    assert (report.total, proof.breach) == (0, None)
    page = " ".join((Path(__file__).parents[2] / "docs" / "reliability.md").read_text().split())
    assert f"{what[0].upper()}{what[1:]}: {reason}." in page


async def test_a_chain_made_to_fit_what_was_minted_is_found_by_the_anchors(copy):
    """Digest and hashes worked out anew: only what was signed outside is not."""
    await copy.tamper(minted("items.give", "grant"))
    await _digest_anew(copy.settings)
    await rehash(copy.settings)

    report, proof = await copy.proofs()

    assert proof.breach is None
    assert [breach.kind for breach in report.breaches] == ["rewritten"]


async def _digest_anew(settings: Settings) -> None:
    """What an attacker would do who has read ledger/digests.py."""
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(
        """
        UPDATE chain SET postings = made.digest
          FROM (SELECT action_id, sha256(string_agg(
                    record_send(ROW(player_id, seq, at, xid, action_id, place, inside, slot,
                                    item_id, quantity, against, held_before, held_after,
                                    stat_buffs, bag_id, loss_id)), '' ORDER BY seq)) AS digest
                  FROM postings GROUP BY action_id) AS made
         WHERE made.action_id = chain.action_id
        """
    )
    await connection.close()


def command(settings: Settings, *words: str) -> "subprocess.CompletedProcess[str]":
    return gamekeeper(
        settings,
        *words,
        GAMEKEEPER_ANCHOR_FILE=str(settings.anchor_file),
        GAMEKEEPER_ANCHOR_KEY=str(settings.anchor_key),
    )


async def test_actions_that_nobody_links_are_warned_of(copy):
    await copy.tamper(UNLINKED)

    done = await asyncio.to_thread(command, copy.settings, "actions", "verify")

    assert done.returncode == 3
    assert "WARNING: 300 actions are not linked, the oldest for 0:0" in done.stderr
    assert "no worker is running" in done.stderr
    assert "gamekeeper worker" in done.stderr
    assert "Audit log verified, except for the actions that are not linked yet." in done.stdout


async def test_a_future_transaction_ends_with_exit_code_1(copy):
    await copy.tamper(*FOUND_BY_ACTIONS["an action put in with a future transaction"])

    done = await asyncio.to_thread(command, copy.settings, "actions", "verify")

    assert done.returncode == 1
    assert "a transaction that has not begun yet" in done.stdout


# ── Links of an older version ──


async def relink(settings: Settings, *, old: range) -> None:
    """The same chain as if an older version had made the links of these numbers."""
    connection = await asyncpg.connect(settings.database_url)
    rows = await connection.fetch(
        f"SELECT seq, postings, {COLUMNS} FROM chain JOIN actions ON id = action_id ORDER BY seq"
    )
    last = bytes(32)
    for seq, postings, *action in rows:
        seal = Seal(1, None) if seq in old else Seal(WITH_POSTINGS, postings)
        last = hashed(last, seq, Linked(*action), seal)
        await connection.execute(
            "UPDATE chain SET hash = $2, form = $3, postings = $4 WHERE seq = $1",
            *(seq, last, seal.form, seal.postings),
        )
    await connection.close()


@pytest.fixture
def upgraded(copy: Copy, tmp_path: Path) -> Copy:
    """Without the anchors, which are of the chain as it was."""
    return Copy(structs.replace(copy.settings, anchor_file=str(tmp_path / "new")), copy.world)


async def test_links_of_an_older_version_stay_provable(upgraded):
    await relink(upgraded.settings, old=range(1, 10))

    report, proof = await upgraded.proofs()

    assert (report.total, proof.breach) == (0, None)
    assert (report.forms.old, report.forms.later) == (9, 0)


async def test_what_was_raised_under_a_link_of_an_older_version_is_found_by_its_total(upgraded):
    await relink(upgraded.settings, old=range(1, 1000))
    await upgraded.tamper(
        *FOUND_BY_ACTIONS["the first posting of a gift and all after it raised together"]
    )

    report, _ = await upgraded.proofs()

    [found] = report.breaches
    assert "add up to 11, but it says 4." in found.message


async def test_an_older_worker_beside_a_newer_is_warned_of(upgraded):
    await relink(upgraded.settings, old=range(5, 9))

    report, _ = await upgraded.proofs()
    done = await asyncio.to_thread(command, upgraded.settings, "actions", "verify")

    assert (report.total, report.forms.later, report.forms.first_later) == (0, 4, 5)
    assert done.returncode == 0
    assert "WARNING: 4 links from link 5 on were written by an older version" in done.stderr
