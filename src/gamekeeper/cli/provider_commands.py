"""Commands of the OpenID provider; `commands.py` has the others."""

from gamekeeper.cli.lazy import LazyCommand, LazyGroup

OPENID = LazyGroup(
    {
        "list": LazyCommand("openid:list_", "Show all OpenID clients and when they were used."),
        "create": LazyCommand(
            "openid:create",
            "Register a website or program at which players sign in; prints its id and secret.",
        ),
        "change": LazyCommand(
            "openid:change_", "Change an OpenID client. Options that are not given change nothing."
        ),
        "rotate": LazyCommand(
            "openid:rotate", "Replace the secret of an OpenID client; the old one is void at once."
        ),
        "sign-out": LazyCommand(
            "openid:sign_out",
            "End all sign-ins at an OpenID client, and notify it if it has a URL for that.",
        ),
        "delete": LazyCommand(
            "openid:delete", "Delete an OpenID client, and end all sign-ins there."
        ),
    },
    "OpenID clients: the websites and programs at which players sign in.",
)
