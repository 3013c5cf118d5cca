"""The journals of a game server in C#: torn, locked, damaged, and on a full disk."""

import resource
from pathlib import Path

import pytest

from gamekeeper.db.database import Database
from tests.clients.csharp.conftest import Play
from tests.clients.csharp.test_game_server import coin, held
from tests.make import make_player

pytestmark = pytest.mark.engines

NOWHERE = "http://127.0.0.1:1"


def journal(folder: Path) -> Path:
    return folder / "journal" / "transactions.journal"


async def test_a_torn_line_was_never_sent_and_is_dropped(
    play: Play, direct, database: Database, tmp_path: Path
):
    ana, gold = await make_player(database), await coin(database)
    async with play(url=NOWHERE) as first:
        first.tell("give", player=ana, item=gold, times=3)
        await first.hear("written")
        await first.kill()
    lines = journal(tmp_path).read_bytes()
    torn = lines + lines.splitlines(keepends=True)[0].replace(b'"key":"', b'"key":"torn')[:60]
    journal(tmp_path).write_bytes(torn)
    async with play() as second:
        second.tell("online", players=[ana])
        second.tell("give", player=ana, item=gold)
        await second.hear("Outcome", 4, status=200)
        assert (await second.stop())["all"]
        assert not second.heard("Trouble", what="journal")
    assert await held(direct, ana) == 4
    assert b"torn" not in journal(tmp_path).read_bytes()


async def test_each_cut_of_a_journal_gives_whole_lines_only(
    play: Play, direct, database: Database, tmp_path: Path
):
    """Wherever a crash cut the file: what is whole is sent, the rest is not there."""
    ana, gold = await make_player(database), await coin(database)
    async with play(url=NOWHERE) as first:
        first.tell("give", player=ana, item=gold, times=2)
        await first.hear("written")
        await first.kill()
    whole = journal(tmp_path).read_bytes()
    one = whole.index(b"\n") + 1
    for cut, number in ((one - 1, 0), (one, 1), (len(whole) - 1, 1), (len(whole), 2)):
        journal(tmp_path).write_bytes(whole[:cut])
        async with play(url=NOWHERE) as game:
            stopped = await game.stop(0)
        assert stopped["pending"] == number, cut


async def test_a_damaged_line_is_kept_aside_and_said(
    play: Play, direct, database: Database, tmp_path: Path
):
    ana, gold = await make_player(database), await coin(database)
    async with play(url=NOWHERE) as first:
        first.tell("give", player=ana, item=gold, times=3)
        await first.hear("written")
        await first.kill()
    first_line, second_line, third_line = journal(tmp_path).read_bytes().splitlines(keepends=True)
    damaged = first_line + b"\xff\x00" + second_line[9:] + third_line
    journal(tmp_path).write_bytes(damaged)
    async with play() as second:
        second.tell("online", players=[ana])
        await second.hear("Outcome", 2, status=200)
        await second.hear("Trouble", what="journal")
    assert journal(tmp_path).with_name("transactions.journal.damaged").read_bytes() == damaged
    assert await held(direct, ana) == 2


async def test_a_journal_has_one_process(play: Play):
    async with play() as first:
        await first.hear("LeaseTaken")
        async with play() as second:
            [fault] = await second.hear("fault")
        assert fault["type"] == "JournalInUseException"
        await first.kill()
    async with play() as third:
        await third.hear("LeaseTaken")


async def test_on_a_full_disk_nothing_is_sent_and_nothing_is_lost(
    play: Play, direct, database: Database, tmp_path: Path
):
    """What is not on the disk could be sent twice, under another key, after a crash."""
    ana, gold = await make_player(database), await coin(database)

    # A file of more than 1 KiB is refused; without the trap that would end the process.
    async with play("trap '' XFSZ; ulimit -S -f 1") as game:
        game.tell("online", players=[ana])
        await game.hear("PlayerJoined")
        game.tell("give", player=ana, item=gold, times=20)
        await game.hear("Trouble", what="journal")
        # The first may have been written alone; 1 KiB has room for five lines.
        assert await held(direct, ana) <= 5
        infinite = resource.RLIM_INFINITY
        resource.prlimit(game.process.pid, resource.RLIMIT_FSIZE, (infinite, infinite))
        await game.hear("Outcome", 20, status=200)
        assert (await game.stop())["all"]
    assert await held(direct, ana) == 20


async def test_a_queue_that_is_full_says_so(play: Play, database: Database):
    ana, gold = await make_player(database), await coin(database)
    async with play(url=NOWHERE, most=3) as game:
        game.tell("give", player=ana, item=gold, times=5)
        [fault] = await game.hear("fault")
        assert (await game.stop(0))["pending"] == 3
    assert fault["type"] == "QueueFullException"
