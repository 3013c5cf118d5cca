"""
The line format (JSON Lines): one account, character, guild, sanction or game variable per line.

A field that is absent stays as it is; in a new entry it has its default. `inventory`, `bank`,
`mailbox`, `spells`, `members` and `variables` replace all that was there. A bag stands in the slot
that holds it, so it can be neither shared nor inside itself. The bounds are those of the character
sheet and of the tables; msgspec checks them while it decodes.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from gamekeeper.core.parsing import Scalar
from gamekeeper.players import sheet
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.mailbox.records import (
    MAX_ITEMS,
    MAX_SUBJECT_LENGTH,
    MAX_TEXT_LENGTH,
    OnExpiry,
    SenderKind,
)
from gamekeeper.sanctions.records import SanctionKind
from gamekeeper.users.accounts import PowerName

# No control characters, in any field: PostgreSQL cannot store NUL, terminals obey the others.
PRINTABLE = r"\A[^\x00-\x1f\x7f-\x9f]*\Z"
INT32, INT64 = 2**31 - 1, 2**63 - 1

Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=PRINTABLE)]
Text = Annotated[str, Meta(max_length=sheet.LONGEST_TEXT, pattern=PRINTABLE)]
Color = Annotated[str, Meta(pattern=rf"\A({sheet.COLOR.pattern})?\Z")]
Byte = Annotated[int, Meta(ge=0, le=sheet.BYTE.stop - 1)]
Count = Annotated[int, Meta(ge=0, le=sheet.COUNT.stop - 1)]
Wide = Annotated[int, Meta(ge=0, le=INT64)]
Coordinate = Annotated[int, Meta(ge=-INT32 - 1, le=INT32)]
Level = Annotated[int, Meta(ge=1, le=INT32)]
Quantity = Annotated[int, Meta(ge=1, le=INT32)]
Number = Annotated[int, Meta(ge=0, le=INT32)]
Pair = Annotated[list[Count], Meta(min_length=2, max_length=2)]
Five = Annotated[list[Count], Meta(min_length=5, max_length=5)]
Buffs = Annotated[tuple[Coordinate, ...], Meta(min_length=5, max_length=5)]
Worn = Annotated[list[Coordinate], Meta(max_length=sheet.MOST_EQUIPMENT)]
Instant = Annotated[datetime, Meta(tz=True)]
Prose = Annotated[str, Meta(max_length=2000, pattern=r"\A[^\x00]*\Z")]
"""Several lines of text, as staff write them."""
Evidence = Annotated[list[Prose], Meta(max_length=20)]
Actor = Annotated[str, Meta(max_length=500, pattern=PRINTABLE)]
Code = Annotated[str, Meta(pattern=r"\A[0-9A-Z]{4}-[0-9A-Z]{4}\Z")]
BankSize = Annotated[int, Meta(ge=0, le=10_000)]
MAX_MAILBOX = 1_000
"""More than a mailbox takes from others: returned letters have no limit."""
Hex = Annotated[str, Meta(pattern=r"\A[0-9A-Fa-f]{64}\Z")]


class PasswordField(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """
    A password record: `sealed` of another Gamekeeper with the same keys, or `sha256`.

    `sha256` is what the client sends, the SHA-256 of the password; with `salt` it is the
    SHA-256 of that in upper-case hexadecimal digits and the salt.
    """

    sha256: Hex | None = None
    salt: Annotated[str, Meta(min_length=1, max_length=128, pattern=PRINTABLE)] | None = None
    sealed: Annotated[str, Meta(max_length=1000, pattern=PRINTABLE)] | None = None

    def __repr__(self) -> str:
        return "PasswordField(***)"


class UserLine(Struct, tag_field="kind", tag="user", kw_only=True, forbid_unknown_fields=True):
    id: UUID
    name: Name | UnsetType = UNSET
    email: Annotated[str, Meta(max_length=254)] | UnsetType = UNSET
    password: PasswordField | UnsetType = UNSET
    powers: list[PowerName] | UnsetType = UNSET
    is_muted: bool | UnsetType = UNSET
    mute_reason: Annotated[str, Meta(max_length=500, pattern=PRINTABLE)] | UnsetType | None = UNSET
    created_at: Instant | UnsetType = UNSET
    language: Annotated[str, Meta(max_length=35, pattern=PRINTABLE)] | UnsetType | None = UNSET
    variables: dict[UUID, Scalar] | UnsetType = UNSET


class BagSlotLine(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    slot: Number
    item_id: UUID
    quantity: Quantity
    stat_buffs: Buffs = NO_BUFFS


class BagLine(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    id: UUID | None = None
    """None: derived from the slot, so that a second import names the same bag."""
    slot_count: Annotated[int, Meta(ge=1, le=500)] | None = None
    """None: as many as the catalog says."""
    slots: list[BagSlotLine] = []


class SlotLine(BagSlotLine, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    bag: BagLine | None = None


class SpellLine(Struct, forbid_unknown_fields=True, kw_only=True):
    slot: Number
    spell_id: UUID


class LetterItemLine(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    item_id: UUID
    quantity: Quantity
    stat_buffs: Buffs = NO_BUFFS
    bag: UUID | None = None
    """The id of an empty bag; None: derived from the letter, as in `BagLine`."""


class LetterLine(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An open letter. An export without private data has neither its subject nor its text."""

    id: UUID
    sender: SenderKind = "system"
    sender_id: UUID | None = None
    sender_name: Annotated[str, Meta(max_length=500, pattern=PRINTABLE)] | None = None
    subject: Annotated[str, Meta(max_length=MAX_SUBJECT_LENGTH, pattern=PRINTABLE)] = ""
    text: Annotated[str, Meta(max_length=MAX_TEXT_LENGTH, pattern=r"\A[^\x00]*\Z")] = ""
    items: Annotated[list[LetterItemLine], Meta(max_length=MAX_ITEMS)] = []
    sent_at: Instant
    expires_at: Instant
    on_expiry: OnExpiry = "destroy"
    read_at: Instant | None = None


