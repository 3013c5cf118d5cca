"""
Anchors: signed heads of the hash chain, in a file that the database cannot write.

An attacker with full access to the database can build a whole new, consistent chain, but
can neither sign it nor remove lines from the file. So an anchor reveals a chain that was
truncated, rewritten, or replaced by an old backup.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct, structs

from gamekeeper.core.errors import Conflict
from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Settings

EVERY_SECONDS = 60
LONGEST_LINE = 1024

log = loggers.get_logger()


class Head(Struct, frozen=True):
    """The last link of the chain."""

    seq: int
    hash: bytes


NO_LINKS = Head(0, bytes(32))
"""The head before the first link."""


class Anchor(Struct, frozen=True, kw_only=True):
    number: int
    """From 1: a line removed from the file leaves a gap."""
    seq: int
    hash: str
    at: datetime
    signature: str = ""

    def signed(self, key: Ed25519PrivateKey) -> "Anchor":
        return structs.replace(self, signature=key.sign(self._content).hex())

    def is_by(self, key: Ed25519PrivateKey) -> bool:
        try:
            key.public_key().verify(bytes.fromhex(self.signature), self._content)
        except (InvalidSignature, ValueError):
            return False
        return True

    @property
    def _content(self) -> bytes:
        return b"gamekeeper anchor " + msgspec.json.encode(structs.replace(self, signature=""))


class BadAnchors(Conflict):
    """The file of anchors was changed or is damaged."""


def read(settings: Settings) -> list[Anchor]:
    """Read all anchors; raise if a signature is wrong or a number is missing."""
    file = Path(settings.anchor_file or os.devnull)
    if not file.exists():
        return []
    key = _key(settings)
    found: list[Anchor] = []
    for line in file.read_bytes().splitlines():
        anchor = _parsed(line, len(found) + 1)
        if anchor.number != len(found) + 1:
            raise BadAnchors(f"Anchor {len(found) + 1} is missing: found {anchor.number} instead.")
        if not anchor.is_by(key):
            raise BadAnchors(f"Anchor {anchor.number} is not signed with GAMEKEEPER_ANCHOR_KEY.")
        found.append(anchor)
    return found


def keep(settings: Settings, head: Head, *, at_once: bool) -> None:
    """Append `head` to the file if it moved, once a minute or, with `at_once`, now."""
    if settings.anchor_file is None:
        return
    with _alone(Path(settings.anchor_file)) as file:
        last = _last(file)
        now = datetime.now(UTC)
        if last and (last.seq, last.hash) == (head.seq, head.hash.hex()):
            return
        if last and not at_once and (now - last.at).total_seconds() < EVERY_SECONDS:
            return
        if last and head.seq <= last.seq:
            log.error("chain_anchor_mismatch", seq=head.seq, was=last.seq)
        number = last.number + 1 if last else 1
        anchor = Anchor(number=number, seq=head.seq, hash=head.hash.hex(), at=now)
        os.write(file, msgspec.json.encode(anchor.signed(_key(settings))) + b"\n")
        os.fsync(file)


@contextmanager
def _alone(path: Path) -> Iterator[int]:
    """Open the file under an exclusive lock against other workers on this machine."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o640)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _last(file: int) -> Anchor | None:
    """The last anchor in the file; a partial line left by a crash is truncated."""
    size = os.fstat(file).st_size
    begin = max(0, size - 2 * LONGEST_LINE)
    whole, newline, torn = os.pread(file, size - begin, begin).rpartition(b"\n")
    if torn:
        os.ftruncate(file, size - len(torn))
    return _parsed(whole.rpartition(b"\n")[2]) if newline else None


def _parsed(line: bytes, number: int | None = None) -> Anchor:
    try:
        return msgspec.json.decode(line, type=Anchor)
    except msgspec.MsgspecError:
        raise BadAnchors(f"Anchor {number or 'at the end'} cannot be read.") from None


def _key(settings: Settings) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(settings.anchor_key))
