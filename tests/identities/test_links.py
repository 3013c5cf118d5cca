"""An identity has one account, by codes that are used once, and can be unlinked again."""

import asyncio
import json
import os
import random
from uuid import uuid4

import pytest
from msgspec import structs

from gamekeeper.auth import keys, tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import sign_in_sources
from gamekeeper.core.settings import Hidden
from gamekeeper.db import retention
from gamekeeper.db.database import Database
from gamekeeper.sanctions.in_force import banned_accounts
from gamekeeper.users import erasure, passwords, resets, verified_emails
from gamekeeper.users.erasure import Erasure
from gamekeeper.users.identities import codes, flows, links
from gamekeeper.users.identities.codes import CodeOwner, CodeUse
from gamekeeper.users.identities.links import IdentityLink, Unlink
from gamekeeper.users.identities.records import (
    IdentityNotFound,
    IdentityTaken,
    IssuerAlreadyLinked,
    LinkedIdentity,
)
from gamekeeper.users.passwords import WrongPassword
from tests.identities.people import (
    ANA_AT_DISCORD,
    BO_AT_DISCORD,
    PASSWORD,
    Bot,
    Player,
    good,
    refused,
)
from tests.in_process import in_process
from tests.make import BY, make_user, proved, sha
from tests.moderation.rows import make_sanction
from tests.security.callers import key_with

TIMES = int(os.environ.get("IDENTITY_CHANGES", "600"))
"""10,000 at full size."""
IDENTITIES = 100 if TIMES >= 10_000 else 12


@pytest.fixture
async def ana(client, database) -> Player:
    return await Player.make(client, database, "ana")


@pytest.fixture
async def bo(client, database) -> Player:
    return await Player.make(client, database, "bo")


@pytest.fixture
async def bot(client, database) -> Bot:
    return await Bot.make(client, database)


async def test_a_code_of_the_account_links_the_identity_that_uses_it(ana, bot):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    assert (linked["Issuer"], linked["Subject"]) == ("discord", ANA_AT_DISCORD["subject"])
    assert linked["DisplayName"] == "Ana"
    assert await ana.identities() == [linked]


async def test_a_code_of_the_identity_links_the_account_that_uses_it(ana, bot):
    code = await bot.code(ANA_AT_DISCORD)
    # In any letter case, and without hyphens.
    linked = good(await ana.type_code(code.lower().replace("-", "")))
    assert await ana.identities() == [linked]


async def test_a_code_is_used_once(ana, bo, bot):
    code = await bot.code(ANA_AT_DISCORD)
    good(await ana.type_code(code))
    assert refused(await ana.type_code(code)) == (404, "unknown_link_code")
    assert refused(await bo.type_code(code)) == (404, "unknown_link_code")
    own = await bo.code()
    good(await bot.type_code(own, BO_AT_DISCORD))
    third = ANA_AT_DISCORD | {"subject": "80351110224678914"}
    assert refused(await bot.type_code(own, third)) == (404, "unknown_link_code")