class PlayerLine(Struct, tag_field="kind", tag="player", kw_only=True, forbid_unknown_fields=True):
    id: UUID
    user_id: UUID | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    class_id: UUID | UnsetType = UNSET
    gender: Byte | UnsetType = UNSET
    level: Level | UnsetType = UNSET
    exp: Wide | UnsetType = UNSET
    stat_points: Count | UnsetType = UNSET
    vitals: Pair | UnsetType = UNSET
    max_vitals: Pair | UnsetType = UNSET
    base_stats: Five | UnsetType = UNSET
    stat_point_allocations: Five | UnsetType = UNSET
    equipment: Worn | UnsetType = UNSET
    map_id: UUID | UnsetType = UNSET
    map_name: Text | UnsetType = UNSET
    x: Coordinate | UnsetType = UNSET
    y: Coordinate | UnsetType = UNSET
    z: Coordinate | UnsetType = UNSET
    dir: Byte | UnsetType = UNSET
    sprite: Text | UnsetType = UNSET
    face: Text | UnsetType = UNSET
    name_color: Color | UnsetType = UNSET
    last_online: Instant | UnsetType | None = UNSET
    created_at: Instant | UnsetType = UNSET
    play_time_seconds: Wide | UnsetType = UNSET
    inventory: list[SlotLine] | UnsetType = UNSET
    bank: list[SlotLine] | UnsetType = UNSET
    mailbox: Annotated[list[LetterLine], Meta(max_length=MAX_MAILBOX)] | UnsetType = UNSET
    """Its open letters."""
    spells: list[SpellLine] | UnsetType = UNSET
    variables: dict[UUID, Scalar] | UnsetType = UNSET
    extras: dict[str, Any] | UnsetType = UNSET
    """Data of another engine about the character that nothing here reads."""
    position: Wide | UnsetType = UNSET
    """In an export, the number of the last posting: it shows whether items moved since."""


class MemberLine(Struct, forbid_unknown_fields=True, kw_only=True):
    player_id: UUID
    rank: Number
    joined_at: Instant | UnsetType = UNSET


