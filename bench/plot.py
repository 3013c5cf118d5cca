"""Bar chart of the shares: an SVG that is readable on light and dark backgrounds."""

from collections.abc import Sequence
from itertools import groupby
from xml.sax.saxutils import escape

from msgspec import Struct

from bench.ratios import Row

WIDTH = 860
LEFT, RIGHT, TOP = 212, 64, 110
BAR, GAP = 13, 12


class Peer(Struct, frozen=True):
    """The share that another project's server reached, against a comparable baseline."""

    name: str
    share: float


PEERS = (
    Peer("FastAPI + ORM, read", 0.05),
    Peer("Nakama, read", 0.20),
    Peer("Nakama, write", 0.29),
)

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f }
.title { font-size: 17px; font-weight: 600 }
.quiet { fill: #57606a; font-size: 12px }
.end { text-anchor: end } .middle { text-anchor: middle }
.grid { stroke: #d0d7de } .peer { stroke: #a4501c; stroke-dasharray: 4 3 }
.bare { stroke: #24292f } .named { fill: #a4501c; font-size: 12px }
.one { fill: #35523f } .two { fill: #86ab8f }
.spread { stroke: #24292f; stroke-width: 1.3; opacity: .65 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .quiet { fill: #9da7b1 }
  .grid { stroke: #373e47 } .peer { stroke: #e0935c } .named { fill: #e0935c }
  .bare, .spread { stroke: #e6edf3 } .one { fill: #7fb38d } .two { fill: #45654f }
}
"""


def svg(rows: Sequence[Row], subtitle: str) -> str:
    """A bar for each row, a line for each peer, and one for PostgreSQL itself."""
    groups = [list(group) for _, group in groupby(rows, key=lambda row: row.title)]
    height = TOP + sum(len(group) * BAR + GAP for group in groups) + 58
    scale = _scale(rows)
    bottom = height - 52
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"',
            f'width="{WIDTH}" height="{height}" role="img" aria-label="{TITLE}">',
            f"<style>{STYLE}</style>",
            f'<text class="title" x="14" y="26">{TITLE}</text>',
            f'<text class="quiet" x="14" y="45">{escape(subtitle)}</text>',
            *_axis(scale, bottom),
            *_bars(groups, scale),
            *_peers(scale, bottom),
            *_legend(rows, height - 14),
            "</svg>\n",
        ]
    )


TITLE = "Requests per second, as a share of what PostgreSQL does bare"


class Scale(Struct, frozen=True):
    most: float

    def __call__(self, share: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(share, self.most) / self.most, 1)


def _scale(rows: Sequence[Row]) -> Scale:
    """As wide as the longest bar, but not so wide that the peers' lines merge."""
    longest = max([1.0, *(row.share.median for row in rows if row.share)])
    return Scale(min(1.6, longest * 1.04))


def _axis(scale: Scale, bottom: int) -> list[str]:
    steps = [step / 10 for step in range(0, int(scale.most * 10) + 1, 2)]
    lines = [
        f'<line class="{"bare" if step == 1 else "grid"}" x1="{scale(step)}" y1="{TOP - 8}" '
        f'x2="{scale(step)}" y2="{bottom}"/>'
        f'<text class="quiet middle" x="{scale(step)}" y="{bottom + 16}">{step:.1f}</text>'
        for step in steps
    ]
    return [*lines, f'<text class="middle" x="{scale(1)}" y="{TOP - 14}">PostgreSQL, bare</text>']


def _bars(groups: Sequence[Sequence[Row]], scale: Scale) -> list[str]:
    drawn, top = [], TOP
    for group in groups:
        middle = top + len(group) * BAR / 2 + 4.5
        name = escape(group[0].title)
        drawn.append(f'<text class="end" x="{LEFT - 10}" y="{middle}">{name}</text>')
        for row in group:
            drawn.append(_bar(row, scale, top))
            top += BAR
        top += GAP
    return drawn


def _bar(row: Row, scale: Scale, top: int) -> str:
    if row.share is None:
        return f'<text class="quiet" x="{LEFT + 6}" y="{top + 11}">void: see the notes</text>'
    end, least, most = scale(row.share.median), scale(row.share.least), scale(row.share.most)
    middle = top + BAR / 2 - 0.5
    return (
        f'<rect class="{"one" if row.workers == 1 else "two"}" x="{LEFT}" y="{top}" '
        f'width="{end - LEFT:.1f}" height="{BAR - 1}"/>'
        f'<line class="spread" x1="{least}" y1="{middle}" x2="{most}" y2="{middle}"/>'
        f'<text class="quiet" x="{max(end, most) + 6}" y="{top + 10.5}">'
        f"{row.share.median:.2f}</text>"
    )


def _peers(scale: Scale, bottom: int) -> list[str]:
    """The peers' names, stacked, because their lines are close together."""
    return [
        f'<line class="peer" x1="{scale(peer.share)}" y1="{y + 4}" '
        f'x2="{scale(peer.share)}" y2="{bottom}"/>'
        f'<text class="named" x="{scale(peer.share) + 4}" y="{y + 8}">'
        f"{escape(peer.name)} {peer.share:.2f}</text>"
        for peer, y in zip(PEERS, (TOP - 50, TOP - 35, TOP - 20), strict=True)
    ]


def _legend(rows: Sequence[Row], y: int) -> list[str]:
    words, x = [], LEFT
    for number in sorted({row.workers for row in rows}):
        name = "1 worker process" if number == 1 else f"{number} worker processes"
        words.append(
            f'<rect class="{"one" if number == 1 else "two"}" x="{x}" y="{y - 10}" '
            f'width="12" height="12"/><text class="quiet" x="{x + 18}" y="{y}">{name}</text>'
        )
        x += 150
    words.append(
        f'<text class="quiet" x="{x}" y="{y}">thin line: least to most of all rounds</text>'
    )
    return words
