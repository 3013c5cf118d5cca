"""The mutes from before sanctions: the migration makes sanctions of them, each once."""

from importlib import resources

from gamekeeper.sanctions import codes
from tests.make import make_user

MIGRATION = resources.files("gamekeeper.db") / "migrations" / "0031_sanction_templates.sql"


async def test_every_mute_becomes_a_sanction_once(client, database):
    for number in range(20):
        await make_user(database, f"muted{number}")
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE users SET is_muted = true,
                             mute_reason = CASE WHEN name LIKE '%1' THEN 'Spam.' END
            """
        )
    )
    await make_user(database, "free")
    text = MIGRATION.read_text()
    move = text[text.index("DO $$") :]

    for _ in range(2):
        await database.write(lambda writer: writer.run(move))

    rows = await database.reader.rows("SELECT code, message, kind FROM sanctions")
    assert len(rows) == len({row["code"] for row in rows}) == 20
    assert all(codes.parse(row["code"]) == row["code"] for row in rows)
    assert sorted({row["message"] for row in rows}) == ["", "Spam."]
    shown = (await client.get("/api/v1/users/muted1")).json()
    assert (shown["IsMuted"], shown["MuteReason"]) == (True, "Spam.")
    assert (await client.get("/api/v1/users/free")).json()["IsMuted"] is False
