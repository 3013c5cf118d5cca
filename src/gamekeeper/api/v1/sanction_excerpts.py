"""Chat messages that are the evidence of sanctions."""

from gamekeeper.api.path_parameters import SanctionKey
from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Reader
from gamekeeper.http.routing import Routes
from gamekeeper.moderation import lists
from gamekeeper.sanctions import excerpts
from gamekeeper.sanctions.excerpts import SanctionExcerpt
from gamekeeper.sanctions.records import SanctionNotFound
from gamekeeper.servers.chat import private

routes = Routes("/api/v1/sanctions")


@routes.get("/{key}/excerpt", "sanctions.read", raises=(SanctionNotFound,))
async def get_sanction_excerpt(
    reader: Reader, caller: Principal, key: SanctionKey
) -> SanctionExcerpt:
    """
    The chat messages that are the evidence of a sanction, as they were when it was imposed.

    They stay when the chat log expires. The text of private messages needs `chat.private`.
    """
    found = await lists.find_sanction(reader, key)
    return await excerpts.read(reader, found.id, private=caller.may(private.PERMISSION))
