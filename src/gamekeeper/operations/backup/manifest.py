"""
Manifests: what a backup is of, and what it must be like after it was copied and restored.

A backup is a directory with `manifest.json` and the dump. It is written under another name
and renamed when all of it is on the disk: a directory of that form without a manifest, or
with another name, is half a backup.
"""

import hashlib
import os
from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Conflict, NotFound
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.db import migrate
from gamekeeper.operations.backup.figures import Figures

FORMAT = 1
FILE = "manifest.json"
DUMP = "dump"
PARTIAL = ".partial"
AT_ONCE = 1 << 20


class BackupNotFound(NotFound):
    """No backup was found."""


class BackupDamaged(Conflict):
    """The backup is damaged: checksums differ."""


class BackupTooNew(Conflict):
    """The backup was created by a newer version of Gamekeeper. Install that version first."""


class DumpedFile(Struct, frozen=True):
    """A file of the dump."""

    name: str
    bytes: int
    sha256: str


class Manifest(Struct, frozen=True, kw_only=True):
    format: int = FORMAT
    id: UUID
    made_at: datetime
    gamekeeper: str
    """The version that made it."""
    migrations: list[str]
    postgresql: str
    postgresql_major: int
    pg_dump_major: int
    database: str
    server: str
    """PostgreSQL's system identifier: transaction ids mean nothing on another server."""
    app_roles: list[str]
    """The roles that serve; they get their privileges again."""
    keys: list[str]
    """The names of the live API keys, to choose those that stay valid."""
    figures: Figures
    files: list[DumpedFile]

    @property
    def schema(self) -> str:
        return self.migrations[-1] if self.migrations else ""

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


class Format(Struct, frozen=True):
    """The one field that all versions of a manifest have."""

    format: int


def read(directory: Path) -> Manifest:
    """The manifest of a backup that this version can restore."""
    if directory.name.endswith(PARTIAL):
        raise BackupDamaged(f"{directory} is an incomplete backup. Use another one.")
    file = directory / FILE
    if not file.is_file():
        if (directory / DUMP).exists():
            raise BackupDamaged(f"{directory} has no {FILE}: the backup is incomplete.")
        raise BackupNotFound(_not_a_backup(directory))
    text = file.read_bytes()
    try:
        if msgspec.json.decode(text, type=Format).format > FORMAT:
            raise BackupTooNew
        manifest = msgspec.json.decode(text, type=Manifest)
    except msgspec.MsgspecError as fault:
        raise BackupDamaged(f"{file} cannot be read: {fault}.") from None
    if unknown := sorted(set(manifest.migrations) - {name for name, _ in migrate.numbered()}):
        raise BackupTooNew(
            f"The backup was created by Gamekeeper {manifest.gamekeeper}, whose tables this "
            f"version does not know ({unknown[-1]}). Install that version or a newer one."
        )
    return manifest


def _not_a_backup(directory: Path) -> str:
    """Say so, and name the newest backup in the directory: `backup PLACE` makes them there."""
    said = f"{directory} is not a backup: it contains no {FILE}."
    inside = sorted(file.parent for file in directory.glob(f"gamekeeper-*/{FILE}"))
    return f"{said} The newest backup in it is {inside[-1]}." if inside else said


def digest(directory: Path) -> str:
    """The SHA-256 of the manifest itself, which covers all files: the backup's identity."""
    return hashlib.sha256((directory / FILE).read_bytes()).hexdigest()


def write(directory: Path, manifest: Manifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest), indent=2)
    (directory / FILE).write_bytes(text + b"\n")


def check_files(directory: Path, manifest: Manifest, on_progress: ProgressCallback) -> None:
    """Raise unless all files of the dump are there, and are what they were."""
    there = {name for name, _ in _files(directory)}
    listed = {file.name for file in manifest.files}
    if missing := sorted(listed - there):
        raise BackupDamaged(f"The file {missing[0]} is missing. {ANOTHER}")
    if added := sorted(there - listed):
        raise BackupDamaged(f"The file {added[0]} does not belong to this backup. {ANOTHER}")
    done = 0
    for file in manifest.files:
        on_progress("Checking files", done, manifest.bytes)
        path = directory / DUMP / file.name
        if (size := path.stat().st_size) != file.bytes:
            raise BackupDamaged(
                f"The file {file.name} has {size:,} bytes instead of {file.bytes:,}. {ANOTHER}"
            )
        if _sha256(path) != file.sha256:
            raise BackupDamaged(f"The file {file.name} was changed. {ANOTHER}")
        done += file.bytes
    on_progress("Checking files", done, manifest.bytes)


ANOTHER = "Nothing was restored. Copy the backup again, or use another one."


def list_files(directory: Path) -> list[DumpedFile]:
    """The files of the dump with their hashes."""
    return [
        DumpedFile(name, path.stat().st_size, _sha256(path)) for name, path in _files(directory)
    ]


def _files(directory: Path) -> list[tuple[str, Path]]:
    dump = directory / DUMP
    return sorted((str(path.relative_to(dump)), path) for path in dump.rglob("*") if path.is_file())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sync(directory: Path) -> None:
    """Flush a directory and all that is in it to the disk."""
    for path in sorted(directory.rglob("*"), reverse=True):
        _sync(path)
    _sync(directory)


def sync_entry(directory: Path) -> None:
    """Flush a directory's list of names, after a rename in it."""
    _sync(directory)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
