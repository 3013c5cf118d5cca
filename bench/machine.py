"""The machine of a benchmark: hardware, versions and load."""

import os
import platform
import re
import subprocess
from pathlib import Path

import asyncpg
from msgspec import Struct

from bench.programs import program

SHOWN = ("shared_buffers", "synchronous_commit", "fsync", "max_connections")


class Machine(Struct, frozen=True, kw_only=True):
    processor: str
    cores: int
    memory_gib: int
    kernel: str
    python: str
    wrk: str
    postgresql: str
    settings: dict[str, str]
    load: float
    """The 1-minute load average just before the run."""


async def look(server: str) -> Machine:
    connection = await asyncpg.connect(server.format("postgres"))
    try:
        version = await connection.fetchval("SHOW server_version")
        settings = {name: await connection.fetchval(f"SHOW {name}") for name in SHOWN}
    finally:
        await connection.close()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        memory_gib=round(memory / 2**30),
        kernel=platform.release(),
        python=platform.python_version(),
        wrk=_wrk(),
        postgresql=version,
        settings=settings,
        load=os.getloadavg()[0],
    )


def _processor() -> str:
    told = Path("/proc/cpuinfo").read_text()
    found = re.search(r"^model name\s*: (.*)$", told, re.MULTILINE)
    return found.group(1) if found else platform.machine()


def _wrk() -> str:
    told = subprocess.run([program("wrk") or "wrk", "-v"], capture_output=True, text=True).stdout  # noqa: S603
    return told.split(" [")[0].removeprefix("wrk ").strip()
