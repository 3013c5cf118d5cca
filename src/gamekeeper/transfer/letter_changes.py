"""Changes of the letters of characters that exist; their items change with all others."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.actions import Action
from gamekeeper.players.mailbox.records import Letter, LetterKey
from gamekeeper.players.mailbox.rows import stored_items
from gamekeeper.players.overlay import Overlay
from gamekeeper.players.state import State
from gamekeeper.transfer.letters import letter_of
from gamekeeper.transfer.lines import PlayerLine


class LetterChanges:
    """The letters of a state; each change is an action, as if the letter were sent or withdrawn."""

    def __init__(self, state: State, letters: Overlay[LetterKey, Letter]) -> None:
        self._state, self._letters = state, letters

    @classmethod
    async def load(
        cls,
        writer: Writer,
        state: State,
        lines: Mapping[UUID, PlayerLine],
        there: Mapping[UUID, PlayerLine],
    ) -> "LetterChanges":
        ids = {
            letter.id
            for line in (*lines.values(), *there.values())
            for letter in line.mailbox or ()
        }
        return cls(state, await state.load_letters(writer, ids))

    def apply(self, line: PlayerLine, by: AuditContext) -> None:
        if line.mailbox is UNSET:
            return
        wanted = {(line.id, letter.id): letter_of(line.id, letter) for letter in line.mailbox}
        for key, letter in self._letters.items().items():
            if key[0] == line.id and letter.state == "open" and key not in wanted:
                ended = replace(letter, state="withdrawn", ended_at=letter.sent_at)
                self._put(letter, ended, by)
        for key, letter in wanted.items():
            now = self._letters.get(key)
            if now is None or now.state != "open" or now.attached != letter.attached:
                self._put(now, letter, by)

    def _put(self, before: Letter | None, after: Letter, by: AuditContext) -> None:
        self._letters.put(after.key, after)
        action = Action(
            kind="mail.send" if after.state == "open" else "mail.withdraw",
            by=by,
            player_id=after.player_id,
            before=_about(before) if before else None,
            after=_about(after),
        )
        self._state.record(action)


def _about(letter: Letter) -> dict[str, Any]:
    items = stored_items(letter.attached)
    return {"letter_id": letter.id, "state": letter.state, "items": items}
