"""Letters in mailboxes: as lines, their rules, and how they are added with new characters."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC
from typing import Any, LiteralString
from uuid import UUID, uuid5

import msgspec

from gamekeeper.db.database import Queryable, Writer
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.records import Letter, LetterItem, LetterSender
from gamekeeper.transfer.bulk_rows import Rows, copy
from gamekeeper.transfer.item_checks import Faults
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.lines import LetterItemLine, LetterLine, PlayerLine

# ── Stored letters ──


async def read_letters(
    reader: Queryable, players: Sequence[UUID], *, private: bool
) -> defaultdict[UUID, list[LetterLine]]:
    """The open letters of each character, by id; subjects and texts only if `private`."""
    items: defaultdict[tuple[UUID, UUID], list[LetterItemLine]] = defaultdict(list)
    for player, letter, item, quantity, buffs, bag in await reader.rows(ITEMS, list(players)):
        found = LetterItemLine(item_id=item, quantity=quantity, bag=bag)
        found.stat_buffs = tuple(buffs) if any(buffs) else NO_BUFFS
        items[player, letter].append(found)
    lines: defaultdict[UUID, list[LetterLine]] = defaultdict(list)
    for row in await reader.rows(LETTERS, list(players)):
        letter = rows.letter_of(row)
        lines[letter.player_id].append(_line(letter, items[letter.key], private=private))
    return lines


def _line(letter: Letter, items: list[LetterItemLine], *, private: bool) -> LetterLine:
    return LetterLine(
        id=letter.id,
        sender=letter.sender.kind,
        sender_id=letter.sender.id,
        sender_name=letter.sender.name,
        subject=letter.subject if private else "",
        text=letter.text if private else "",
        items=items,
        sent_at=letter.sent_at,
        expires_at=letter.expires_at,
        on_expiry=letter.on_expiry,
        read_at=letter.read_at,
    )


LETTERS: LiteralString = f"""
    SELECT {rows.COLUMNS} FROM letters
     WHERE player_id = ANY($1) AND state = 'open'
     ORDER BY player_id, id
"""

ITEMS: LiteralString = """
    SELECT player_id, letter_id, item_id, quantity, stat_buffs, bag_id
      FROM letter_slots
     WHERE player_id = ANY($1)
     ORDER BY player_id, letter_id, slot
"""


# ── Rules ──


def check_letters(line: PlayerLine, catalog: KnownCatalog) -> Faults:
    """Normalise the letters of a line; yields what is wrong with them."""
    seen: set[UUID] = set()
    for index, letter in enumerate(line.mailbox or ()):
        where = f"mailbox[{index}]"
        if letter.id in seen:
            yield f"{where}.id", f"the letter {letter.id} is there twice"
        seen.add(letter.id)
        for name in ("sent_at", "expires_at", "read_at"):
            if at := getattr(letter, name):
                try:
                    setattr(letter, name, at.astimezone(UTC))
                except OverflowError:
                    yield f"{where}.{name}", "is before the year 1 or after 9999 in UTC"
        for number, item in enumerate(letter.items):
            yield from _check_item(f"{where}.items[{number}]", letter, number, item, catalog)
    if line.mailbox:
        line.mailbox.sort(key=lambda letter: letter.id)


def _check_item(
    where: str, letter: LetterLine, number: int, line: LetterItemLine, catalog: KnownCatalog
) -> Faults:
    item = catalog.items.get(line.item_id)
    if item is None:
        yield f"{where}.item_id", f"the catalog has no item {line.item_id}"
    elif item.bag_slots:
        line.bag = line.bag or uuid5(letter.id, f"{line.item_id}/{number}")
        if line.quantity != 1:
            yield f"{where}.quantity", f"is {line.quantity}, but {item.name} stacks to 1"
    elif line.bag:
        yield f"{where}.bag", f"{item.name} is not a bag"


# ── New characters ──


def letter_of(player: UUID, line: LetterLine) -> Letter:
    return Letter(
        player_id=player,
        id=line.id,
        sender=LetterSender(kind=line.sender, id=line.sender_id, name=line.sender_name),
        subject=line.subject,
        text=line.text,
        attached=tuple(
            LetterItem(item_id=item.item_id, quantity=item.quantity, stat_buffs=item.stat_buffs)
            for item in line.items
        ),
        sent_at=line.sent_at,
        expires_at=line.expires_at,
        on_expiry=line.on_expiry,
        read_at=line.read_at,
    )


async def add_letters(writer: Writer, lines: Sequence[PlayerLine], catalog: KnownCatalog) -> None:
    """Write the letters of new characters, with their items."""
    found = [(line.id, letter) for line in lines for letter in line.mailbox or ()]
    if not found:
        return
    await rows.save(
        writer, {(player, letter.id): letter_of(player, letter) for player, letter in found}
    )
    bags: Rows = []
    slots: Rows = []
    for player, letter in found:
        for number, item in enumerate(letter.items):
            if item.bag:
                bags.append((player, item.bag, catalog.items[item.item_id].bag_slots))
            slots.append(
                (
                    *(player, letter.id, number, item.item_id, item.quantity),
                    *(list(item.stat_buffs), item.bag),
                )
            )
    await copy(writer, "bags", ("player_id", "id", "slot_count"), bags)
    owners = sorted((bag, player) for player, bag, _ in bags)
    await copy(writer, "bag_owners", ("bag_id", "player_id"), owners)
    await copy(writer, "letter_slots", SLOT_COLUMNS, slots)


SLOT_COLUMNS = ("player_id", "letter_id", "slot", "item_id", "quantity", "stat_buffs", "bag_id")


def without_texts(mailbox: Any) -> Any:
    """Letters to compare: a file without private data has no texts, and theirs stay."""
    if not mailbox:
        return []
    return [msgspec.structs.replace(letter, subject="", text="") for letter in mailbox]