async def test_of_twenty_uses_of_a_code_at_once_one_links(client, database, bot):
    code = await bot.code(ANA_AT_DISCORD)
    players = [await Player.make(client, database, f"player{number}") for number in range(20)]
    server = await key_with(
        database,
        "users.query",
        "identities.manage",
        "players.read",
        "players.items",
        "players.variables",
        "players.spells",
    )
    answers = await asyncio.gather(
        *(
            client.post(
                f"/api/v1/users/{each.name}/identities/link", json={"code": code}, headers=server
            )
            for each in players
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 19
    assert await database.reader.value("SELECT count(*) FROM identities") == 1


async def test_a_code_expires_and_a_new_one_replaces_it(ana, bot, database):
    first = await ana.code()
    second = await ana.code()
    assert refused(await bot.type_code(first, ANA_AT_DISCORD)) == (404, "unknown_link_code")
    await database.write(lambda writer: writer.run("UPDATE link_codes SET expires_at = now()"))
    assert refused(await bot.type_code(second, ANA_AT_DISCORD)) == (404, "unknown_link_code")
    assert await ana.identities() == []


async def test_codes_are_not_stored(ana, database):
    code = (await ana.code()).replace("-", "")
    stored = await database.reader.rows("SELECT to_jsonb(link_codes) AS row FROM link_codes")
    log = await database.reader.rows("SELECT to_jsonb(actions) AS row FROM actions")
    assert stored
    assert code not in f"{stored}{log}"
    assert len(code) >= 8


async def test_wrong_codes_are_limited(ana, bot):
    right = await bot.code(ANA_AT_DISCORD)
    answers = [await ana.type_code("0000-0000-00") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [404] * 10 + [429]
    assert (await ana.type_code(right)).status_code == 429


async def test_a_stolen_token_alone_adds_no_way_in(ana, bot):
    code = await bot.code(ANA_AT_DISCORD)
    assert refused(await ana.call("POST", "/codes", password="")) == (400, "invalid_password_hash")
    wrong = await ana.call("POST", "/codes", password=sha("another password"))
    assert refused(wrong) == (403, "invalid_credentials")
    unproven = await ana.type_code(code, password=sha("another password"))
    assert refused(unproven) == (403, "invalid_credentials")
    assert await ana.identities() == []


async def test_an_identity_of_another_account_is_a_conflict_and_names_nobody(ana, bo, bot):
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    code = await bo.code()
    answer = await bot.type_code(code, ANA_AT_DISCORD)
    assert refused(answer) == (409, "identity_taken")
    assert "ana" not in answer.text.lower()
    assert await bo.identities() == []
    # The code is not used up: the person may have chosen the wrong account there.
    good(await bot.type_code(code, BO_AT_DISCORD))
    assert refused(await bot.type_code(await bo.code(), ANA_AT_DISCORD)) == (
        409,
        "issuer_already_linked",
    )


async def test_the_same_link_again_changes_nothing(ana, bot, database):
    first = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    assert good(await bot.type_code(await ana.code(), ANA_AT_DISCORD)) == first
    linked = "SELECT count(*) FROM actions WHERE kind = 'identities.link'"
    assert await database.reader.value(linked) == 1


@pytest.mark.parametrize(
    ("issuer", "subject"),
    [
        ("discord", "ana"),
        ("discord", "1" * 30),
        ("steam", "76561"),
        ("steam", "7656119800000000٣"),
        ("http://login.example", "1"),
        ("google", "1"),
        ("https://login.example", ""),
        ("https://login.example", "a b"),
        ("https://login.example", "x" * 256),
    ],
)
async def test_what_no_issuer_gives_is_not_an_identity(bot, issuer, subject):
    answer = await bot.post("/codes", issuer=issuer, subject=subject)
    assert refused(answer) == (400, "invalid_identity")


async def test_unlinking_ends_the_sign_ins_and_keeps_a_record(ana, bot, client, database):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    by_identity = await tokens.issue.one(database, await proved(database, ana.user))
    await database.write(
        lambda writer: writer.run(
            "UPDATE token_families SET identity_id = $1 WHERE id = $2",
            linked["Id"],
            by_identity.family_id,
        )
    )
    assert good(await ana.call("DELETE", f"/{linked['Id']}")) == linked
    assert await ana.identities() == []
    ended = "SELECT id FROM token_families WHERE revoked_at IS NOT NULL"
    assert await database.reader.value(ended) == by_identity.family_id
    shown = good(await client.get("/api/v1/users/ana/identities"))
    assert shown["Values"] == []
    assert [former["Subject"] for former in shown["Former"]] == [ANA_AT_DISCORD["subject"]]
    assert refused(await ana.call("DELETE", f"/{linked['Id']}")) == (404, "identity_not_found")
    # By another account, too.
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))


async def test_nobody_unlinks_an_identity_of_another(ana, bo, bot):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    assert refused(await bo.call("DELETE", f"/{linked['Id']}")) == (404, "identity_not_found")
    assert await ana.identities() == [linked]


STEAM = {"issuer": "steam", "subject": "76561197960287930"}
SOURCES = '[{"kind": "discord", "client_id": "x", "client_secret": "x"}, {"kind": "steam"}]'


async def test_the_last_way_to_sign_in_stays(settings, database):
    configured = structs.replace(
        settings, sign_in_sources=Hidden(SOURCES), link_code_issuers="discord, steam"
    )
    async with in_process(configured) as client:
        ana, bot = await Player.make(client, database, "ana"), await Bot.make(client, database)
        linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
        other = good(await bot.type_code(await ana.code(), STEAM))
        await database.write(lambda writer: writer.run("DELETE FROM passwords"))
        good(await ana.call("DELETE", f"/{linked['Id']}"))
        path = f"/api/v1/users/ana/identities/{other['Id']}"
        key = await keys.create.one(database, keys.NewKey(by=BY, name="staff"))
        staff = {"Authorization": f"Bearer {key}"}
        assert refused(await ana.call("DELETE", f"/{other['Id']}")) == (409, "last_sign_in_method")
        assert refused(await client.delete(path, headers=staff)) == (409, "last_sign_in_method")
        assert await ana.identities() == [other]


async def test_an_identity_of_a_source_that_is_not_configured_is_no_way_to_sign_in(
    ana, bot, database
):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    await link_directly(database, ana, STEAM["issuer"], STEAM["subject"])
    await database.write(lambda writer: writer.run("DELETE FROM passwords"))
    assert refused(await ana.call("DELETE", f"/{linked['Id']}")) == (409, "last_sign_in_method")


@pytest.mark.parametrize(
    ("issuer", "is_there"),
    [
        ("discord", True),
        ("steam", False),
        ("https://accounts.google.com", True),
        ("https://accounts.google.com/", False),
        ("https://login.microsoftonline.com/9188040d/v2.0", True),
        ("https://login.microsoftonline.com/9188040d/v1.0", False),
    ],
)
def test_an_issuer_has_a_source_if_one_proves_its_identities(issuer, is_there):
    oidc = {"kind": "oidc", "label": "", "client_id": "x", "client_secret": "x"}
    tenants = "https://login.microsoftonline.com/{tenantid}/v2.0"
    configured = sign_in_sources.parse(
        json.dumps(
            [
                {"kind": "discord", "client_id": "x", "client_secret": "x"},
                oidc | {"name": "google", "issuer": "https://accounts.google.com"},
                oidc | {"name": "microsoft", "issuer": tenants},
            ]
        )
    )
    assert sign_in_sources.has_issuer(configured, issuer) == is_there


async def test_an_identity_does_not_carry_a_banned_person_to_another_account(
    ana, bo, bot, database
):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    good(await ana.call("DELETE", f"/{linked['Id']}"))
    await make_sanction(database, user_id=ana.user)
    assert await banned_accounts(database.reader, [ana.user]) == {ana.user}
    answer = await bot.type_code(await bo.code(), ANA_AT_DISCORD)
    assert refused(answer) == (409, "identity_of_banned_account")


async def test_nor_by_a_third_account_that_had_it_meanwhile(ana, bo, bot, client, database):
    for player in (ana, bo):
        linked = good(await bot.type_code(await player.code(), ANA_AT_DISCORD))
        good(await player.call("DELETE", f"/{linked['Id']}"))
    await make_sanction(database, user_id=ana.user)
    cy = await Player.make(client, database, "cy")
    answer = await bot.type_code(await cy.code(), ANA_AT_DISCORD)
    assert refused(answer) == (409, "identity_of_banned_account")
    # The banned person may link it with the same account again.
    made = await link_directly(database, ana, "discord", ANA_AT_DISCORD["subject"])
    assert made.subject == ANA_AT_DISCORD["subject"]


async def test_an_erasure_is_no_way_around_a_ban(ana, bo, bot, database):
    """Of identities that the account has, and of those that it had."""
    linked = good(await bot.type_code(await ana.code(), BO_AT_DISCORD))
    good(await ana.call("DELETE", f"/{linked['Id']}"))
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    ban = await make_sanction(database, user_id=ana.user)
    await erase(database, ana)
    for identity in (ANA_AT_DISCORD, BO_AT_DISCORD):
        answer = await bot.type_code(await bo.code(), identity)
        assert refused(answer) == (409, "identity_of_banned_account")
        answer = await bo.type_code(await bot.code(identity))
        assert refused(answer) == (409, "identity_of_banned_account")
    await retention.sweep(database, asyncio.Event())
    assert await database.reader.value("SELECT count(*) FROM erased_identities") == 2
    # With the ban ends what was kept for it.
    lifted = """
        UPDATE sanctions SET lifted_at = now(), lifted_by = 'system', lifted_by_name = 'tests'
         WHERE id = $1
    """
    await database.write(lambda writer: writer.run(lifted, ban))
    good(await bot.type_code(await bo.code(), ANA_AT_DISCORD))
    await retention.sweep(database, asyncio.Event())
    assert await database.reader.value("SELECT count(*) FROM erased_identities") == 0


async def test_an_erasure_of_an_account_without_sanctions_keeps_no_trace(ana, bot, database):
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    await erase(database, ana)
    assert await database.reader.value("SELECT count(*) FROM erased_identities") == 0


async def test_staff_link_by_code_and_unlink(ana, bot, client, database):
    code = await bot.code(ANA_AT_DISCORD)
    linked = good(await client.post("/api/v1/users/ana/identities/link", json={"code": code}))
    assert good(await client.get("/api/v1/users/ana/identities"))["Values"] == [linked]
    good(await client.delete(f"/api/v1/users/ana/identities/{linked['Id']}"))
    own = good(await client.post("/api/v1/users/ana/identities/codes"))["Code"]
    good(await bot.type_code(own, ANA_AT_DISCORD))
    kinds = await database.reader.rows(
        "SELECT kind FROM actions WHERE user_id = $1 ORDER BY id", ana.user
    )
    assert [row["kind"] for row in kinds] == [
        *("identities.link", "identities.unlink", "identities.code", "identities.link")
    ]


async def test_who_manages_identities_takes_over_no_account_with_more_permissions(
    client, bot, database
):
    await make_user(database, "chief", api=True, user_management=True)
    headers = await key_with(database, "users.query", "identities.manage")
    body = {"code": await bot.code(ANA_AT_DISCORD)}
    for answer in (
        await client.post("/api/v1/users/chief/identities/link", json=body, headers=headers),
        await client.post("/api/v1/users/chief/identities/codes", headers=headers),
    ):
        assert refused(answer) == (403, "outranked")
    assert await database.reader.value("SELECT count(*) FROM identities") == 0


async def test_the_bot_can_only_link_by_codes(bot, ana):
    for method, path in (
        ("GET", "/api/v1/users/ana/identities"),
        ("POST", "/api/v1/users/ana/identities/codes"),
        ("POST", "/api/v1/users/ana/identities/link"),
        ("DELETE", f"/api/v1/users/ana/identities/{uuid4()}"),
    ):
        answer = await bot.client.request(method, path, json={}, headers=bot.headers)
        assert answer.status_code == 403


async def test_the_first_proof_of_an_address_drops_identities_linked_before(
    ana, bot, database, settings
):
    """A trojan identifier: the owner of the address did not link them."""
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    await reset(database, ana.user)
    assert await database.reader.value("SELECT count(*) FROM identities") == 0
    assert await database.reader.value("SELECT count(*) FROM former_identities") == 1
    # What is linked after the proof stays at the next reset.
    order = IdentityLink(
        by=BY, user_id=ana.user, issuer="discord", subject=ANA_AT_DISCORD["subject"]
    )
    await links.link.one(database, order)
    await reset(database, ana.user)
    assert await database.reader.value("SELECT count(*) FROM identities") == 1


async def test_a_reset_drops_identities_though_the_address_was_verified_by_a_click(
    ana, bot, database
):
    """A stranger registered with the address; its owner clicked the link of the mail."""
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    await database.write(lambda writer: verified_emails.record(writer, {ana.user: "mail"}))
    await link_directly(database, ana, STEAM["issuer"], STEAM["subject"])
    await reset(database, ana.user)
    assert await database.reader.value("SELECT count(*) FROM identities") == 0
    assert await database.reader.value("SELECT count(*) FROM former_identities") == 2


async def link_directly(database, player: Player, issuer: str, subject: str) -> LinkedIdentity:
    order = IdentityLink(by=BY, user_id=player.user, issuer=issuer, subject=subject)
    return await links.link.one(database, order)


async def test_a_new_password_voids_codes(ana, bot, client):
    code = await ana.code()
    await new_password(client)
    assert refused(await bot.type_code(code, ANA_AT_DISCORD)) == (404, "unknown_link_code")


async def test_a_password_that_was_replaced_after_its_check_adds_no_way_in(
    ana, bot, client, database
):
    """The check takes a while, and is a transaction of its own."""
    vault = Vault(database.settings)
    secret = bytes.fromhex(sha(PASSWORD))
    proven = await passwords.prove_or_refuse(database, vault, "ana", secret, source="address:x")
    code = await bot.code(ANA_AT_DISCORD)
    await new_password(client)
    mine = CodeOwner(user_id=ana.user)
    with pytest.raises(WrongPassword):
        await codes.create(database, vault, BY, mine, proven=proven)
    use = CodeUse(by=BY, hashes=(), used_for=mine, proven=proven)
    with pytest.raises(WrongPassword):
        await codes.use(database, vault, code, codes.source_client("x"), use)
    returns = structs.replace(database.settings, sign_in_returns="https://game.example/")
    async with Database.open(returns) as own:
        with pytest.raises(WrongPassword):
            await flows.start(own, "discord", "https://game.example/", proven)
    for table in ("identities", "identity_flows"):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == 0


async def new_password(client) -> None:
    body = {"new": sha("a brand new password"), "authorization": sha(PASSWORD)}
    answer = await client.post("/api/v1/users/ana/password/change", json=body)
    assert answer.status_code == 200, answer.text


async def test_link_codes_are_limited(ana, bot):
    for ask in (
        lambda: bot.post("/codes", **ANA_AT_DISCORD),
        lambda: ana.call("POST", "/codes", password=sha(PASSWORD)),
    ):
        answers = [await ask() for _ in range(11)]
        assert [answer.status_code for answer in answers] == [200] * 10 + [429]


async def test_a_bot_names_only_identities_of_the_issuers_that_it_can_know(bot, ana):
    """Discord, unless the operator says more: its key must not link a stranger's Google account."""
    code = await ana.code()
    for other in (STEAM, {"issuer": "https://accounts.google.com", "subject": "1"}):
        assert refused(await bot.post("/codes", **other)) == (400, "invalid_identity")
        assert refused(await bot.type_code(code, other)) == (400, "invalid_identity")
    good(await bot.type_code(code, ANA_AT_DISCORD))


async def test_links_and_unlinks_leave_one_record(ana, bot, client):
    for _ in range(3):
        linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
        good(await ana.call("DELETE", f"/{linked['Id']}"))
    [former] = good(await client.get("/api/v1/users/ana/identities"))["Former"]
    assert former["LinkedAt"] == linked["LinkedAt"]


async def reset(database, user) -> None:
    """A password reset that was mailed and completed."""
    request = resets.Reset(user_id=user, id=uuid4())
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO password_resets (user_id, id, expires_at)
            VALUES ($1, $2, now() + interval '30 minutes')
            """,
            user,
            request.id,
        )
    )
    token = resets.link_token(Vault(database.settings), request)
    new = bytes.fromhex(sha(f"a new password {request.id}"))
    await resets.complete_by_link(database, Vault(database.settings), token, new, BY)


async def test_an_erasure_deletes_identities_and_their_records(ana, bot, database):
    linked = good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    good(await ana.call("DELETE", f"/{linked['Id']}"))
    good(await bot.type_code(await ana.code(), ANA_AT_DISCORD))
    await ana.code()
    await erase(database, ana)
    for table in ("identities", "former_identities", "link_codes"):
        assert await database.reader.value(f"SELECT count(*) FROM {table}") == 0
    log = await database.reader.rows(
        "SELECT to_jsonb(actions) AS row FROM actions WHERE kind LIKE 'identities.%'"
    )
    assert log
    assert ANA_AT_DISCORD["subject"] not in str(log)


async def erase(database, player: Player) -> None:
    order = Erasure(by=BY, user=str(player.user))
    await erasure.erase(Vault(database.settings)).one(database, order)


@pytest.mark.torture
async def test_links_and_unlinks_at_once_never_give_an_identity_two_accounts(database):
    users = [await make_user(database, f"user{number}", password=PASSWORD) for number in range(16)]
    chance = random.Random(7)
    turns = asyncio.Semaphore(32)
    taken = 0

    async def change() -> None:
        nonlocal taken
        user, subject = chance.choice(users), str(10**16 + chance.randrange(IDENTITIES))
        async with turns:
            try:
                made: LinkedIdentity = await links.link.one(
                    database, IdentityLink(by=BY, user_id=user, issuer="discord", subject=subject)
                )
                # One row at any moment, seen by another connection.
                assert await database.reader.value(OWNERS, subject) <= 1
                await links.unlink.one(database, Unlink(by=BY, user_id=user, identity_id=made.id))
            except IdentityTaken:
                taken += 1
            except (IssuerAlreadyLinked, IdentityNotFound):
                pass

    await asyncio.gather(*(change() for _ in range(TIMES)))
    assert taken
    assert await database.reader.value("SELECT count(*) FROM identities") == 0


OWNERS = "SELECT count(*) FROM identities WHERE issuer = 'discord' AND subject = $1"
