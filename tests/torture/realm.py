"""
A game server as a process of its own, to be killed at any moment.

It lets its characters join, takes one from another server now and then, and notes every
command that it carries out in a file, which is what must hold each id once.
"""

import os
import random
import sys
import time
from contextlib import suppress
from pathlib import Path

from gamekeeper_client import Gamekeeper, GamekeeperError, GameServer, RetryPolicy
from gamekeeper_client.records import FetchedCommand

TAKE_SECONDS = 0.5


def play(client: Gamekeeper, folder: Path, name: str, own: list[str], everybody: list[str]) -> None:
    """One registration, until the process is killed or replaced."""
    effects = os.open(folder / f"{name}.effects", os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def carry_out(command: FetchedCommand) -> None:
        os.write(effects, f"{command.id}\n".encode())

    try:
        with GameServer(
            client, name, commands={"custom": carry_out}, journal=folder / f"{name}.journal"
        ) as server:
            server.join(*own)
            while not server.fenced:
                time.sleep(random.uniform(0, 2 * TAKE_SECONDS))
                with suppress(GamekeeperError):
                    server.join(random.choice(everybody))
    finally:
        os.close(effects)


def main(url: str, key: str, folder: str, name: str, number: str, realms: str) -> None:
    everybody = (Path(folder) / "players").read_text().split()
    own = everybody[int(number) :: int(realms)]
    with Gamekeeper(url, key, timeout=10, retries=RetryPolicy(attempts=20)) as client:
        while True:
            with suppress(GamekeeperError):
                play(client, Path(folder), name, own, everybody)
            time.sleep(0.2)


if __name__ == "__main__":
    main(*sys.argv[1:])
