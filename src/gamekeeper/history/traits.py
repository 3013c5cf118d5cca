"""What a character knows and what the game remembers of it: spells and variables, put back."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from gamekeeper.catalog import spells as catalog
from gamekeeper.catalog.spells import Spell
from gamekeeper.database import Writer
from gamekeeper.history.changes import Change, Obstacle, Plan, blocked
from gamekeeper.history.deeds import Deed
from gamekeeper.scalars import INT64

Page = tuple[UUID, int]
"""A player, and a slot of that player's spellbook."""


class Spells:
    """The spellbooks of all players whose deeds are being undone."""

    def __init__(self) -> None:
        self._catalog: dict[UUID, Spell] = {}
        self._stored: dict[Page, UUID] = {}
        self._now: dict[Page, UUID] = {}
        self._slots = 0

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        self._slots = writer.settings.spell_slots
        self._catalog = await catalog.known(writer, {_spell(deed) for deed in deeds})
        rows = await writer.rows(
            "SELECT player_id, slot, spell_id FROM player_spells WHERE player_id = ANY($1)",
            [deed.player_id for deed in deeds],
        )
        self._stored = {(row["player_id"], row["slot"]): row["spell_id"] for row in rows}
        self._now = dict(self._stored)

    def plan(self, deed: Deed) -> Plan:
        assert deed.player_id is not None
        spell = _spell(deed)
        known = next(
            (page for page, one in self._now.items() if page[0] == deed.player_id and one == spell),
            None,
        )
        return self._forget(spell, known) if deed.after else self._teach(deed, spell, known)

    def _forget(self, spell: UUID, page: Page | None) -> Plan:
        if page is None:
            return blocked(Obstacle(reason="spell_not_known", what="spell", id=spell))
        if spell in self._catalog and self._catalog[spell].bound:
            return blocked(Obstacle(reason="spell_bound", what="spell", id=spell))

        def carry_out(action: UUID) -> tuple[Any, Any]:
            del self._now[page]
            return {"spell_id": spell, "slot": page[1]}, None

        change = Change(what="spell", id=spell, slot=page[1], quantity=-1)
        return Plan(changes=[change], carry_out=carry_out)

    def _teach(self, deed: Deed, spell: UUID, known: Page | None) -> Plan:
        player = deed.player_id
        assert player is not None
        if known is not None:
            return blocked(Obstacle(reason="spell_already_known", what="spell", id=spell))
        free = [slot for slot in range(self._slots) if (player, slot) not in self._now]
        if not free:
            return blocked(Obstacle(reason="spellbook_full", what="spell", id=spell))
        former = deed.before.get("slot")
        slot = former if former in free else free[0]

        def carry_out(action: UUID) -> tuple[Any, Any]:
            self._now[player, slot] = spell
            return None, {"spell_id": spell, "slot": slot}

        change = Change(what="spell", id=spell, slot=slot, quantity=1)
        return Plan(changes=[change], carry_out=carry_out)

    async def save(self, writer: Writer) -> None:
        gone = [page for page, spell in self._stored.items() if self._now.get(page) != spell]
        new = {page: spell for page, spell in self._now.items() if self._stored.get(page) != spell}
        await writer.run(
            """
            DELETE FROM player_spells
             WHERE (player_id, slot) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))
            """,
            [player for player, _ in gone],
            [slot for _, slot in gone],
        )
        await writer.run(
            """
            INSERT INTO player_spells (player_id, slot, spell_id)
            SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[])
            """,
            [player for player, _ in new],
            [slot for _, slot in new],
            list(new.values()),
        )


def _spell(deed: Deed) -> UUID:
    return UUID(deed.state["spell_id"])


class Variables:
    """The variables that are being put back; None for one that is not set."""

    def __init__(self) -> None:
        self._stored: dict[tuple[UUID, UUID], Any] = {}
        self._now: dict[tuple[UUID, UUID], Any] = {}

    async def load(self, writer: Writer, deeds: Sequence[Deed], *, lasting: bool) -> None:
        rows = await writer.rows(
            """
            SELECT player_id, variable_id, value FROM player_variables
             WHERE player_id = ANY($1) AND variable_id = ANY($2)
            """,
            [deed.player_id for deed in deeds],
            [_variable(deed) for deed in deeds],
        )
        self._stored = {
            (row["player_id"], row["variable_id"]): _value(row["value"]) for row in rows
        }
        self._now = dict(self._stored)

    def plan(self, deed: Deed) -> Plan:
        assert deed.player_id is not None
        variable = _variable(deed)
        spot = (deed.player_id, variable)
        former, left = _value(deed.before["value"]), _value(deed.after["value"])
        now = self._now.get(spot)
        if now != left:
            return blocked(
                Obstacle(
                    reason="changed_since", what="variable", id=variable, expected=left, found=now
                )
            )

        def carry_out(action: UUID) -> tuple[Any, Any]:
            self._now[spot] = former
            about = {"variable_id": variable}
            return about | {"value": now}, about | {"value": former}

        change = Change(what="variable", id=variable, before=now, after=former)
        return Plan(changes=[change], carry_out=carry_out)

    async def save(self, writer: Writer) -> None:
        changed = {
            spot: value for spot, value in self._now.items() if value != self._stored.get(spot)
        }
        unset = [spot for spot, value in changed.items() if value is None]
        assigned = {spot: value for spot, value in changed.items() if value is not None}
        await writer.run(
            """
            DELETE FROM player_variables
             WHERE (player_id, variable_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
            """,
            [player for player, _ in unset],
            [variable for _, variable in unset],
        )
        await writer.run(
            """
            INSERT INTO player_variables (player_id, variable_id, value)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[])
            ON CONFLICT (player_id, variable_id) DO UPDATE SET value = excluded.value
            """,
            [player for player, _ in assigned],
            [variable for _, variable in assigned],
            [msgspec.json.encode(value).decode() for value in assigned.values()],
        )


def _variable(deed: Deed) -> UUID:
    return UUID(deed.state["variable_id"])


def _value(stored: Any) -> Any:
    """A value as it was set: PostgreSQL writes 1e300 as a one with three hundred noughts."""
    return float(stored) if isinstance(stored, int) and stored not in INT64 else stored
