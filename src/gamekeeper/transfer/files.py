"""
Import files: split into chunks of whole lines, and decoded line by line.

A chunk is read three times: to check it, to import its accounts, to import its characters.
Its digest makes sure that all three read the same bytes.
"""

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.transfer import lines
from gamekeeper.transfer.lines import FLAT, Fault, InvalidLine, Line

LINES = 2_000
SIZE = 8 * 2**20
MAX_LINE_BYTES = 4 * 2**20
"""Bytes in a line; a character with every slot full of full bags has fewer."""
BOM = b"\xef\xbb\xbf"


class UnreadableFile(Invalid):
    """The file cannot be imported."""


class FileChanged(Invalid):
    """The file changed during the import. Import it again."""


class Chunk(Struct, frozen=True):
    """Some lines of the file, at most `LINES` of them."""

    first: int
    """The number of the first line, from 1."""
    offset: int
    size: int
    digest: bytes


class ImportFile(Struct, frozen=True):
    path: Path
    header: list[str] | None
    """The columns of a CSV file; None if it is JSON Lines."""

    @classmethod
    def open(cls, path: Path) -> "ImportFile":
        """Read the header, if the name of the file ends with .csv."""
        if path.suffix.lower() not in (".csv", ".jsonl", ".ndjson", ".json"):
            raise UnreadableFile(f"{path}: the name must end with .jsonl or .csv.")
        try:
            if not path.is_file():
                raise UnreadableFile(f"{path}: is not a file.")
            with path.open("rb") as file:
                first = file.readline(MAX_LINE_BYTES)
        except OSError as fault:
            raise UnreadableFile(f"{path}: {fault.strerror}. Check the path.") from None
        if path.suffix.lower() != ".csv":
            return cls(path, None)
        return cls(path, _header(path, first.removeprefix(BOM)))

    def chunks(self) -> Iterator[Chunk]:
        """All lines in chunks; one that is too long is a chunk of its own."""
        with self.path.open("rb") as file:
            first, number, offset, size = 1, 1, 0, 0
            digest = hashlib.sha256()
            while line := file.readline(MAX_LINE_BYTES + 1):
                digest.update(line)
                size += len(line)
                number += line.endswith(b"\n")
                if number - first >= LINES or size >= SIZE:
                    yield Chunk(first, offset, size, digest.digest())
                    first, offset, size, digest = number, offset + size, 0, hashlib.sha256()
            if size:
                yield Chunk(first, offset, size, digest.digest())

    def read(self, chunk: Chunk) -> Iterator[tuple[int, Line | Fault]]:
        """The lines of a chunk, each with its number; empty lines are left out."""
        with self.path.open("rb") as file:
            file.seek(chunk.offset)
            data = file.read(chunk.size)
        if hashlib.sha256(data).digest() != chunk.digest:
            raise FileChanged
        if chunk.offset == 0:
            data = data.removeprefix(BOM)
        for number, raw in enumerate(data.split(b"\n"), chunk.first):
            if raw.strip() and not (number == 1 and self.header is not None):
                yield number, self._decoded(number, raw)

    def _decoded(self, number: int, raw: bytes) -> Line | Fault:
        if len(raw) > MAX_LINE_BYTES:
            return Fault(number, "", f"is longer than {MAX_LINE_BYTES // 2**20} MiB")
        try:
            if self.header is None:
                return lines.decode(raw)
            return lines.convert(self.header, _cells(raw))
        except InvalidLine as wrong:
            return Fault(number, wrong.field, wrong.reason)

    def digest(self) -> str:
        """The SHA-256 of the file, by which the audit log names it."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def _header(path: Path, raw: bytes) -> list[str]:
    try:
        header = [name.strip() for name in _cells(raw)]
    except InvalidLine as wrong:
        raise UnreadableFile(f"{path}: line 1: {wrong.reason}.") from None
    unknown = [name for name in header if name not in (*FLAT, "kind")]
    if unknown or "kind" not in header or "id" not in header or len({*header}) < len(header):
        raise UnreadableFile(
            f"{path}: line 1 must name the columns, each once: kind, id and any of "
            f"{', '.join(dict.fromkeys(FLAT))}."
            + (f" '{unknown[0]}' is not one of them." if unknown else "")
        )
    return header


def _cells(raw: bytes) -> list[str]:
    """The cells of a row; a row is one line, so no cell has a line break in it."""
    try:
        [cells] = csv.reader([raw.decode().rstrip("\r\n")], strict=True)
    except UnicodeDecodeError:
        raise InvalidLine("", "is not UTF-8") from None
    except (csv.Error, ValueError) as fault:
        raise InvalidLine("", f"not valid CSV: {fault}") from None
    return cells
