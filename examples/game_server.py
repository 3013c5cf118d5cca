"""
The loop of a small game server.

    export GAMEKEEPER_CLIENT_KEY=gk_…
    python examples/game_server.py http://127.0.0.1:8000 --ticks 100

Monsters die, coins drop, players walk and trade. Nothing is kept here: each tick queues its
changes as transactions, and each flush sends them. Transactions without an outcome are kept
in a journal on disk, so that a crash loses nothing and repeats nothing: the next process sends
them with the same idempotency keys.

It obeys two commands of the staff: a kicked player leaves, and a message is printed. Which
commands were carried out stands in a second journal.

With --account and --class-id a recruit is created for that account, plays along, and is
deleted at the end.
"""

import argparse
import json
import os
import random
import time
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
from gamekeeper_client.records import FetchedCommand, TransactionOutcome

JOURNAL = Path.home() / ".gamekeeper-examples" / "journal.json"


class Game:
    """The game rules."""

    def __init__(self, server: GameServer, players: list[str], coin: str) -> None:
        self.server = server
        self.players = players
        self.coin = coin
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
        """Count refusals: a trade without enough coins fails as a whole; a game would show it."""
        for outcome in outcomes:
            if (failure := outcome.failure) is not None:
                self.refused += 1
                print(f"refused: {failure.code}")


def play(server: GameServer, game: Game, journal: Path, ticks: int, seconds: float) -> None:
    for _ in range(ticks):
        game.tick()
        note(journal, server)
        try:
            game.hear(server.flush())
        except Unreachable:
            print("the service is away; it goes out with the next tick")
        time.sleep(seconds)
    game.hear(server.flush())
    note(journal, server)


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
    parser.add_argument("--journal", type=Path, default=JOURNAL, help=f"default: {JOURNAL}")
    if not os.environ.get("GAMEKEEPER_CLIENT_KEY"):
        parser.error("set GAMEKEEPER_CLIENT_KEY to the key, as `gamekeeper try` prints it")
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    asked.journal.parent.mkdir(parents=True, exist_ok=True)
    pending = json.loads(asked.journal.read_text()) if asked.journal.exists() else []
    with Gamekeeper(asked.url) as client:
        page = client.players.page(page_size=asked.players)
        players = [player.id for player in page.entries]
        coin = next((item.id for item in client.economy.all(limit=1)), None)
        if coin is None or not (players or asked.account):
            raise SystemExit("this game has no characters or no items: try `gamekeeper try`")
        try:
            done = asked.journal.with_suffix(".commands")
            with GameServer(client, asked.name, pending=pending, journal=done) as server:
                recruit = enlist(server, asked.account, asked.class_id)
                players += recruit
                server.join(*players)
                game = Game(server, players, coin)
                server.on_command("kick")(game.kick)
                server.on_command("message")(game.message)
                play(server, game, asked.journal, asked.ticks, asked.seconds)
                for gone in [one for one in recruit if one in players]:
                    print(f"{server.delete(gone, reason='the game is over').name} goes home")
                print(f"{asked.ticks} ticks, {game.refused} refused, {len(server.pending)} unsent")
        except Fenced as fenced:
            raise SystemExit(f"another process is this server now: {fenced.message}") from None


if __name__ == "__main__":
    try:
        main()
    except GamekeeperError as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("stopped; what was not sent is in the journal") from None
