"""The load generators: pgbench and wrk."""

import asyncio
import os
import re
import shutil
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.statements import Bare, script
from gamekeeper.core.errors import Unavailable

LUA = Path(__file__).parent / "load.lua"
SAMPLES = 5_000
"""About how many transactions of a run are logged: each line costs the client time."""
GRACE_SECONDS = 30

# The service's session settings (db/database.py), so that both time out alike.
SESSION = {"jit": "off", "statement_timeout": "2400"}


class ProgramMissing(Unavailable):
    """A program that makes the load is not on this machine."""


class Figures(Struct, frozen=True, kw_only=True):
    """The results of one run. With a `fault` the run is void."""

    requests: int = 0
    """Answered; only wrk counts them."""
    rate: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    fault: str | None = None


class Load(Struct, frozen=True, kw_only=True):
    """The duration and the concurrency."""

    seconds: int
    connections: int


def require() -> None:
    """Raise, and say what to install, if a program is missing."""
    packages = {"wrk": "wrk", "pgbench": "postgresql"}
    absent = [name for name in packages if program(name) is None]
    if absent:
        raise ProgramMissing(
            f"The bench needs {' and '.join(absent)}. On Debian: "
            f"apt-get install {' '.join(packages[name] for name in absent)}"
        )


def program(name: str) -> str | None:
    """The path of a program; Debian installs some of PostgreSQL's outside PATH."""
    apart = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(apart[-1]) if apart else None)


async def wrk(load: Load, url: str, call: Sequence[str]) -> Figures:
    """Measure the service with wrk; `call` has the arguments of load.lua."""
    output, error, code = await _run(
        load,
        [
            program("wrk") or "wrk",
            *("--threads", "1", "--connections", str(load.connections)),
            *("--duration", f"{load.seconds}s", "--timeout", "10s", "--latency"),
            *("--script", str(LUA), url, "--", *call),
        ],
        {},
    )
    found = re.search(r"^\{.*\}$", output, re.MULTILINE)
    if code or not found:
        return Figures(fault=f"wrk failed: {_why(error or output)}")
    told = msgspec.json.decode(found.group())
    faults = [
        f"{told[kind]:,} {words}"
        for kind, words in (("refused", "answers were not 2xx"), ("lost", "had no answer"))
        if told[kind]
    ]
    if not told["requests"]:
        faults.append("nothing was answered")
    return Figures(
        requests=told["requests"],
        rate=told["requests"] / told["seconds"],
        p50=told["p50"],
        p99=told["p99"],
        fault=", ".join(faults) or None,
    )


async def pgbench(load: Load, url: str, bare: Bare, directory: Path, usual: float) -> Figures:
    """Measure bare PostgreSQL. `usual`, the expected rate, sets the log's sampling rate."""
    file = directory / "bare.sql"
    file.write_text(script(bare))
    share = min(1.0, SAMPLES / (usual * load.seconds)) if usual else 1.0
    output, error, code = await _run(
        load,
        [
            program("pgbench") or "pgbench",
            *("--no-vacuum", "--protocol", "prepared", "--file", str(file)),
            *("--client", str(load.connections), "--jobs", "1", "--time", str(load.seconds)),
            *("--log", "--log-prefix", str(directory / "log"), "--sampling-rate", f"{share:.6f}"),
            url,
        ],
        {"PGOPTIONS": " ".join(f"-c {name}={value}" for name, value in _session(bare).items())},
    )
    latencies = sorted(_latencies(directory))
    rate = re.search(r"^tps = ([0-9.]+)", output, re.MULTILINE)
    if code or not rate or len(latencies) < 2:
        return Figures(fault=f"pgbench failed: {_why(error or output)}")
    return Figures(
        rate=float(rate.group(1)),
        p50=statistics.median(latencies) / 1000,
        p99=statistics.quantiles(latencies, n=100, method="inclusive")[98] / 1000,
    )


def _session(bare: Bare) -> Mapping[str, str]:
    return SESSION | ({"plan_cache_mode": "force_generic_plan"} if bare.planned_once else {})


def _latencies(directory: Path) -> list[int]:
    """The latencies of the logged transactions in microseconds; removes the logs."""
    found: list[int] = []
    for log in directory.glob("log.*"):
        found += [int(line.split()[2]) for line in log.read_text().splitlines()]
        log.unlink()
    return found


async def _run(
    load: Load, command: Sequence[str], env: Mapping[str, str]
) -> tuple[str, str, int | None]:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **env},
    )
    try:
        async with asyncio.timeout(load.seconds + GRACE_SECONDS):
            output, error = await process.communicate()
    except TimeoutError:
        return "", f"no end after {load.seconds + GRACE_SECONDS} seconds", 1
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return output.decode(), error.decode(), process.returncode


def _why(text: str) -> str:
    """The first line with an error: later lines only say that the run was aborted."""
    lines = text.strip().splitlines()
    faults = [line for line in lines if "error" in line.lower()]
    return [*faults, *reversed(lines), "no reason given"][0]
