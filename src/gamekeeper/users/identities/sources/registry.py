"""The configured sources, by name."""

from gamekeeper.core import sign_in_sources
from gamekeeper.core.settings import Settings
from gamekeeper.core.sign_in_sources import DiscordSource, SourceSettings, SteamSource
from gamekeeper.users.identities.sources.proofs import IdentitySource, SourceNotFound


class Sources:
    """The sources of a process; each is made when it is first used, with what it needs."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known = sign_in_sources.parse(settings.sign_in_sources)
        self._made: dict[str, IdentitySource] = {}

    @property
    def names(self) -> list[str]:
        return sorted(self._known)

    def source(self, name: str) -> IdentitySource:
        """The source with a name, or raise SourceNotFound."""
        if name not in self._made:
            if (found := self._known.get(name)) is None:
                raise SourceNotFound
            self._made[name] = self._make(found)
        return self._made[name]

    def _make(self, found: SourceSettings) -> IdentitySource:
        if isinstance(found, DiscordSource):
            from gamekeeper.users.identities.sources.discord import Discord

            return Discord(self._settings, found)
        if isinstance(found, SteamSource):
            from gamekeeper.users.identities.sources.steam import Steam

            return Steam(self._settings, found)
        from gamekeeper.users.identities.sources.oidc import Oidc

        return Oidc(self._settings, found)
