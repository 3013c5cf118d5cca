"""`gamekeeper openid`: clients of the OpenID provider."""

import json

from msgspec import structs

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.provider import client_records
from tests.cli.command import gamekeeper

ISSUER = {"GAMEKEEPER_OPENID_ISSUER": "https://play.example.org"}
CALLBACK = "https://forum.example.org/auth/oidc/callback"


async def test_a_client_is_created_rotated_and_deleted(settings: Settings, database: Database):
    words = ["create", "Forum", "--redirect-uri", CALLBACK, "--trusted", "--json"]

    made = json.loads(gamekeeper(settings, "openid", *words, **ISSUER).stdout)

    assert made["issuer"] == "https://play.example.org"
    found = await client_records.registered(database.reader, made["client_id"])
    assert found
    assert found.knows(made["client_secret"])
    assert (found.requires_pkce, found.asks_consent) == (True, False)
    listed = gamekeeper(settings, "openid", "list")
    assert "Forum" in listed.stdout
    assert made["client_secret"] not in listed.stdout
    rotated = gamekeeper(settings, "openid", "rotate", made["client_id"], "--json")
    renewed = await client_records.registered(database.reader, made["client_id"])
    assert renewed
    assert renewed.knows(json.loads(rotated.stdout)["client_secret"])
    assert not renewed.knows(made["client_secret"])
    assert gamekeeper(settings, "openid", "sign-out", made["client_id"]).returncode == 0
    gone = gamekeeper(settings, "openid", "delete", made["client_id"])
    assert "Deleted Forum" in gone.stdout
    rows = await database.reader.rows(
        "SELECT kind, after::text FROM actions WHERE kind LIKE 'openid.%' ORDER BY at, id"
    )
    assert [row["kind"] for row in rows] == [
        "openid.create",
        "openid.change",
        "openid.change",
        "openid.remove",
    ]
    assert not any("gkox_" in (row["after"] or "") for row in rows)


async def test_a_client_is_changed(settings: Settings, database: Database):
    words = ["create", "Forum", "--redirect-uri", CALLBACK, "--scope", "profile", "--json"]
    made = json.loads(gamekeeper(settings, "openid", *words, **ISSUER).stdout)
    before = await client_records.find_client(database.reader, made["client_id"])
    other = "https://forum.example.org/other"

    words = ["--name", "Board", "--redirect-uri", other, "--without-pkce", "--trusted"]
    done = gamekeeper(settings, "openid", "change", before.id, *words)

    assert "Changed Board" in done.stdout, done.stderr
    after = await client_records.find_client(database.reader, before.id)
    assert after == structs.replace(
        before, name="Board", redirect_uris=[other], requires_pkce=False, asks_consent=False
    )
    words = ["--pkce", "--asks-consent", "--admits-banned", "--scope", "roles"]
    gamekeeper(settings, "openid", "change", before.id, *words)
    again = await client_records.find_client(database.reader, before.id)
    assert again == structs.replace(
        after, requires_pkce=True, asks_consent=True, admits_banned=True, scopes=["openid", "roles"]
    )
    unknown = gamekeeper(settings, "openid", "change", "nobody", "--name", "Board")
    assert "No OpenID client has this id." in unknown.stderr


def test_a_client_needs_an_issuer(settings: Settings):
    refused = gamekeeper(settings, "openid", "create", "Forum", "--redirect-uri", CALLBACK)
    assert refused.returncode != 0
    assert "GAMEKEEPER_OPENID_ISSUER" in refused.stderr


def test_a_public_client_keeps_consent(settings: Settings):
    words = ["create", "Launcher", "--redirect-uri", "http://127.0.0.1/cb", "--public", "--trusted"]
    refused = gamekeeper(settings, "openid", *words, **ISSUER)
    assert refused.returncode != 0
    assert "public client" in refused.stderr
