"""The commands of segments and lists of names."""

import json

from gamekeeper.segments import name_lists
from tests.cli.command import gamekeeper
from tests.make import make_player

STRONG = {"groups": [{"conditions": [{"field": "level", "atLeast": 20}]}]}
LISTED = {"groups": [{"conditions": [{"field": "list", "list": "event"}]}]}


async def test_a_segment_is_saved_counted_and_deleted(database, settings, tmp_path):
    await make_player(database, "Ana", level=30)
    await make_player(database, "Bo")
    file = tmp_path / "strong.json"
    file.write_text(json.dumps(STRONG))

    words = ["segments", "set", "strong", str(file), "--description", "Level 20", "--as", "kjell"]
    assert gamekeeper(settings, *words).stdout == "Saved the segment strong.\n"
    assert "Level 20" in gamekeeper(settings, "segments", "list").stdout
    counted = gamekeeper(settings, "segments", "count", "strong", "--exact").stdout
    assert counted.startswith("1 members.")
    assert "Ana" in counted
    members = json.loads(gamekeeper(settings, "segments", "members", "strong", "--json").stdout)
    assert [member["Name"] for member in members] == ["Ana"]

    # What is shown can be saved again.
    file.write_text(gamekeeper(settings, "segments", "show", "strong").stdout)
    again = gamekeeper(settings, "segments", "set", "again", str(file))
    assert again.returncode == 0, again.stderr
    assert "Deleted" in gamekeeper(settings, "segments", "delete", "strong").stdout
    assert "No segment" in gamekeeper(settings, "segments", "count", "strong").stderr


async def test_a_file_that_is_no_segment_is_refused(database, settings, tmp_path):
    file = tmp_path / "wrong.json"
    for text in ("{", "[]", "[1]", '{"groups": [{"conditions": [{"field": "level", "x": 1}]}]}'):
        file.write_text(text)
        refused = gamekeeper(settings, "segments", "set", "wrong", str(file))
        assert refused.returncode == 1, text
        assert "Traceback" not in refused.stderr
    assert gamekeeper(settings, "segments", "set", "wrong", str(tmp_path / "none")).returncode == 1
    assert await database.reader.value("SELECT count(*) FROM segments") == 0


async def test_a_list_is_uploaded_in_parts(database, settings, tmp_path):
    await make_player(database, "Ana")
    file, definition = tmp_path / "names.txt", tmp_path / "listed.json"
    count = name_lists.MAX_NAMES_PER_PART + 1
    lines = ["Ana", "", *(f"Nobody {number:05}" for number in range(count))]
    file.write_bytes("\ufeff".encode() + "\r\n".join(lines).encode())
    definition.write_text(json.dumps(LISTED))

    done = gamekeeper(settings, "segments", "upload", "event", str(file), "--as", "kjell").stdout
    assert done == f"1 characters, {count:,} names unmatched.\n"
    assert "event" in gamekeeper(settings, "segments", "lists").stdout
    unmatched = gamekeeper(settings, "segments", "unmatched", "event").stdout.splitlines()
    assert unmatched == lines[2:]
    assert gamekeeper(settings, "segments", "set", "listed", str(definition)).returncode == 0
    refused = gamekeeper(settings, "segments", "delete-list", "event")
    assert "'listed' uses the list" in refused.stderr
    gamekeeper(settings, "segments", "delete", "listed")
    assert "Deleted" in gamekeeper(settings, "segments", "delete-list", "event").stdout
    file.write_text("\n")
    empty = gamekeeper(settings, "segments", "upload", "event", str(file))
    assert (empty.returncode, "no names" in empty.stderr) == (1, True)
