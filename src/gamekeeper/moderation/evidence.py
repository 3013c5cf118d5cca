"""Chat lines as evidence: found in the chat log, and only by callers who may read them."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import NotFound, RoleRequired
from gamekeeper.db.database import Writer
from gamekeeper.sanctions.excerpts import ExcerptLine
from gamekeeper.servers.chat import lines, private
from gamekeeper.servers.chat.lines import ChatLine

MAX_LINES = 50


class ChatMessageNotFound(NotFound):
    """No chat message has that id. Messages are kept for 30 days."""

    cacheable = False


class Excerpts:
    """The chat lines that a list of commands names, read by two statements."""

    def __init__(
        self, known: Sequence[ChatLine], frozen: Mapping[tuple[UUID, UUID], ExcerptLine]
    ) -> None:
        self._known = {line.id: line for line in known}
        self._frozen = frozen

    @classmethod
    async def of(
        cls, writer: Writer, ids: Sequence[UUID], cases: Sequence[UUID] = ()
    ) -> "Excerpts":
        """The lines with these ids, and those that are frozen with cases and their reports."""
        return cls(await lines.find(writer, ids), await _frozen(writer, ids, cases))

    def chosen(
        self, ids: Sequence[UUID], caller: Principal | None, case: UUID | None = None
    ) -> tuple[ExcerptLine, ...]:
        """The lines with these ids, oldest first, or a Problem; `caller` None: the command line."""
        found = [self._line(id_, caller, case) for id_ in dict.fromkeys(ids)]
        return tuple(sorted(found, key=lambda line: (line.said_at, line.message_id)))

    def _line(self, id_: UUID, caller: Principal | None, case: UUID | None) -> ExcerptLine:
        line = self._frozen.get((case, id_)) if case else None
        if line is None:
            # Whoever handles a case reads its frozen chat; the log needs its own scope.
            _require(caller, "logs.read")
            logged = self._known.get(id_)
            if logged is None:
                raise ChatMessageNotFound(
                    f"No chat message with id '{id_}'. Messages are kept for 30 days."
                )
            line = lines.excerpt_line(logged)
        if line.channel == "pm":
            _require(caller, private.PERMISSION)
        return line


async def _frozen(
    writer: Writer, ids: Sequence[UUID], cases: Sequence[UUID]
) -> dict[tuple[UUID, UUID], ExcerptLine]:
    """Lines by case and id; those that were erased are left out."""
    if not cases:
        return {}
    rows = await writer.rows(
        """
        SELECT case_id, message_id, said_at, report_excerpts.server_id,
               report_excerpts.player_id, report_excerpts.user_id, player_name, channel, message,
               target_id, target_name
          FROM report_excerpts JOIN reports ON reports.id = report_id
         WHERE case_id = ANY($1) AND message_id = ANY($2) AND message IS NOT NULL
         UNION ALL
        SELECT case_id, message_id, said_at, server_id, player_id, user_id, player_name, channel,
               message, target_id, target_name
          FROM case_excerpts
         WHERE case_id = ANY($1) AND message_id = ANY($2) AND message IS NOT NULL
        """,
        list(cases),
        list(ids),
    )
    return {
        (row["case_id"], row["message_id"]): ExcerptLine(
            **{name: row[name] for name in ExcerptLine.__struct_fields__}
        )
        for row in rows
    }


def _require(caller: Principal | None, scope: str) -> None:
    """Otherwise a sanction would be a way to read what its moderator may not."""
    if caller and not caller.may(scope):
        raise RoleRequired(scope)
