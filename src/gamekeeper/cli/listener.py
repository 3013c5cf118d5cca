"""The port of `serve`: reserved for one `serve` at a time, and announced when it answers."""

import errno
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Thread

from msgspec import Struct

from gamekeeper.core.settings import BadSettings

POLL_SECONDS = 0.1

ADVICE = {
    errno.EADDRINUSE: "Another program uses this port; `ss -ltnp` shows which. "
    "Stop it, or choose another port with --port.",
    errno.EACCES: "Ports below 1024 are for root; choose a higher one with --port, and put a "
    "reverse proxy in front.",
    errno.EADDRNOTAVAIL: "Not an address of this machine; --host 0.0.0.0 means all of them.",
}


class ListenAddress(Struct, frozen=True):
    """An address and port to listen on."""

    address: str
    port: int

    @classmethod
    def resolve(cls, host: str, port: int) -> "ListenAddress":
        """The endpoint for an address or a name; IPv4 if the name has both."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError) as fault:
            reason = getattr(fault, "strerror", None) or "not a host name"
            raise BadSettings(
                f"cannot listen on {host}: {reason}.\n"
                "Give --host an address of this machine, such as 127.0.0.1 or 0.0.0.0."
            ) from None
        found.sort(key=lambda one: one[0] != socket.AF_INET)
        return cls(str(found[0][4][0]), port)

    @property
    def family(self) -> socket.AddressFamily:
        return socket.AF_INET6 if ":" in self.address else socket.AF_INET

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else self._plain

    @property
    def _plain(self) -> str:
        return f"{self.address}:{self.port}"

    @property
    def reachable(self) -> "ListenAddress":
        """The endpoint as seen from this machine: the wildcard address includes the loopback."""
        loopback = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
        return ListenAddress(loopback.get(self.address, self.address), self.port)


@contextmanager
def reserved(endpoint: ListenAddress) -> Iterator[None]:
    """
    Keep every other `serve` from this endpoint during the block; raise BadSettings if it is taken.

    The processes of one `serve` share the port (SO_REUSEPORT), and on Linux the HTTP server
    opens it in each of them, seconds later. The kernel would let a second `serve` join, perhaps
    one of another version. So we try a plain bind, and hold a lock for those seconds and after.
    """
    with _lock(endpoint):
        with socket.socket(endpoint.family) as probe:
            # Connections of the last server may be in TIME_WAIT; only a listener is a conflict.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with _explained(endpoint):
                probe.bind((endpoint.address, endpoint.port))
        yield


@contextmanager
def _lock(endpoint: ListenAddress) -> Iterator[None]:
    """
    A Unix socket in the abstract namespace, bound by one process at a time.

    That namespace is the network's, as the port is; no file is left, and the kernel frees
    the name when the process dies. Other systems than Linux have none: there the HTTP server
    opens the port once, so the plain bind is enough.
    """
    if sys.platform != "linux":
        with nullcontext():
            yield
        return
    with socket.socket(socket.AF_UNIX) as held:
        with _explained(endpoint):
            held.bind(f"\0gamekeeper serve {endpoint}")
        yield


@contextmanager
def _explained(endpoint: ListenAddress) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        advice = ADVICE.get(fault.errno or 0, "Choose another with --host and --port.")
        raise BadSettings(f"cannot listen on {endpoint}: {fault.strerror}.\n{advice}") from None


def when_it_answers(endpoint: ListenAddress, announce: Callable[[], None]) -> None:
    """Call `announce`, in a thread, as soon as the endpoint accepts connections."""

    def wait() -> None:
        place = endpoint.reachable
        while True:
            with suppress(OSError):
                socket.create_connection((place.address, place.port), timeout=1).close()
                break
            time.sleep(POLL_SECONDS)
        announce()

    Thread(target=wait, name="announce", daemon=True).start()
