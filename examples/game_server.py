"""
The loop of a small game server.

    export GAMEKEEPER_CLIENT_KEY=gk_…
    python examples/game_server.py http://127.0.0.1:8000 --ticks 100

Monsters die, coins drop, players walk and trade. Nothing is kept here: each tick queues its
changes as transactions, and each flush sends them. Transactions without an outcome are kept
in a journal on disk, so that a crash loses nothing and repeats nothing: the next process sends
them with the same idempotency keys. The journal is named after the id of the server, so another
world never gets these transactions, and is deleted when everything is sent.

It obeys two commands of the staff: a kicked player leaves, and a message is printed. A second
journal records which commands were executed.

With --account and --class-id a recruit is created for that account, plays along, and is
deleted at the end.
"""

import argparse
import json
import os
import random
import time
import uuid
from pathlib import Path

from gamekeeper_client import (
    CommandFailed,
    Fenced,
    Gamekeeper,
    GamekeeperError,
    GameServer,
    Unreachable,
    moves,
)
from gamekeeper_client.records import FetchedCommand, RefusedJoin, TransactionOutcome
from gamekeeper_client.transactions import Transaction

FOLDER = Path.home() / ".gamekeeper-examples"
REPORT_INTERVAL = 5.0
"""Seconds between two lines about the progress."""


class Game:
    """The game rules."""

    def __init__(self, server: GameServer, players: list[str], coin: str) -> None:
        self.server = server
        self.players = players
        self.coin = coin
        self.done = 0
        self.refused = 0

    def tick(self) -> None:
        """A player slays a monster and walks on; sometimes a player pays another."""
        here = list(self.players)
        if not here:
            return
        hero = random.choice(here)
        self.server.queue(
            moves.items(self.coin, random.randint(1, 3), to=hero, bank_overflow=True),
            moves.progress(hero, gain=10),
            reason="slew a slime",
        )
        self.server.save(hero, x=random.randint(0, 31), y=random.randint(0, 31))
        if len(here) > 1 and random.random() < 0.3:
            payer, seller = random.sample(here, 2)
            self.server.queue(moves.items(self.coin, 1, from_=payer, to=seller), reason="trade")

    def kick(self, command: FetchedCommand) -> str:
        """Staff command: the player leaves; a game would also close the connection."""
        if command.player_id not in self.players:
            raise CommandFailed("That player is not here.")
        self.players.remove(command.player_id)
        self.server.leave(command.player_id)
        print(f"kicked: {command.player_id}")
        return f"{command.payload.get('Text') or 'Kicked'}: {len(self.players)} are left."

    def message(self, command: FetchedCommand) -> None:
        """Staff command: a message to one player, or to all."""
        print(f"to {command.player_id or 'all'}: {command.payload['Text']}")

    def hear(self, outcomes: list[TransactionOutcome]) -> None:
        """Count outcomes: a trade without enough coins fails as a whole; a game would show it."""
        for outcome in outcomes:
            if (failure := outcome.failure) is None:
                self.done += 1
            else:
                self.refused += 1
                print(f"refused: {failure.code}: {failure.message}")


def play(server: GameServer, game: Game, journal: Path, ticks: int, seconds: float) -> None:
    reported = time.monotonic()
    try:
        for number in range(1, ticks + 1):
            game.tick()
            note(journal, server)
            try:
                game.hear(server.flush())
            except Unreachable:
                print("the service is away; the next tick sends again")
            if time.monotonic() - reported >= REPORT_INTERVAL:
                reported = time.monotonic()
                print(f"tick {number} of {ticks}: {game.done} transactions, {game.refused} refused")
            time.sleep(seconds)
        game.hear(server.flush())
    finally:
        note(journal, server)


def join(server: GameServer, players: list[str], names: dict[str, str]) -> list[str]:
    """Let players join; returns those that may play. A banned one stays outside."""
    joining = server.join(*players)
    for refused in joining.refused:
        print(f"{names.get(refused.player, refused.player)} cannot join: {why(refused)}")
    return [player.player_id for player in joining.entries]


