"""The services that players sign in with, as GAMEKEEPER_SIGN_IN_SOURCES describes them in JSON."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
ISSUER = re.compile(r"https://[a-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~{}/-]*)?")
TENANT = "{tenantid}"
"""In the issuer of Microsoft for several tenants: stands for the claim `tid`."""
LABELS = {"discord": "Discord", "steam": "Steam"}
"""What people call the sources that have no setting for it."""

Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"]


class DiscordSource(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="discord", forbid_unknown_fields=True
):
    client_id: str
    client_secret: str


class SteamSource(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="steam", forbid_unknown_fields=True
):
    """Sign-in with a browser needs no key; tickets of game clients need `api_key` and `app_id`."""

    api_key: str | None = None
    app_id: int | None = None
    identity: str = "gamekeeper"
    """The argument of GetAuthTicketForWebApi in the game; tickets with another are refused."""


class AppleKey(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The key that signs the client secret of Apple, which is made for each request."""

    team_id: str
    key_id: str
    private_key: str
    """PEM, PKCS #8."""


class OidcSource(
    Struct, frozen=True, kw_only=True, tag_field="kind", tag="oidc", forbid_unknown_fields=True
):
    name: str
    """In addresses: `google`."""
    label: str
    """For people: `Google`."""
    issuer: str
    client_id: str
    client_secret: str | None = None
    apple: AppleKey | None = None
    """Instead of a secret, for Apple."""
    scopes: str = "openid profile"
    claims: str | None = None
    """The parameter `claims`, as JSON; Twitch sends a name only if it is requested so."""
    algorithms: tuple[Algorithm, ...] = ("RS256",)
    """The signatures of ID tokens that are accepted."""
    response_mode: Literal["query", "form_post"] = "query"
    """`form_post` for Apple, if the scopes have a name or an email address."""
    discovery: str | None = None
    """The address of the configuration, if it does not follow from the issuer."""


SourceSettings: TypeAlias = DiscordSource | SteamSource | OidcSource


def name_of(source: SourceSettings) -> str:
    return source.name if isinstance(source, OidcSource) else str(source.__struct_config__.tag)


def label_of(sources: Mapping[str, SourceSettings], issuer: str) -> str:
    """What people call an issuer: its host, if no source is configured for it any more."""
    if issuer in LABELS:
        return LABELS[issuer]
    for source in sources.values():
        if isinstance(source, OidcSource) and _proves(source, issuer):
            return source.label
    return urlsplit(issuer).hostname or issuer


def has_issuer(sources: Mapping[str, SourceSettings], issuer: str) -> bool:
    """Whether one of the sources proves identities of an issuer."""
    return any(_proves(source, issuer) for source in sources.values())


def _proves(source: SourceSettings, issuer: str) -> bool:
    if not isinstance(source, OidcSource):
        return name_of(source) == issuer
    before, _, after = source.issuer.partition(TENANT)
    if TENANT not in source.issuer:
        return source.issuer == issuer
    return issuer.startswith(before) and issuer.endswith(after)


def parse(text: str | None) -> dict[str, SourceSettings]:
    """The sources by name; raises ValueError, which never contains a secret."""
    if text is None:
        return {}
    try:
        listed = msgspec.json.decode(text.encode(), type=list[SourceSettings])
    except msgspec.ValidationError as fault:
        raise ValueError(str(fault)) from None
    except msgspec.DecodeError:
        raise ValueError("it is not JSON") from None
    found: dict[str, SourceSettings] = {}
    for source in listed:
        if isinstance(source, OidcSource):
            _check(source)
        if name_of(source) in found:
            raise ValueError(f"two sources are named {name_of(source)}")
        found[name_of(source)] = source
    return found


def is_right(text: str) -> bool:
    """Whether this describes sources."""
    try:
        parse(text)
    except ValueError:
        return False
    return True


def is_issuer(text: str) -> bool:
    """Whether this is the name of an issuer of identities."""
    return text in ("discord", "steam") or ISSUER.fullmatch(text) is not None


def split(listed: str) -> frozenset[str]:
    """The parts of a list with commas."""
    return frozenset(filter(None, map(str.strip, listed.split(","))))


def are_returns(listed: str) -> bool:
    """Whether these are addresses to which a sign-in may return."""
    try:
        returns(listed)
    except ValueError:
        return False
    return True


def _check(source: OidcSource) -> None:
    if not NAME.fullmatch(source.name) or source.name in ("discord", "steam"):
        raise ValueError("a name has 1 to 32 lower-case letters, digits and hyphens")
    if not ISSUER.fullmatch(source.issuer):
        raise ValueError(f"the issuer of {source.name} is not an https URL")
    if (source.client_secret is None) == (source.apple is None):
        raise ValueError(f"{source.name} needs either client_secret or apple")
    if "openid" not in source.scopes.split():
        raise ValueError(f"the scopes of {source.name} lack openid")


def returns(listed: str) -> frozenset[str]:
    """The addresses of own pages to which a sign-in returns; raises ValueError with a wrong one."""
    found = split(listed)
    for url in found:
        parts = urlsplit(url)
        local = parts.hostname in ("127.0.0.1", "::1", "localhost")
        right = parts.scheme == "https" or (parts.scheme == "http" and local)
        if not right or not parts.hostname or "@" in parts.netloc or "#" in url or "?" in url:
            raise ValueError(url)
    return found
