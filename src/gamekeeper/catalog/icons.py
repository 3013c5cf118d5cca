"""
Icons of items: an address, or a PNG that is kept in the catalog.

A PNG is checked chunk by chunk, so nothing that only looks like one is ever served.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import NotFound
from gamekeeper.db.database import Queryable, Reader, Writer

LONGEST_ADDRESS = 500
LARGEST_FILE = 64 * 1024
LARGEST_SIDE = 512

SIGNATURE = b"\x89PNG\r\n\x1a\n"
HEADER_BYTES = 13


class IconNotFound(NotFound):
    """The catalog has no icon for this item."""


class BadIcon(Exception):
    """Why an icon is rejected; the message follows the name of its field."""


class Icon(Struct, frozen=True):
    """An address or a PNG; neither: the item is to have no icon."""

    address: str | None = None
    png: bytes | None = None

    @property
    def digest(self) -> str | None:
        return hashlib.sha256(self.png).hexdigest() if self.png else None

    @property
    def summary(self) -> str | None:
        """What a change of icons is recorded as: the address, or which PNG."""
        return self.address or (f"PNG {self.digest}" if self.png else None)


# ── Reading a catalog file ──


def read(text: object, folder: Path | None) -> Icon:
    """The icon that a catalog names; `folder` is where its files are."""
    if not isinstance(text, str) or "\0" in text:
        raise BadIcon("must be a URL or the name of a PNG file")
    if not text:
        return Icon()
    if text.startswith("/") or "://" in text:
        return Icon(address=_checked_address(text))
    if folder is None:
        raise BadIcon("is a file name, but this catalog was not read from a folder; use a URL")
    return Icon(png=_file(folder, text))


def _checked_address(text: str) -> str:
    if len(text) > LONGEST_ADDRESS or not text.isascii() or not text.isprintable() or " " in text:
        raise BadIcon(f"must have at most {LONGEST_ADDRESS} visible ASCII characters")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise BadIcon("is not a URL") from None
    # `//host/…` would be another host's, by whatever scheme the page has.
    is_path = not parts.scheme and not parts.netloc and "\\" not in text
    if not is_path and (parts.scheme != "https" or not parts.hostname or parts.username):
        raise BadIcon("must begin with https:// or be a path that begins with /")
    return text


def _file(folder: Path, name: str) -> bytes:
    place = (folder / name).resolve()
    if not place.is_relative_to(folder.resolve()):
        raise BadIcon(f"is {name!r}, but must be in the folder of the catalog or below")
    try:
        with place.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as fault:
        raise BadIcon(f"is {name!r}, which cannot be read: {fault.strerror}") from None
    check_png(content)
    return content


def check_png(content: bytes) -> None:
    """Raise BadIcon unless it is a PNG, whole and small, with nothing before or after it."""
    if len(content) > LARGEST_FILE:
        raise BadIcon(f"is larger than {LARGEST_FILE // 1024} KiB")
    if not content.startswith(SIGNATURE):
        raise BadIcon("is not a PNG")
    chunks = list(_chunks(content[len(SIGNATURE) :]))
    kinds = [kind for kind, _ in chunks]
    header = chunks[0][1] if chunks else b""
    if kinds[:1] != [b"IHDR"] or len(header) != HEADER_BYTES or b"IDAT" not in kinds:
        raise BadIcon("is not a PNG")
    if kinds[-1] != b"IEND" or kinds.count(b"IEND") != 1:
        raise BadIcon("is a PNG that is cut off or has extra bytes after its end")
    sides = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    if not all(1 <= side <= LARGEST_SIDE for side in sides):
        raise BadIcon(
            f"is {sides[0]} × {sides[1]} pixels; at most {LARGEST_SIDE} × {LARGEST_SIDE} are taken"
        )


def _chunks(rest: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kind and content of each chunk; each has a length before it and a CRC after it."""
    while rest:
        length = int.from_bytes(rest[:4])
        body, check = rest[4 : 8 + length], rest[8 + length : 12 + length]
        if len(check) != 4 or zlib.crc32(body) != int.from_bytes(check):
            raise BadIcon("is a damaged PNG")
        yield body[:4], body[4:]
        rest = rest[12 + length :]


# ── The catalog's own ──

# The address carries the digest, so that a browser may keep the picture for good.
ADDRESS: LiteralString = """
    (SELECT coalesce(address, '/api/v1/catalog/items/' || item_id || '/icon?v=' || left(digest, 16))
       FROM item_icons WHERE item_id = items.id)
"""


class StoredIcon(Struct, frozen=True):
    png: bytes
    digest: str


async def find_icon(reader: Reader, item: UUID) -> StoredIcon:
    """The PNG that is kept of an item."""
    found = await reader.lookups.one(
        StoredIcon,
        "SELECT png, digest FROM item_icons WHERE item_id = $1 AND png IS NOT NULL",
        item,
    )
    if found is None:
        raise IconNotFound
    return found


async def summaries(reader: Queryable, items: list[UUID]) -> dict[UUID, str]:
    """The icons that items have now, as they are recorded."""
    rows = await reader.rows(
        """
        SELECT item_id, coalesce(address, 'PNG ' || digest) AS summary
          FROM item_icons WHERE item_id = ANY($1)
        """,
        items,
    )
    return {row["item_id"]: row["summary"] for row in rows}


async def store(writer: Writer, wanted: Mapping[UUID, Icon]) -> None:
    """Give items these icons, or take theirs away."""
    await writer.run("DELETE FROM item_icons WHERE item_id = ANY($1)", list(wanted))
    kept = {item: icon for item, icon in wanted.items() if icon.summary}
    await writer.run(
        """
        INSERT INTO item_icons (item_id, address, png, digest)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[])
        """,
        list(kept),
        [icon.address for icon in kept.values()],
        [icon.png for icon in kept.values()],
        [icon.digest for icon in kept.values()],
    )
