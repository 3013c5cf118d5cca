"""
`gamekeeper …` as a process of its own, without the second that its imports take.

A process that has imported everything forks for each command. The fork has the arguments,
environment, folder and standard streams of the command, and runs it as `python -m gamekeeper`
does. A test about the start of a process uses `tests.processes` instead.
"""

import atexit
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

from tests import processes

ROOT = Path(__file__).parent.parent
LONGEST_REQUEST = 128 * 1024


class Forker:
    """The process that forks, and the socket that takes commands to it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = processes.start(
                [sys.executable, "-m", "tests.forks", str(theirs.fileno())],
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
            )
        processes.keep(self._process)

    def fork(self, request: bytes, descriptors: Sequence[int]) -> None:
        socket.send_fds(self._socket, [request], descriptors)

    def end(self) -> None:
        self._socket.close()
        self._process.wait()


@cache
def forker() -> Forker:
    return Forker()


def end() -> None:
    """End the process that forks, if a test needed it."""
    if forker.cache_info().currsize:
        forker().end()
        forker.cache_clear()


def run(
    words: Sequence[str],
    *,
    env: Mapping[str, str],
    typed: str = "",
    timeout: float = processes.PATIENCE,
) -> subprocess.CompletedProcess[str]:
    """What `gamekeeper` with these words prints and how it ends; nothing it started is left."""
    request = {"words": words, "env": dict(env), "cwd": str(Path.cwd())}
    with ExitStack() as stack:
        given, out, err = (stack.enter_context(TemporaryFile("w+")) for _ in range(3))
        given.write(typed)
        given.seek(0)
        ours, theirs = map(stack.enter_context, socket.socketpair())
        descriptors = [stream.fileno() for stream in (theirs, given, out, err)]
        forker().fork(json.dumps(request).encode(), descriptors)
        theirs.close()
        ours.settimeout(timeout)
        told = stack.enter_context(ours.makefile())
        group = int(told.readline())
        try:
            status = int(told.readline())
        finally:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        for stream in (out, err):
            stream.seek(0)
        return subprocess.CompletedProcess(["gamekeeper", *words], status, out.read(), err.read())


def _import_all() -> None:
    import gamekeeper

    for module in pkgutil.walk_packages(gamekeeper.__path__, "gamekeeper."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    assert threading.active_count() == 1, "a fork has only one thread"
    gc.freeze()


def _wait_for_command(asked: socket.socket) -> None:
    """Return once for each command, each time in a process of its own."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, descriptors, *_ = socket.recv_fds(asked, LONGEST_REQUEST, 4)
        if not request:
            sys.exit()
        if os.fork() == 0:
            break
        for descriptor in descriptors:
            os.close(descriptor)
    asked.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    status, *streams = descriptors
    if child := os.fork():
        os.write(status, f"{child}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(status, f"{code}\n".encode())
        os._exit(0)
    os.close(status)
    os.setpgid(0, 0)
    _become(json.loads(request), streams)


def _become(request: Mapping[str, object], streams: Sequence[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(str(request["cwd"]))
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = ["gamekeeper", *request["words"]]


def _run() -> int:
    """Run the command, and return its exit code as Python would."""
    try:
        runpy.run_module("gamekeeper", run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _leave(code: int) -> None:
    """End as Python does, but do not free all objects: that takes longer than the command."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _import_all()
    _wait_for_command(socket.socket(fileno=int(sys.argv[1])))
    _leave(_run())
