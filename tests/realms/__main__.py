"""One move, in a process that a fail point kills: SOURCE TARGET PLAYER FAIL_POINT."""

import asyncio
import sys

from gamekeeper.core import failpoints
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from tests.realms import moves


async def main(source: str, target: str, player: str, fail_point: str) -> None:
    async with (
        Database.open(Settings(database_url=Hidden(source))) as here,
        Database.open(Settings(database_url=Hidden(target))) as there,
    ):
        failpoints.arm(fail_point)
        await moves.move(here, there, player)


asyncio.run(main(*sys.argv[1:]))
