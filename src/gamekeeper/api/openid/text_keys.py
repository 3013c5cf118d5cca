"""The keys of texts that a page chooses by its data."""

NOTICES = {
    "banned": ("openid.banned.title", "openid.banned.lead"),
    "signed_out": ("openid.signed_out.title", "openid.signed_out.lead"),
    "unknown_client": (
        "openid.problem.unknown_client.title",
        "openid.problem.unknown_client.lead",
    ),
    "unknown_redirect_uri": (
        "openid.problem.unknown_redirect_uri.title",
        "openid.problem.unknown_redirect_uri.lead",
    ),
    "request_malformed": (
        "openid.problem.request_malformed.title",
        "openid.problem.request_malformed.lead",
    ),
    "invalid_logout": (
        "openid.problem.invalid_logout.title",
        "openid.problem.invalid_logout.lead",
    ),
}
"""The title and the text of each notice."""

SCOPE_TEXTS = {
    "openid": "openid.scope.openid",
    "profile": "openid.scope.profile",
    "email": "openid.scope.email",
    "characters": "openid.scope.characters",
    "roles": "openid.scope.roles",
    "offline_access": "openid.scope.offline_access",
}
"""What the player reads of each scope."""
