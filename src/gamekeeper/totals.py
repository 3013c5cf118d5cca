"""How long the lists are: kept with every change, never counted."""

import random
from typing import Literal

from gamekeeper.database import Reader, Writer

List = Literal["users", "players"]
SHARDS = 16


async def total(reader: Reader, which: List) -> int:
    return await reader.value("SELECT sum(count)::bigint FROM totals WHERE list = $1", which)


async def add(writer: Writer, which: List, number: int) -> None:
    """Count `number` more. Any of the rows will do; writers rarely meet at the same one."""
    if number:
        await writer.run(
            "UPDATE totals SET count = count + $3 WHERE list = $1 AND shard = $2",
            which,
            random.randrange(SHARDS),  # noqa: S311
            number,
        )
