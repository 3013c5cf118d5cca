"""Authorization requests as they arrive: of OpenID clients, and of forums with DiscourseConnect."""

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Reader
from gamekeeper.provider import authorization, discourse
from gamekeeper.provider.authorization import AuthorizationRequest


async def read(
    reader: Reader, settings: Settings, vault: Vault, query: str
) -> AuthorizationRequest:
    """The request of a query string, or raise what is wrong with it."""
    fields = authorization.fields_of(query)
    if "sso" in fields:
        return await discourse.read(reader, settings, vault, fields)
    return await authorization.read(reader, settings, query)
