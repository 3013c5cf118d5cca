"""The commands about the chat log."""

import json
from uuid import uuid4

from gamekeeper.db.database import Database
from tests.cli.command import gamekeeper
from tests.make import make_player


async def _say(database: Database, player, channel: str, message: str, target=None) -> None:
    sql = """
        INSERT INTO chat_messages (id, said_at, server_id, player_id, user_id, channel, message,
                                   target_id)
        SELECT $1, now(), $1, id, user_id, $3, $4, $5 FROM players WHERE id = $2
    """
    await database.write(lambda writer: writer.run(sql, uuid4(), player, channel, message, target))


async def test_chat_is_listed_and_private_messages_need_a_reason(database, settings):
    ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
    await _say(database, ana, "global", "Selling a\x1b[2J hammer")
    await _say(database, bo, "pm", "meet me", ana)

    listed = gamekeeper(settings, "chat", "list", "--search", "HAMMER", "--player", "ana")
    whole = gamekeeper(settings, "chat", "list", "--at", "now", "--json")
    refused = gamekeeper(settings, "chat", "private", "--player", "ana")
    wrong = gamekeeper(settings, "chat", "list", "--channel", "pm")
    reason = ["--reason", "report 812", "--as", "ines"]
    read = gamekeeper(settings, "chat", "private", "--player", "ana", *reason)

    assert "hammer" in listed.stdout
    assert "\x1b" not in listed.stdout
    assert [line["PlayerName"] for line in json.loads(whole.stdout)["Values"]] == ["Ana"]
    assert (refused.returncode, wrong.returncode) == (1, 2)
    assert "Reading private messages needs a reason" in refused.stderr
    assert "meet me" not in refused.stdout + wrong.stdout + listed.stdout
    assert "meet me" in read.stdout
    rows = await database.reader.rows("SELECT actor, reason FROM actions WHERE kind = 'chat.read'")
    assert [tuple(row) for row in rows] == [("cli:ines", "report 812")]
