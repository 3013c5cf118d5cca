"""The command for linked accounts."""

from gamekeeper.cli.command import Output, TextTable, command
from gamekeeper.cli.names import FoundUser
from gamekeeper.db.database import Database
from gamekeeper.users import linked


@command
async def show(database: Database, user: FoundUser) -> Output:
    """
    Show accounts that share devices, addresses or payments with one, the strongest links first.

    A device or address that many accounts use, as in a café or behind a carrier, is called shared
    and says little.
    """
    found = await linked.list_linked(database.reader, user.id, addresses=True)
    rows = [
        [
            account.user_name,
            account.strength,
            link.by if number else account.summary,
            str(link.device or link.address or ""),
            f"{link.last_seen:%Y-%m-%d}",
            "banned" if account.is_banned else "",
        ]
        for account in found.values
        for number, link in enumerate(account.links)
    ]
    table = TextTable(["account", "link", "why", "device or address", "last", ""], rows)
    return Output(found, table, "There may be more." if found.is_cut else None)
