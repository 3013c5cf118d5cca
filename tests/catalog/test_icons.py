"""Icons: checked byte by byte, imported with the catalog, served as pictures and nothing else."""

import hashlib
import json
import struct
import zlib
from pathlib import Path
from uuid import uuid4

import pytest

from gamekeeper.catalog import files, icons, importer
from gamekeeper.catalog.files import InvalidCatalog
from gamekeeper.catalog.icons import BadIcon
from tests.make import BY

ITEM = uuid4()


def chunk(kind: bytes, content: bytes = b"") -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png(width: int = 2, height: int = 2, *, pad: int = 0, after: bytes = b"") -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    # The same few pixels whatever the header says: only the header is read.
    rows = zlib.compress(b"\0\xff\x80\x00\xff")
    parts = [chunk(b"IHDR", header), chunk(b"tEXt", b"x" * pad) if pad else b""]
    return icons.SIGNATURE + b"".join([*parts, chunk(b"IDAT", rows), chunk(b"IEND"), after])


PICTURE = png()


@pytest.mark.parametrize("content", [PICTURE, png(512, 512), png(1, 1), png(pad=60_000)])
def test_a_small_png_is_taken(content):
    icons.check_png(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        icons.SIGNATURE,
        b"GIF89a" + PICTURE,
        b"<svg onload=alert(1)>",
        png(513, 1),
        png(1, 2**31),
        png(0, 1),
        png(pad=65_536),
        PICTURE[:-1],
        PICTURE[:-12],
        PICTURE + b"<script>",
        png(after=chunk(b"IEND")),
        png(after=chunk(b"zTXt", b"late")),
        PICTURE.replace(b"IHDR", b"IHDX"),
        icons.SIGNATURE + chunk(b"IHDR", b"short") + chunk(b"IDAT") + chunk(b"IEND"),
        icons.SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)),
        icons.SIGNATURE + b"\xff\xff\xff\xffIHDR",
    ],
    ids=range(17),
)
def test_what_is_no_png_or_more_than_one_is_refused(content):
    with pytest.raises(BadIcon):
        icons.check_png(content)


@pytest.mark.parametrize("place", range(len(PICTURE)))
def test_a_png_with_one_changed_byte_is_refused(place):
    changed = bytearray(PICTURE)
    changed[place] ^= 1
    with pytest.raises(BadIcon):
        icons.check_png(bytes(changed))


@pytest.mark.parametrize(
    "address", ["https://cdn.example/a.png", "/icons/a.png", "/" + "a" * 499, "https://x:8443/"]
)
def test_an_address_is_https_or_a_path(address):
    assert icons.read(address, None).address == address


@pytest.mark.parametrize(
    "text",
    [
        "http://cdn.example/a.png",
        "//evil.example/a.png",
        "/\\evil.example",
        "javascript://x",
        "data://x",
        "https://",
        "https://ana:secret@x/",
        "https://[x/",
        "/" + "a" * 500,
        "/a b",
        "/é",
        "../outside.png",
        "missing.png",
        "a\0.png",
        "folder",
        7,
        None,
    ],
    ids=repr,
)
def test_another_address_or_file_is_refused(tmp_path: Path, text):
    (tmp_path / "outside.png").write_bytes(PICTURE)
    (tmp_path / "inside" / "folder").mkdir(parents=True)
    with pytest.raises(BadIcon):
        icons.read(text, tmp_path / "inside")


def catalog(folder: Path, icon: object, name: str = "Sword") -> files.Catalog:
    item = {"id": str(ITEM), "name": name, "type": "equipment"}
    file = folder / "catalog.json"
    file.write_text(json.dumps({"items": [item if icon is None else item | {"icon": icon}]}))
    return files.read(file)


async def shown(client) -> str | None:
    return (await client.get(f"/api/v1/catalog/items/{ITEM}")).json()["Icon"]


async def test_a_png_is_imported_shown_and_served_for_good(client, database, tmp_path):
    (tmp_path / "sword.png").write_bytes(PICTURE)

    changes = await importer.bring(database, catalog(tmp_path, "sword.png"), BY)

    digest = hashlib.sha256(PICTURE).hexdigest()
    assert changes[-1].changed[0].fields == {"icon": (None, f"PNG {digest}")}
    address = await shown(client)
    assert address == f"/api/v1/catalog/items/{ITEM}/icon?v={digest[:16]}"
    answer = await client.get(address)
    assert (answer.status_code, answer.content) == (200, PICTURE)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    known = {"If-None-Match": answer.headers["etag"]}
    again = await client.get(address, headers=known)
    assert (again.status_code, again.content) == (304, b"")
    other = await client.get(address.replace(digest[:16], "0"))
    assert other.headers["cache-control"] == "private, no-cache"
    listed = (await client.get("/api/v1/catalog/items")).json()["Values"]
    assert [one["Icon"] for one in listed] == [address]


async def test_the_same_catalog_again_changes_nothing_and_another_changes_the_icon(
    client, database, tmp_path
):
    (tmp_path / "sword.png").write_bytes(PICTURE)
    await importer.bring(database, catalog(tmp_path, "sword.png"), BY)

    again = await importer.bring(database, catalog(tmp_path, "sword.png"), BY)
    assert (again[-1].changed, again[-1].unchanged) == ([], 1)

    # Without the field it stays.
    await importer.bring(database, catalog(tmp_path, None, "Long Sword"), BY)
    assert (await shown(client) or "").startswith("/api/v1/")

    dry = await importer.bring(database, catalog(tmp_path, "/sword.png"), BY, dry_run=True)
    assert len(dry[-1].changed) == 1
    assert (await shown(client) or "").startswith("/api/v1/")

    await importer.bring(database, catalog(tmp_path, "https://cdn.example/s.png"), BY)
    assert await shown(client) == "https://cdn.example/s.png"
    gone = await client.get(f"/api/v1/catalog/items/{ITEM}/icon")
    assert (gone.status_code, gone.json()["Code"]) == (404, "icon_not_found")

    await importer.bring(database, catalog(tmp_path, ""), BY)
    assert await shown(client) is None
    actions = await database.reader.rows(
        "SELECT after->'icons'->0->>'icon' AS icon FROM actions "
        "WHERE kind = 'catalog.import' AND after ? 'icons' ORDER BY id"
    )
    digest = hashlib.sha256(PICTURE).hexdigest()
    assert [row["icon"] for row in actions] == [f"PNG {digest}", "https://cdn.example/s.png", None]


async def test_a_bad_icon_refuses_the_whole_file_and_names_it(database, tmp_path):
    (tmp_path / "sword.png").write_bytes(b"no picture")

    with pytest.raises(InvalidCatalog) as refused:
        catalog(tmp_path, "sword.png")

    assert "items[0] ('Sword'), field icon: is not a PNG" in str(refused.value)
    assert await database.reader.value("SELECT count(*) FROM items") == 0
