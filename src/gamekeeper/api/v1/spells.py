"""Endpoints of characters' spells: known, taught, forgotten."""

from uuid import UUID

from gamekeeper.api.path_parameters import PlayerKey
from gamekeeper.api.v1.players import READ, NamedAsOf
from gamekeeper.catalog.spells import UnknownSpell
from gamekeeper.core.schemas import Body, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import as_of
from gamekeeper.http.routing import Routes
from gamekeeper.players import display_names, spells
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.spells import KnownSpell

routes = Routes("/api/v1/players")


@routes.get("/{key}/spells", READ, raises=(PlayerNotFound,))
async def list_spells(reader: Reader, key: PlayerKey, query: NamedAsOf) -> list[KnownSpell]:
    """The spells a character knows, now or as of an instant."""
    found = (
        await as_of.spells(reader, key, query.at)
        if query.at
        else await spells.known_spells(reader, key)
    )
    return await display_names.with_spell_names(reader, found) if query.names else found


class SpellLesson(Body, frozen=True):
    spell_id: UUID
    """The spell's id."""


class SpellLearned(Record, frozen=True):
    spell_id: UUID


def _learned(lesson: spells.Lesson) -> SpellLearned:
    return SpellLearned(spell_id=lesson.spell_id)


@routes.post(
    "/{key}/spells/teach",
    "players.spells",
    raises=(PlayerNotFound, UnknownSpell, spells.SpellAlreadyKnown, spells.SpellbookFull),
)
async def teach_spell(
    database: Database, by: AuditContext, key: PlayerKey, body: SpellLesson
) -> SpellLearned:
    """Teach a character a spell."""
    order = spells.Lesson(by=by, player=key, spell_id=body.spell_id)
    return await spells.teach.one(database, order, _learned)


@routes.post(
    "/{key}/spells/forget",
    "players.spells",
    raises=(PlayerNotFound, UnknownSpell, spells.SpellNotKnown, spells.SpellBound),
)
async def forget_spell(
    database: Database, by: AuditContext, key: PlayerKey, body: SpellLesson
) -> SpellLearned:
    """Remove a spell from a character."""
    order = spells.Lesson(by=by, player=key, spell_id=body.spell_id)
    return await spells.forget.one(database, order, _learned)
