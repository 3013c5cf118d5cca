"""A game server of the client carries out each command once, and says what became of it."""

import asyncio
import json
import time

import pytest
from gamekeeper_client import (
    AsyncGamekeeper,
    AsyncGameServer,
    CommandFailed,
    Gamekeeper,
    GameServer,
)
from gamekeeper_client.command_handlers import CommandBook, Round, carried_out
from gamekeeper_client.command_journal import INTERRUPTED, CommandJournal, Outcome
from gamekeeper_client.records import FetchedCommand

from tests.clients import shared_server as shared
from tests.make import make_player

shared_url, settings, database = shared.shared_url, shared.settings, shared.database
url, key = shared.url, shared.key


def fetched(name: str = "a", seconds: float = 30) -> FetchedCommand:
    return FetchedCommand(
        Id=name, Kind="kick", PlayerId=None, Payload={}, SecondsLeft=seconds, Again=False
    )


async def test_handlers_carry_commands_out_and_answer(client: AsyncGamekeeper, database):
    ana = await make_player(database)
    kicked: list[str] = []
    async with AsyncGameServer(client, "Obedient") as server:
        await server.join(ana)

        @server.on_command("kick")
        async def kick(command: FetchedCommand) -> str:
            await server.leave(command.player_id or "")
            kicked.append(command.player_id or "")
            return "out"

        @server.on_command("message")
        def say(command: FetchedCommand) -> None:
            raise CommandFailed(f"nobody hears {command.payload['Text']}")

        said = await client.commands.send(str(ana), "message", text="Hi")
        said = await client.commands.get(said.id, wait=20)
        killed = await client.commands.send(str(ana), "kill")
        killed = await client.commands.get(killed.id, wait=20)
        sent = await client.commands.send(str(ana), "kick", reason="a test")
        found = await client.commands.get(sent.id, wait=20)

    assert (found.state, found.answer, kicked) == ("done", "out", [str(ana)])
    assert (said.state, said.answer) == ("failed", "nobody hears Hi")
    assert (killed.state, killed.answer) == ("failed", "This server does not know 'kill'.")
    assert [one.id async for one in client.commands.to_player(str(ana), state="done")] == [sent.id]


async def test_a_thread_does_the_same(url, key, database, client, tmp_path):
    ana = await make_player(database)
    handlers = {"kick": lambda command: "bye"}

    def play() -> str | None:
        with (
            Gamekeeper(url, key) as own,
            GameServer(own, "Threaded", commands=handlers, journal=tmp_path / "j") as server,
        ):
            server.join(str(ana))
            sent = own.commands.send(str(ana), "kick")
            return own.commands.get(sent.id, wait=20).answer

    assert await asyncio.to_thread(play) == "bye"
    lines = [json.loads(line) for line in (tmp_path / "j").read_text().splitlines()]
    assert [sorted(line) for line in lines] == [["fence"], ["id"], ["done", "id", "text"]]


def test_what_was_carried_out_is_answered_and_not_repeated(tmp_path):
    calls: list[str] = []
    handlers = {"kick": lambda command: calls.append(command.id)}
    for _ in range(2):
        book = CommandBook(handlers, CommandJournal(tmp_path / "journal"))
        for _ in range(2):
            current = Round(book, [fetched()])
            if current.begin(fetched()):
                current.finish(fetched(), carried_out(book, fetched()))
            assert current.answers == [{"id": "a", "done": True, "text": None}]
        book.journal.close()
    assert calls == ["a"]


def test_what_was_interrupted_is_not_repeated(tmp_path):
    journal = CommandJournal(tmp_path / "journal")
    assert journal.begin("a")
    assert journal.outcome("a") is None, "it is being carried out"
    journal.close()
    with (tmp_path / "journal").open("a") as file:
        file.write('{"id": "b')

    after = CommandJournal(tmp_path / "journal")

    assert not after.begin("a")
    assert after.outcome("a") == Outcome(done=False, text=INTERRUPTED)
    assert after.begin("b"), "it was not yet written down, so not begun"
    after.close()


def test_a_journal_has_one_process(tmp_path):
    journal = CommandJournal(tmp_path / "journal")
    with pytest.raises(BlockingIOError):
        CommandJournal(tmp_path / "journal")
    journal.close()
    CommandJournal(tmp_path / "journal").close()


def test_a_journal_knows_the_processes_before(tmp_path):
    for fence in range(1, 21):
        journal = CommandJournal(tmp_path / "journal")
        journal.registered(fence)
        book = CommandBook({}, journal)
        assert book.resume == list(range(max(1, fence - 15), fence))
        journal.close()


def test_a_journal_does_not_grow_for_ever(monkeypatch, tmp_path):
    monkeypatch.setattr("gamekeeper_client.command_journal.REMEMBERED", 3)
    journal = CommandJournal(tmp_path / "journal")
    for name in "abcde":
        journal.begin(name)
        journal.finish(name, Outcome(done=True))
    journal.close()

    CommandJournal(tmp_path / "journal").close()

    assert len((tmp_path / "journal").read_text().splitlines()) == 3


def test_a_command_that_waited_too_long_here_is_not_carried_out():
    book = CommandBook({}, CommandJournal())
    current = Round(book, [fetched(seconds=0.01)])
    time.sleep(0.02)

    assert not current.begin(fetched(seconds=0.01))
    assert current.answers == [{"id": "a", "done": False, "text": "Too late."}]


def test_a_fault_of_the_game_is_answered_without_its_words():
    def kick(command: FetchedCommand) -> None:
        raise KeyError("secret")

    book = CommandBook({"kick": kick}, CommandJournal())

    assert carried_out(book, fetched()) == Outcome(done=False, text="The game failed: KeyError.")