def why(refused: RefusedJoin) -> str:
    until = f"until {refused.until:%Y-%m-%d %H:%M} UTC" if refused.until else "permanently"
    return f"banned {until}. {refused.message}".strip()


def enlist(server: GameServer, account: str | None, class_id: str | None) -> list[str]:
    """Create a recruit, if an account and a class are named."""
    if account is None or class_id is None:
        return []
    made = server.create(account, f"Recruit {new_name()}", class_id, map_name="The gate")
    return [made.id]


def new_name() -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=8))


def note(journal: Path, server: GameServer) -> None:
    """Write the journal atomically: a crash leaves the old one or the new one."""
    fresh = journal.with_suffix(".new")
    fresh.write_text(json.dumps(server.pending))
    fresh.replace(journal)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1] if __doc__ else "")
    parser.add_argument("url", help="of the service, as `gamekeeper try` prints it")
    parser.add_argument("--name", default="Example realm")
    parser.add_argument("--ticks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--account", help="the account of a recruit")
    parser.add_argument("--class-id", help="the class of a recruit")
    parser.add_argument("--journal", type=Path, help=f"default: a file in {FOLDER}")
    if not os.environ.get("GAMEKEEPER_CLIENT_KEY"):
        parser.error("set GAMEKEEPER_CLIENT_KEY to the key, as `gamekeeper try` prints it")
    return parser.parse_args()


def identity(client: Gamekeeper, name: str) -> str:
    """The id of the server with this name in this world; a new id at the first start."""
    known = (one.id for one in client.servers.all() if one.name.casefold() == name.casefold())
    return next(known, None) or str(uuid.uuid4())


def unsent(journal: Path) -> list[Transaction]:
    return json.loads(journal.read_text()) if journal.exists() else []


def tidy(journal: Path) -> None:
    """Delete the journals if everything was sent."""
    if unsent(journal):
        return
    for suffix in (".json", ".commands", ".commands.lock"):
        journal.with_suffix(suffix).unlink(missing_ok=True)
    if journal.parent == FOLDER and not any(FOLDER.iterdir()):
        FOLDER.rmdir()


def session(
    server: GameServer, asked: argparse.Namespace, players: dict[str, str], coin: str
) -> None:
    """One session: characters join, play for some ticks, and leave."""
    recruit = enlist(server, asked.account, asked.class_id)
    here = join(server, [*players, *recruit], players)
    print(f"{len(here)} characters play on {asked.name}, for {asked.ticks} ticks; Ctrl-C stops it")
    game = Game(server, here, coin)
    server.on_command("kick")(game.kick)
    server.on_command("message")(game.message)
    play(server, game, asked.journal, asked.ticks, asked.seconds)
    for gone in [one for one in recruit if one in here]:
        print(f"{server.delete(gone, reason='the game is over').name} goes home")
    print(f"{asked.ticks} ticks, {game.refused} refused, {len(server.pending)} unsent")


def main() -> None:
    asked = arguments()
    with Gamekeeper(asked.url) as client:
        page = client.players.page(page_size=asked.players)
        players = {player.id: player.name for player in page.entries}
        coin = next((item.id for item in client.economy.all(limit=1)), None)
        if coin is None or not (players or asked.account):
            raise SystemExit("this game has no characters or no items: try `gamekeeper try`")
        server_id = identity(client, asked.name)
        asked.journal = asked.journal or FOLDER / f"{server_id}.json"
        asked.journal.parent.mkdir(parents=True, exist_ok=True)
        try:
            with GameServer(
                client,
                asked.name,
                server_id=server_id,
                pending=unsent(asked.journal),
                journal=asked.journal.with_suffix(".commands"),
            ) as server:
                session(server, asked, players, coin)
        except Fenced as fenced:
            # The journals belong to that process.
            raise SystemExit(f"another process is this server now: {fenced.message}") from None
        except KeyboardInterrupt:
            tidy(asked.journal)
            raise
        tidy(asked.journal)


if __name__ == "__main__":
    try:
        main()
    except GamekeeperError as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; unsent transactions are in the journal") from None
