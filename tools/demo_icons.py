"""
Makes the PNG icons of the demo's items from their SVG sources, with Chromium.

    python tools/demo_icons.py [SHEET.png]

The sources are src/gamekeeper/demo/icons/*.svg, drawn for this project: 64 × 64, flat, three
tones of one colour, light from the left, one dark outline. The service serves PNG only, because
an SVG can hold scripts; so whoever draws one runs this and commits both. With SHEET.png it also
takes a picture of all of them, on light and on dark.
"""

import struct
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent.parent / "src" / "gamekeeper" / "demo" / "icons"
CHROMIUM = "/usr/bin/chromium-headless-shell"
SIDE = 64
COLOURS = 256
STYLE = """
    body { margin: 0; font: 10px sans-serif }
    section { display: grid; grid-template-columns: repeat(12, 90px); padding: 12px; gap: 6px }
    figure { margin: 0; text-align: center }
    .dark { background: #1a1b1e; color: #ccc }
"""

Pixel = tuple[int, ...]


def main() -> None:
    sources = sorted(FOLDER.glob("*.svg"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        page = browser.new_page(viewport={"width": SIDE, "height": SIDE})
        for source in sources:
            page.set_content(f"<style>body{{margin:0}} svg{{display:block}}</style>{svg(source)}")
            png = page.screenshot(omit_background=True)
            source.with_suffix(".png").write_bytes(indexed(list(pixels(png))))
        for target in sys.argv[1:]:
            photograph(page, sources, target)
        browser.close()


def svg(source: Path) -> str:
    return source.read_text()


def photograph(page: Page, sources: list[Path], target: str) -> None:
    """All icons, on light and on dark."""
    cells = "".join(
        f"<figure>{svg(one)}<figcaption>{one.stem}</figcaption></figure>" for one in sources
    )
    page.set_viewport_size({"width": 1170, "height": 900})
    page.set_content(
        f"<style>{STYLE}</style><section>{cells}</section><section class=dark>{cells}</section>"
    )
    page.screenshot(path=target, full_page=True)


# ── A palette makes them half as large ──


def pixels(png: bytes) -> Iterator[Pixel]:
    """The pixels of a PNG of eight bits for each of red, green, blue and alpha."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    raw, width = zlib.decompress(data), SIDE * 4
    before = bytes(width)
    for row in range(SIDE):
        begin = row * (width + 1)
        before = unfiltered(raw[begin], raw[begin + 1 : begin + 1 + width], before)
        for x in range(0, width, 4):
            yield tuple(before[x : x + 4])


def unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A line without its filter (PNG, chapter 9)."""
    done = bytearray()
    for at, value in enumerate(line):
        left, corner = (done[at - 4], above[at - 4]) if at >= 4 else (0, 0)
        guess = left + above[at] - corner
        near = min((left, above[at], corner), key=lambda one: abs(guess - one))
        added = (0, left, above[at], (left + above[at]) // 2, near)[kind]
        done.append((value + added) & 255)
    return bytes(done)


def indexed(found: list[Pixel]) -> bytes:
    """A PNG with a palette; colours are rounded until there are few enough."""
    step = 1
    while True:
        rounded = [
            (*(min(255, round(part / step) * step) for part in pixel),) if pixel[3] else (0,) * 4
            for pixel in found
        ]
        palette = sorted(set(rounded), key=lambda pixel: pixel[3])
        if len(palette) <= COLOURS:
            break
        step += 2
    places = {pixel: number for number, pixel in enumerate(palette)}
    lines = [
        b"\0" + bytes(places[pixel] for pixel in rounded[begin : begin + SIDE])
        for begin in range(0, len(rounded), SIDE)
    ]
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", SIDE, SIDE, 8, 3, 0, 0, 0),
        b"PLTE": bytes(part for pixel in palette for part in pixel[:3]),
        b"tRNS": bytes(pixel[3] for pixel in palette if pixel[3] < 255),
        b"IDAT": zlib.compress(b"".join(lines), 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks.items()
    )


if __name__ == "__main__":
    main()
