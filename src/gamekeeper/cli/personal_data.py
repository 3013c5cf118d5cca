"""``gamekeeper users export``: all that is stored about one account."""

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, change
from gamekeeper.cli.names import FoundUser
from gamekeeper.db.database import Database
from gamekeeper.users import personal_data
from gamekeeper.users.personal_data import PersonalExport


@change("users.manage")
async def export(database: Database, user: FoundUser, *, by: By) -> Output:
    """
    Export all personal data of an account as JSON.

    For a person who asks what is stored about them. Private messages are a part of it, so
    the export is recorded in the audit log. Without --json, the rows are counted.
    """
    done = await personal_data.export.one(database, PersonalExport(by=by, user=str(user.id)))
    counts = {table: str(len(rows)) for table, rows in done.tables.items() if rows}
    return Output({"UserId": done.user_id, "Tables": done.tables}, counts)