class GuildLine(Struct, tag_field="kind", tag="guild", kw_only=True, forbid_unknown_fields=True):
    id: UUID
    name: Name | UnsetType = UNSET
    founded_at: Instant | UnsetType = UNSET
    bank_slots: BankSize | UnsetType = UNSET
    instance_id: UUID | UnsetType = UNSET
    members: list[MemberLine] | UnsetType = UNSET
    bank: list[BagSlotLine] | UnsetType = UNSET
    variables: dict[UUID, Scalar] | UnsetType = UNSET
    position: Wide | UnsetType = UNSET


class SanctionLine(
    Struct, tag_field="kind", tag="sanction", kw_only=True, forbid_unknown_fields=True
):
    """A sanction; `type` is what the API calls its kind, which here is the kind of the line."""

    id: UUID
    type: SanctionKind | UnsetType = UNSET
    code: Code | UnsetType = UNSET
    user_id: UUID | UnsetType = UNSET
    player_id: UUID | UnsetType | None = UNSET
    starts_at: Instant | UnsetType = UNSET
    ends_at: Instant | UnsetType | None = UNSET
    message: Prose | UnsetType = UNSET
    reason: Prose | UnsetType = UNSET
    evidence: Evidence | UnsetType = UNSET
    template: Text | UnsetType | None = UNSET
    step: Number | UnsetType | None = UNSET
    imposed_at: Instant | UnsetType = UNSET
    imposed_by: Actor | UnsetType = UNSET
    imposed_by_name: Actor | UnsetType = UNSET
    lifted_at: Instant | UnsetType | None = UNSET
    lifted_by: Actor | UnsetType | None = UNSET
    lifted_by_name: Actor | UnsetType | None = UNSET
    lift_reason: Prose | UnsetType | None = UNSET


class GameVariableLine(
    Struct, tag_field="kind", tag="game_variable", kw_only=True, forbid_unknown_fields=True
):
    id: UUID
    """Of the variable in the catalog."""
    value: Scalar


Line = UserLine | PlayerLine | GuildLine | SanctionLine | GameVariableLine
NESTED = frozenset(
    ("password", "inventory", "bank", "mailbox", "spells", "variables", "extras", "position")
)
FLAT = tuple(
    name
    for name in (*UserLine.__struct_fields__, *PlayerLine.__struct_fields__)
    if name not in NESTED
)
"""The fields that a CSV file may have, besides `kind`."""
LISTS = frozenset(
    ("powers", "vitals", "max_vitals", "base_stats", "stat_point_allocations", "equipment")
)

_DECODER = msgspec.json.Decoder(Line)
_KINDS: dict[str, Any] = {"user": UserLine, "player": PlayerLine}


class Fault(Struct, frozen=True, order=True):
    """What is wrong with a line; `field` is empty if it is the line as a whole."""

    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}{f', {self.field}' if self.field else ''}: {self.reason}"


class InvalidLine(Exception):
    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field, self.reason = field, reason


def decode(raw: bytes) -> Line:
    """Decode a line of JSON; raises InvalidLine, which names the field."""
    try:
        return _DECODER.decode(raw)
    except msgspec.ValidationError as fault:
        raise _invalid(str(fault)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise InvalidLine("", f"not valid JSON: {fault}") from None


def convert(header: Sequence[str], cells: Sequence[str]) -> Line:
    """Convert a row of CSV; an empty cell is an absent field."""
    if len(cells) != len(header):
        raise InvalidLine("", f"has {len(cells)} cells, but the header has {len(header)}")
    given: dict[str, Any] = {
        name: cell.split() if name in LISTS else cell
        for name, cell in zip(header, cells, strict=True)
        if cell
    }
    shape = _KINDS.get(given.pop("kind", ""))
    if shape is None:
        raise InvalidLine("kind", "must be user or player")
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as fault:
        raise _invalid(str(fault)) from None


def _invalid(fault: str) -> InvalidLine:
    """Split 'Expected `int`, got `str` - at `$.bank[0].slot`' into field and reason."""
    what, _, path = fault.partition(" - at `$")
    reason = what.replace("`", "'")
    if "matching regex" in reason:
        reason = "must not contain control characters, or has the wrong form"
    return InvalidLine(path.removeprefix(".").removesuffix("`"), reason[:1].lower() + reason[1:])
