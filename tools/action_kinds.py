"""
Write the console's table of action kinds from the registry: `python -m tools.action_kinds`.

The console shows kinds by label, icon and colour, and offers an undo only where there is one.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from gamekeeper.ledger.kinds.records import ActionKind, Group, Series, Tone
from gamekeeper.ledger.kinds.registry import ACTION_KINDS

FILE = Path(__file__).parents[1] / "console/src/parts/actions/kinds.generated.ts"

HEAD = """\
// Written by `just action-kinds` from src/gamekeeper/ledger/kinds: change it there.
import {{
{icons}
}} from "@tabler/icons-react";

{groups}
type Group = (typeof GROUPS)[number];

/** The series of the chart of actions, in the order in which they are drawn. */
{series}
export type Series = (typeof SERIES)[number];

/** What sort of change it is; each has a colour and a shape of its own. */
type Tone = {tones};

export interface KindFacts {{
  label: string;
  group: Group;
  tone: Tone;
  icon: typeof {first_icon};
  series: Series;
  /** What it is called as a change of a character's state; absent: it is none. */
  moment?: string;
  /** The scopes that undoing it needs, besides `actions.undo`; absent: it cannot be undone. */
  undo?: readonly string[];
}}

{kinds}

{families}

export const KINDS: Readonly<Record<Kind, KindFacts>> = {{
"""


def typescript() -> str:
    """The file, in the form that the formatter of the console gives it."""
    kinds = list(ACTION_KINDS.values())
    icons = sorted({_icon(kind) for kind in kinds})
    lines = [
        HEAD.format(
            icons="\n".join(f"  {icon}," for icon in icons),
            groups=_array("GROUPS", get_args(Group)),
            series=_array("SERIES", get_args(Series)),
            tones=" | ".join(map(_text, get_args(Tone))),
            first_icon=icons[0],
            kinds=_union("Kind", [kind.name for kind in kinds]),
            families=_union("Family", list(dict.fromkeys(kind.family for kind in kinds))),
        ).rstrip("\n")
    ]
    for kind in kinds:
        lines += [f"  {_key(kind.name)}: {{", *(f"    {fact}," for fact in _facts(kind)), "  },"]
    return "\n".join([*lines, "};", ""])


def _facts(kind: ActionKind) -> Iterator[str]:
    yield f"label: {_text(kind.look.label)}"
    yield f"group: {_text(kind.look.group)}"
    yield f"tone: {_text(kind.look.tone)}"
    yield f"icon: {_icon(kind)}"
    yield f"series: {_text(kind.look.series)}"
    if kind.moment:
        yield f"moment: {_text(kind.moment)}"
    if kind.undo:
        yield f"undo: [{', '.join(map(_text, kind.undo.scopes))}]"


def _icon(kind: ActionKind) -> str:
    """`arrows-exchange` is the component IconArrowsExchange."""
    return "Icon" + "".join(word.capitalize() for word in kind.look.icon.split("-"))


def _array(name: str, values: tuple[str, ...]) -> str:
    line = f"export const {name} = [{', '.join(map(_text, values))}] as const;"
    if len(line) <= 100:
        return line
    return "\n".join(
        [f"export const {name} = [", *(f"  {_text(one)}," for one in values), "] as const;"]
    )


def _union(name: str, values: list[str]) -> str:
    return "\n".join([f"export type {name} =", *(f"  | {_text(one)}" for one in values)]) + ";"


def _key(name: str) -> str:
    return name if name.isidentifier() else _text(name)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    FILE.write_text(typescript())
