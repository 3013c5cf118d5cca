"""Undoing a change needs the right to make it, besides the right to undo (attack 8)."""

from typing import Any, get_args
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.codes import redemption
from gamekeeper.codes.redemption import Redeem
from gamekeeper.db.database import Database
from gamekeeper.history.undo import bulk, execute, rights
from gamekeeper.history.undo.bulk import Sweep
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.ledger import undoable
from gamekeeper.ledger.actions import Kind
from gamekeeper.ledger.kinds.registry import ACTION_KINDS, UNDOABLE, WHY_NOT
from gamekeeper.players.mailbox import changes
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from tests.codes.mint import make_code
from tests.contract.outcomes import outcome, refusal
from tests.mailbox.post import Post
from tests.make import (
    BY,
    KNIGHT,
    make_item,
    make_mage,
    make_player,
    make_spell,
    make_user,
    make_variable,
)
from tests.security.callers import key_with

OUTRANKED = refusal(403, "outranked", "The account has permissions that you lack.")
UNDO = "actions.undo"


def lacking(role: str) -> tuple[int, Any]:
    return refusal(403, "role_required", f"This needs the role '{role}'.", Role=role)


async def deeds(client, database: Database) -> dict[str, UUID]:
    """All about ana: each kind that can be undone, but undos, guilds, letters and access bans."""
    await make_user(database, "ana", email="ana@example.com")
    await make_player(database, "ana")
    potion, fire = await make_item(database), await make_spell(database)
    karma = await make_variable(database)
    path = "/api/v1/players/ana"
    made = {"do": "items", "itemid": str(potion), "quantity": 1, "to": "ana"}
    await _done(client, f"{path}/items/give", itemid=str(potion), quantity=5)
    at = await database.reader.value("SELECT clock_timestamp()")
    await _done(client, f"{path}/items/take", itemid=str(potion), quantity=2)
    await _done(client, f"{path}/items/restore", at=at.isoformat())
    await _done(client, "/api/v1/transactions", transactions=[{"key": "t", "moves": [made]}])
    banked = made | {"from": "ana", "toplace": "bank"}
    await _done(client, "/api/v1/transactions", transactions=[{"key": "u", "moves": [banked]}])
    await _done(client, f"{path}/spells/teach", spellid=str(fire))
    await _done(client, f"{path}/spells/forget", spellid=str(fire))
    await _done(client, f"{path}/variables/{karma}", value=7)
    await _done(client, f"{path}/level", level=2)
    await _done(client, f"{path}/sheet", x=7)
    await _done(client, f"{path}/class", classid=str(await make_mage(database)))
    bo = {"name": "bo", "classid": str(KNIGHT)}
    await _done(client, "/api/v1/users/ana/players", **bo)
    await _done(client, "/api/v1/players/bo/name", name="cy")
    assert (await client.delete("/api/v1/players/cy")).status_code == 200
    votes = await make_variable(database, owner="user")
    await _done(client, f"/api/v1/users/ana/variables/{votes}", value=7)
    season = await make_variable(database, owner="game")
    await _done(client, f"/api/v1/variables/global/{season}", value=7)
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="a@example.org"))
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", ban=True))
    rows = await database.reader.rows("SELECT kind, id FROM actions ORDER BY at, id")
    return {row["kind"]: row["id"] for row in rows if row["kind"] in UNDOABLE}


async def guild_deeds(client, database: Database) -> dict[str, UUID]:
    """One action of every kind about guilds that can be undone, by others than ana."""
    for name in ("gil", "hal", "ivy"):
        await make_player(database, name)
    potion = await make_item(database, "Elixir")
    await _done(client, "/api/v1/players/ivy/items/give", itemid=str(potion), quantity=1)
    body = {"name": "Owls", "owner": "gil"}
    guild = (await client.post("/api/v1/guilds/create", json=body)).json()["Id"]
    path, score = f"/api/v1/guilds/{guild}", await make_variable(database, owner="guild")
    for name in ("hal", "ivy"):
        await _done(client, f"{path}/members/{name}")
    await _done(client, f"{path}/rank/ivy", rank=1)
    assert (await client.delete(f"{path}/members/hal")).status_code == 200
    moved = {"player": "ivy", "itemid": str(potion), "quantity": 1}
    await _done(client, f"{path}/bank/deposit", **moved)
    await _done(client, f"{path}/bank/withdraw", **moved)
    await _done(client, f"{path}/variables/{score}", value=7)
    await _done(client, f"{path}/name", name="Herons")
    await _done(client, f"{path}/transfer/ivy")
    await _done(client, f"{path}/kick/gil")
    assert (await client.delete(path)).status_code == 200
    rows = await database.reader.rows("SELECT kind, id FROM actions WHERE kind LIKE 'guilds.%'")
    return {row["kind"]: row["id"] for row in rows if row["kind"] in UNDOABLE}


