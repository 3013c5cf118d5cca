"""Everything that some transactions are about, held in memory while they are decided."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec import structs

from gamekeeper.catalog import items, spells, variables
from gamekeeper.catalog.spells import Spell, UnknownSpell
from gamekeeper.catalog.variables import Variable
from gamekeeper.database import Writer
from gamekeeper.players import belongings, progress
from gamekeeper.players.belongings import Belongings
from gamekeeper.players.progress import InvalidProgress, Progress
from gamekeeper.players.spells import SpellAlreadyKnown, SpellbookFull, SpellBound, SpellNotKnown
from gamekeeper.scalars import Scalar
from gamekeeper.transactions import moves
from gamekeeper.transactions.goods import Goods
from gamekeeper.transactions.moves import Items, Level, Move
from gamekeeper.transactions.sheets import Sheet

Mark = tuple[belongings.Mark, int, int, int]
Page = tuple[UUID, int]
"""A character, and the slot of a spell."""


class World:
    def __init__(self, goods: Goods, spell_slots: int) -> None:
        self.goods = goods
        self._spell_slots = spell_slots
        self._heads: dict[UUID, int] = {}
        self.declared: dict[UUID, Variable] = {}
        self._spells: dict[UUID, Spell] = {}
        self.variables: Sheet[tuple[UUID, UUID], Scalar] = Sheet({})
        self._books: Sheet[Page, UUID] = Sheet({})
        self._levels: Sheet[UUID, Progress] = Sheet({})

    @classmethod
    async def of(cls, writer: Writer, players: Sequence[UUID], wanted: Sequence[Move]) -> "World":
        """What `players`, whose rows must be locked, have of what the moves are about."""
        carried = await Belongings.of(writer, players)
        sizes = await carried.open_bags(writer, players)
        known = await items.known(writer, await _items_of(writer, players, wanted))
        world = cls(Goods(carried, sizes, known, writer.settings), writer.settings.spell_slots)
        rows = await writer.rows(
            "SELECT player_id, seq FROM ledger_heads WHERE player_id = ANY($1)", list(players)
        )
        world._heads = {row["player_id"]: row["seq"] for row in rows}
        await world._load_traits(writer, players, wanted)
        return world

    async def _load_traits(
        self, writer: Writer, players: Sequence[UUID], wanted: Sequence[Move]
    ) -> None:
        """Only of what anybody asks for: most transactions are about items alone."""
        if ids := [move.variable_id for move in wanted if isinstance(move, moves.Variable)]:
            self.declared = await variables.known(writer, ids)
            rows = await writer.rows(
                """
                SELECT player_id, variable_id, value FROM player_variables
                 WHERE player_id = ANY($1) AND variable_id = ANY($2)
                """,
                list(players),
                ids,
            )
            stored = {(row["player_id"], row["variable_id"]): row["value"] for row in rows}
            self.variables = Sheet(stored)
        if ids := [move.spell_id for move in wanted if isinstance(move, moves.Spell)]:
            self._spells = await spells.known(writer, ids)
            rows = await writer.rows(
                "SELECT player_id, slot, spell_id FROM player_spells WHERE player_id = ANY($1)",
                list(players),
            )
            self._books = Sheet({(row["player_id"], row["slot"]): row["spell_id"] for row in rows})
        if any(isinstance(move, Level) for move in wanted):
            self._levels = Sheet(await progress.of(writer, players))

    # ── Marks ──

    def mark(self) -> Mark:
        carried = self.goods.belongings.mark()
        return carried, self.variables.mark(), self._books.mark(), self._levels.mark()

    def back(self, mark: Mark) -> None:
        self.goods.belongings.back(mark[0])
        self.variables.back(mark[1])
        self._books.back(mark[2])
        self._levels.back(mark[3])

    def seq(self, player: UUID) -> int:
        """How far a character's ledger has come, with what was decided just now."""
        return self._heads.get(player, 0) + self.goods.belongings.posted[player]

    # ── Rules ──

    def learn(self, player: UUID, spell: UUID, *, teach: bool) -> int:
        """Teach a spell, or make it forgotten; the slot it is or was in."""
        if spell not in self._spells:
            raise UnknownSpell
        book = {slot: one for (whose, slot), one in self._books.items().items() if whose == player}
        known = next((slot for slot, one in book.items() if one == spell), None)
        if teach:
            if known is not None:
                raise SpellAlreadyKnown
            free = set(range(self._spell_slots)) - book.keys()
            if not free:
                raise SpellbookFull
            known = min(free)
        elif known is None:
            raise SpellNotKnown
        elif self._spells[spell].bound:
            raise SpellBound
        self._books.put((player, known), spell if teach else None)
        return known

    def advance(self, player: UUID, move: Level) -> tuple[Progress, Progress]:
        """Give a character a level and experience; what it had before, and has after."""
        before = self._levels.get(player)
        assert before is not None
        after = structs.replace(
            before,
            level=before.level if move.level is None else move.level,
            exp=(before.exp if move.exp is None else move.exp) + (move.gain or 0),
        )
        if not after.is_possible:
            raise InvalidProgress(None, highest=before.highest)
        self._levels.put(player, after)
        return before, after

    # ── Saving ──

    async def save(self, writer: Writer) -> None:
        await self.goods.belongings.save(writer)
        await _save_variables(writer, self.variables.changed())
        await _save_spells(writer, self._books.changed())
        changed = self._levels.changed()
        await progress.set_levels_and_exp(writer, {k: v for k, v in changed.items() if v})


async def _items_of(writer: Writer, players: Sequence[UUID], wanted: Sequence[Move]) -> set[UUID]:
    """The items that moves name, and those that lie in slots they name instead."""
    named = {move.item_id for move in wanted if isinstance(move, Items) and move.item_id}
    if any(
        isinstance(move, Items) and move.source and move.source.slot is not None for move in wanted
    ):
        rows = await writer.rows(
            """
            SELECT item_id FROM slots WHERE player_id = ANY($1)
            UNION
            SELECT item_id FROM bag_slots WHERE player_id = ANY($1)
            """,
            list(players),
        )
        named |= {row["item_id"] for row in rows}
    return named


async def _save_variables(
    writer: Writer, changed: Mapping[tuple[UUID, UUID], Scalar | None]
) -> None:
    if changed:
        await writer.run(
            """
            INSERT INTO player_variables (player_id, variable_id, value)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[])
            ON CONFLICT (player_id, variable_id) DO UPDATE SET value = excluded.value
            """,
            [player for player, _ in changed],
            [variable for _, variable in changed],
            [msgspec.json.encode(value).decode() for value in changed.values()],
        )


async def _save_spells(writer: Writer, changed: Mapping[Page, UUID | None]) -> None:
    if not changed:
        return
    await writer.run(
        """
        DELETE FROM player_spells
         WHERE (player_id, slot) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))
        """,
        [player for player, _ in changed],
        [slot for _, slot in changed],
    )
    taught = {page: spell for page, spell in changed.items() if spell}
    await writer.run(
        """
        INSERT INTO player_spells (player_id, slot, spell_id)
        SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[])
        """,
        [player for player, _ in taught],
        [slot for _, slot in taught],
        list(taught.values()),
    )
