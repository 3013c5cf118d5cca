"""Accounts sorted by email: a page reads the keys before it, and the rows of itself only."""

from uuid import UUID

import pytest

from gamekeeper.db.database import Database, Writer
from gamekeeper.users.sort_orders import WAYS, _emails
from tests.generic_plans import cost
from tests.make import make_user

pytestmark = pytest.mark.usefixtures("database_statistics")

ACCOUNTS, PAGE = 4_000, 20


async def _grow(writer: Writer, user: UUID) -> None:
    await writer.run(
        """
        INSERT INTO user_emails (email_key, user_id)
        SELECT lpad(number::text, 6, '0'), $2 FROM generate_series(1, $1) AS number
        """,
        ACCOUNTS,
        user,
    )
    await writer.run("ANALYZE user_emails")


@pytest.mark.parametrize("descending", [False, True])
async def test_a_page_in_the_middle_reads_each_row_before_it_once(
    database: Database, *, descending: bool
):
    user = await make_user(database)
    await database.write(lambda writer: _grow(writer, user))
    before = ACCOUNTS // 2

    read = await cost(database.settings, "user_emails", _emails(WAYS[descending]), PAGE, before)

    assert read.rows == before + PAGE + PAGE