async def mail_deeds(database: Database) -> dict[str, UUID]:
    """Letters that were sent, claimed, deleted, withdrawn and expired."""
    mia, moe = await make_player(database, "mia"), await make_player(database, "moe")
    post = Post(database, mia, moe, await make_item(database))
    claimed, withdrawn, expired = [await post.send(1) for _ in range(3)]
    await post.claim(claimed)
    await changes.delete.one(database, post.command(claimed.id))
    await post.withdraw(withdrawn)
    await post.expire(expired.id, post.bo)
    kinds = [kind for kind in UNDOABLE if kind.startswith("mail.")]
    return {kind: await post.last(kind) for kind in kinds}


async def redeem_deed(database: Database) -> UUID:
    """A code that the account of a new character redeemed."""
    user = await make_user(database)
    await make_player(database, user=user)
    code = await make_code(database, await make_item(database))
    await redemption.redeem.one(database, Redeem(by=BY, user_id=user, hashes=(code,)))
    return await database.reader.value("SELECT id FROM actions WHERE kind = 'codes.redeem'")


async def access_ban_deed(client, database: Database) -> UUID:
    ban = {"device": str(uuid4()), "durationseconds": 60, "reason": "a farm of bots"}
    await _done(client, "/api/v1/access-bans", **ban)
    sql = "SELECT id FROM actions WHERE kind = 'access_bans.impose'"
    return await database.reader.value(sql)


async def _done(client, path: str, **body: object) -> None:
    answer = await client.post(path, json=body)
    assert answer.status_code == 200, answer.text


async def undone(client, action: UUID | str, headers: dict[str, str], **body: object) -> Any:
    return outcome(await client.post(f"/api/v1/actions/{action}/undo", json=body, headers=headers))


async def counts(database: Database) -> int:
    return await database.reader.value("SELECT count(*) FROM actions")


def test_every_kind_that_can_be_undone_says_what_it_needs():
    assert {"undo", *rights.SCOPES} == UNDOABLE
    assert all(rights.SCOPES.values())
    assert SCOPES.keys() > rights.ALL
    assert UNDOABLE.isdisjoint(WHY_NOT)
    assert {*get_args(Kind)} > UNDOABLE


async def test_each_kind_needs_each_of_its_scopes_and_a_dry_run_too(client, database):
    known = await deeds(client, database) | await guild_deeds(client, database)
    known["access_bans.impose"] = await access_ban_deed(client, database)
    known |= await mail_deeds(database)
    known["codes.redeem"] = await redeem_deed(database)
    assert known.keys() == rights.SCOPES.keys()
    before = await counts(database)
    for kind, scopes in rights.SCOPES.items():
        for scope in scopes:
            all_but_one = await key_with(database, *(name for name in SCOPES if name != scope))
            for dry_run in (True, False):
                for partial in (True, False):
                    answer = await undone(
                        client, known[kind], all_but_one, dryrun=dry_run, partial=partial
                    )
                    assert answer == lacking(scope), kind
    made = sum(len(scopes) for scopes in rights.SCOPES.values())
    assert await counts(database) == before + made, "only the keys were made"


async def test_with_its_scopes_each_kind_is_undone_and_redone(client, database):
    """Powers in the game excepted, which no list of scopes contains."""
    known = await deeds(client, database)
    owned = ("users.variable", "game.variable")
    for kind in (*owned, "variables.set", "spells.forget", "spells.teach", "items.exchange"):
        headers = await key_with(database, UNDO, *rights.SCOPES[kind])
        status, answer = await undone(client, known[kind], headers)
        assert status == 200, answer
        bare = await key_with(database, UNDO)
        assert await undone(client, answer["Id"], bare) == lacking(min(rights.SCOPES[kind]))
        status, again = await undone(client, answer["Id"], headers)
        assert status == 200, again
        assert (await undone(client, again["Id"], bare))[0] == 403
        status, last = await undone(client, again["Id"], headers)
        assert status == 200, last


