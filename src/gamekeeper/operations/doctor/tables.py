"""Checks of the settings and of what is in the database: schema, roles, months, keys."""

from typing import LiteralString

from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import DEVELOPMENT_PASSWORD_KEY
from gamekeeper.db import grants, migrate, partitions, search_indexes, statistics
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    Installation,
    counted,
    ok,
    warning,
    wrong,
)

FEW_MONTHS = 3


async def settings(installation: Installation) -> list[CheckResult]:
    """Development values, which `--production` refuses."""
    faults = unfit_for_production(installation.settings)
    if not faults:
        return ok("settings", "No setting has a development value.")
    return [
        CheckResult(
            check="settings",
            state="wrong",
            message=fault,
            remedy="Set it for serve and worker, and start both with --production.",
        )
        for fault in faults
    ]


async def schema(installation: Installation) -> list[CheckResult]:
    if not await installation.reader.value("SELECT to_regclass('public.migrations') IS NOT NULL"):
        return wrong("schema", "The database has no tables of Gamekeeper.", MIGRATE)
    rows = await installation.reader.rows("SELECT name FROM migrations ORDER BY name")
    applied = [row["name"] for row in rows]
    known = [name for name, _ in migrate.numbered()]
    if missing := sorted(set(known) - set(applied)):
        said = f"{counted(len(missing), 'migration')} of this version not applied: {missing[0]}"
        return wrong("schema", f"{said}.", MIGRATE)
    if newer := sorted(set(applied) - set(known)):
        said = f"The tables belong to a newer version ({newer[-1]})."
        return warning("schema", said, "Upgrade this installation too.")
    return ok("schema", f"The tables match this version ({known[-1]}).")


MIGRATE = "With the URL of the owner, run: gamekeeper migrate"


async def extension(installation: Installation) -> list[CheckResult]:
    if await installation.reader.value("SELECT true FROM pg_extension WHERE extname = 'pg_trgm'"):
        return ok("extension", "The extension pg_trgm is installed.")
    return wrong("extension", "The extension pg_trgm is missing: search does not work.", MIGRATE)


async def roles(installation: Installation) -> list[CheckResult]:
    """Whether the service could alter history."""
    role = await installation.reader.value("SELECT current_user")
    if not await installation.reader.value(MAY_READ):
        return wrong("roles", f"The role '{role}' has no access to the tables.", grants.NOT_GRANTED)
    if await grants.is_alterable(installation.reader):
        return warning(
            "roles",
            f"The role '{role}' can alter history. If serve uses this role, an intruder can too.",
            "Create a second role for serve and worker: gamekeeper migrate --app-role NAME",
        )
    return ok("roles", f"The role '{role}' can add to history, but not alter it.")


MAY_READ: LiteralString = """
    SELECT coalesce(bool_and(has_table_privilege(oid, 'SELECT')), false)
      FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname IN ('players', 'actions', 'migrations')
"""


async def months(installation: Installation) -> list[CheckResult]:
    missing = await installation.reader.value(
        partitions.MISSING_MONTHS, list(partitions.TABLES), partitions.AHEAD
    )
    left = partitions.AHEAD - missing
    said = f"History has partitions for the next {counted(max(0, left), 'month')}."
    if left >= FEW_MONTHS:
        return ok("months", said)
    return (wrong if left < 1 else warning)("months", said, MIGRATE)


async def planner_statistics(installation: Installation) -> list[CheckResult]:
    """Whether PostgreSQL knows what is in the tables; without it, plans are guesses."""
    if lacking := await statistics.missing(installation.reader):
        said = f"{counted(len(lacking), 'large table')} without current statistics: {lacking[0]}."
        remedy = "Run as the owner of the tables: ANALYZE; and check that autovacuum is on."
        return warning("statistics", said, remedy)
    return ok("statistics", "PostgreSQL has statistics of every large table.")


async def indexes_of_names(installation: Installation) -> list[CheckResult]:
    """Whether an import that was interrupted left the search without its indexes."""
    if lacking := await search_indexes.missing(installation.reader):
        said = f"Indexes are missing, and searches are slow: {', '.join(lacking)}."
        return warning("search_indexes", said, MIGRATE)
    return ok("search_indexes", "The search has all its indexes.")


async def password_keys(installation: Installation) -> list[CheckResult]:
    """Whether stored passwords and OpenID keys can be decrypted with the keys there are."""
    keys = {
        part.partition(":")[0].strip() for part in installation.settings.password_keys.split(",")
    }
    rows = await installation.reader.rows(USED_KEYS)
    signing = await installation.reader.rows(KEYS_OF_SIGNING_KEYS)
    if lost := sorted(row["key"] for row in signing if row["key"] not in keys):
        said = f"OpenID keys are encrypted with the key '{lost[0]}', which is not in the settings."
        remedy = "Add that key to GAMEKEEPER_PASSWORD_KEYS; else players cannot sign in there."
        return wrong("password_keys", said, remedy)
    if lacking := sorted(row["key"] for row in rows if row["key"] not in keys):
        said = f"Passwords are encrypted with the key '{lacking[0]}', which is not in the settings."
        remedy = "Add that key to GAMEKEEPER_PASSWORD_KEYS; otherwise they cannot sign in."
        return wrong("password_keys", said, remedy)
    used = {row["key"] for row in rows}
    if len(used) > 1:
        said = f"Passwords are encrypted with {len(used)} keys; all of them are in the settings."
        return ok("password_keys", said)
    if installation.settings.password_keys == DEVELOPMENT_PASSWORD_KEY and used:
        said = "The stored passwords are encrypted with the development key."
        remedy = "Rotate it (docs/operations.md, Password keys), and have passwords changed."
        return wrong("password_keys", said, remedy)
    return ok("password_keys", "Every stored password has its key in the settings.")


# An imported record that is not stretched yet has no cost and no salt before its key.
USED_KEYS: LiteralString = """
    SELECT DISTINCT split_part(sealed, '$', CASE WHEN sealed LIKE 'sha256$%' THEN 2 ELSE 4 END)
           AS key
      FROM passwords
"""

KEYS_OF_SIGNING_KEYS: LiteralString = """
    SELECT split_part(sealed, '$', 2) AS key FROM openid_keys
     UNION SELECT split_part(discourse_sealed, '$', 2) FROM openid_clients
            WHERE discourse_sealed IS NOT NULL
"""