async def test_the_right_to_undo_gives_no_powers_back(client, database):
    """As it was attacked: a fired manager, whose powers an undo brought back."""
    await make_user(database, "fired")
    everything = dict.fromkeys(("api", "user_query", "user_management"), True)
    await accounts.empower.one(database, PowersChange(by=BY, user="fired", **everything))
    taken = dict.fromkeys(everything, False)
    await accounts.empower.one(database, PowersChange(by=BY, user="fired", **taken))
    action = await database.reader.value(
        "SELECT id FROM actions WHERE kind = 'users.powers' ORDER BY at DESC, id DESC LIMIT 1"
    )

    assert await undone(client, action, await key_with(database, UNDO)) == lacking("users.manage")
    managing = await key_with(database, UNDO, "users.query", "users.manage")
    assert await undone(client, action, managing) == OUTRANKED
    players = [scope for scope in SCOPES if scope.startswith("players.")]
    as_high = await key_with(database, UNDO, "users.query", "users.manage", *players)
    assert (await undone(client, action, as_high))[0] == 200


@pytest.mark.parametrize("power", accounts.POWERS)
async def test_an_account_above_keeps_its_address(client, database, power):
    await make_user(database, "boss", email="boss@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="boss", email="b@example.org"))
    await accounts.empower.one(database, PowersChange(by=BY, user="boss", **{power: True}))
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'users.email'")
    headers = await key_with(database, UNDO, "users.query", "users.manage")

    answer = await undone(client, action, headers)

    held = power in ("user_query", "user_management")
    assert answer == OUTRANKED if not held else answer[0] == 200


async def test_in_bulk_what_may_not_be_undone_is_listed_and_the_rest_is_undone(client, database):
    known = await deeds(client, database)
    wanted = {"actor": "system", "from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"}
    headers = await key_with(database, UNDO, "users.query", "users.manage")
    for dry_run in (True, False):
        answer = await client.post(
            "/api/v1/actions/undo", json=wanted | {"dryrun": dry_run}, headers=headers
        )
        assert answer.status_code == 200
        left = {entry["Id"]: entry["Code"] for entry in answer.json()["Left"]}
        assert left[str(known["users.powers"])] == "outranked"
        assert left[str(known["users.email"])] == "outranked"
    by_key = wanted | {"actor": await _actor(database)}
    answer = await client.post("/api/v1/actions/undo", json=by_key, headers=headers)
    left = {entry["Id"]: entry["Code"] for entry in answer.json()["Left"]}
    assert left == {
        str(action): "role_required"
        for kind, action in known.items()
        if kind not in ("users.email", "users.powers")
    }
    headers = await key_with(database, UNDO, "players.variables")
    answer = await client.post("/api/v1/actions/undo", json=by_key, headers=headers)
    tallies = {tally["Kind"]: tally for tally in answer.json()["Kinds"]}
    assert tallies["variables.set"]["Undone"] == 1
    assert tallies["items.give"]["Left"] == 1


async def test_by_player_or_account_the_same_scopes_apply_and_hide_the_items(client, database):
    known = await deeds(client, database)
    owner = await database.reader.value(
        "SELECT users.name FROM users JOIN players ON user_id = users.id WHERE players.name = 'ana'"
    )
    taken = str(known["items.take"])
    bare, able = [await key_with(database, UNDO, *more) for more in ((), ("players.items",))]
    span = {"from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z", "dryrun": True}
    for whose in ({"player": "ana"}, {"user": owner}):
        answers = [
            await client.post("/api/v1/actions/undo", json=span | whose, headers=headers)
            for headers in (bare, able)
        ]
        refused, allowed = (answer.json() for answer in answers)
        assert {entry["Id"]: entry["Code"] for entry in refused["Left"]} == {
            taken: "role_required",
            str(known["spells.forget"]): "role_required",
        }
        assert refused["Recipients"] == []
        assert taken not in {
            entry["Id"] for entry in allowed["Left"] if entry["Code"] == "role_required"
        }
        assert [entry["PlayerId"] for entry in allowed["Recipients"]] == [None]
    none = await key_with(database, "players.items")
    answer = await client.post("/api/v1/actions/undo", json=span | {"player": "ana"}, headers=none)
    assert outcome(answer) == lacking(UNDO)


@pytest.mark.parametrize("key", ["player", "user"])
async def test_in_bulk_by_character_each_scope_alone_undoes_its_own_kinds(client, database, key):
    """With one scope besides the right to undo, every change of the character is asked for."""
    known = {str(action): kind for kind, action in (await deeds(client, database)).items()}
    owner = await database.reader.value("SELECT user_id FROM players WHERE name = 'ana'")
    wanted = {
        "from": "2020-01-01T00:00:00Z",
        "to": "2100-01-01T00:00:00Z",
        "what": "all",
        "dryrun": True,
        key: "ana" if key == "player" else str(owner),
    }
    for scope in sorted(SCOPES):
        headers = await key_with(database, UNDO, scope)
        answer = (await client.post("/api/v1/actions/undo", json=wanted, headers=headers)).json()
        asked = {tally["Kind"] for tally in answer["Kinds"]}
        refused = {known[one["Id"]] for one in answer["Left"] if one["Code"] == "role_required"}
        assert refused == {kind for kind in asked if not rights.SCOPES[kind] <= {UNDO, scope}}
        assert asked > {"items.give", "spells.teach", "variables.set", "players.progress"}
        # An obstacle names other characters: only for those who may undo the change.
        hidden = [one for one in answer["Left"] if one["Code"] == "role_required"]
        assert [one["InTheWay"] for one in hidden] == [[]] * len(hidden)
        if scope != "players.items":
            assert all(recipient["Items"] == [] for recipient in answer["Recipients"])


async def _actor(database: Database) -> str:
    return await database.reader.value("SELECT actor FROM actions WHERE kind = 'items.give'")


async def test_undos_of_one_action_all_need_what_it_needed(client, database):
    """Two redos hang on one undo; each leads to the change that was made first."""
    known = await deeds(client, database)
    bare = Principal(id="key:1", name="bare", scopes=frozenset({UNDO}))
    action, redos = known["variables.set"], []
    for _ in range(2):
        undo = await execute.undo.one(database, Undoing(by=BY, action_id=action))
        redos.append(await execute.undo.one(database, Undoing(by=BY, action_id=undo.id)))
        action = redos[-1].id

    answers = await execute.undo.preview(
        database, [Undoing(by=BY, action_id=redo.id, caller=bare) for redo in redos]
    )

    assert [answer.code for answer in answers] == ["role_required"] * 2


async def test_what_an_undo_undid_is_gone_then_it_needs_all(client, database):
    known = await deeds(client, database)
    undo = await execute.undo.one(database, Undoing(by=BY, action_id=known["variables.set"]))
    await database.write(
        lambda writer: writer.run("DELETE FROM actions WHERE id = $1", known["variables.set"])
    )

    headers = await key_with(database, UNDO, "players.variables")
    assert (await undone(client, undo.id, headers))[0] == 403
    assert (await undone(client, undo.id, {}))[0] == 200


async def test_what_an_undo_undid_is_gone_then_its_states_say_how_to_redo_it(client, database):
    known = await deeds(client, database)
    undone = {}
    for kind in ("items.give", "spells.forget", "variables.set", "users.variable", "users.email"):
        outcome = await execute.undo.one(
            database, Undoing(by=BY, action_id=known[kind], partial=True)
        )
        undone[kind] = await undoable.read(database.reader, [outcome.id])
    await database.write(
        lambda writer: writer.run("DELETE FROM actions WHERE id = ANY($1)", [*known.values()])
    )

    for kind, before in undone.items():
        [orphan] = (await undoable.read(database.reader, list(before))).values()
        assert orphan.root_kind is None
        assert orphan.handler == ACTION_KINDS[kind].undo.handler == before[orphan.id].handler
        await execute.undo.one(database, Undoing(by=BY, action_id=orphan.id, partial=True))


async def test_the_command_line_undoes_everything(client, database):
    known = await deeds(client, database)
    late = await database.reader.value("SELECT clock_timestamp()")
    early = late.replace(year=late.year - 1)

    swept = await bulk.sweep(
        database, Sweep(by=BY, actor="system", since=early, until=late), dry_run=True
    )

    undone = {tally.kind: tally.undone for tally in swept.kinds}
    assert undone["users.powers"] == undone["users.email"] == 1
    assert known["users.powers"] not in {entry.id for entry in swept.left}
