"""What passwords do not do, and what credentials are made of."""

import re

from gamekeeper.auth import credentials, tokens
from gamekeeper.auth.authenticator import Authenticator
from tests.make import make_user, proved, sha

VALIDATE = "/api/v1/users/ana/password/validate"


async def test_an_old_password_is_as_good_as_a_new_one(client, database):
    await make_user(database, "ana", password="right")
    sql = "UPDATE passwords SET changed_at = now() - interval '20 years'"
    await database.write(lambda writer: writer.run(sql))

    answer = await client.post(VALIDATE, json={"password": sha("right")})

    assert (answer.status_code, answer.json()["Message"]) == (200, "Password Correct")


async def test_a_new_database_has_no_account_and_no_key(database):
    """The first of each is made on the command line, by whoever runs the machine."""
    sql = """
        SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM passwords)
             + (SELECT count(*) FROM api_keys) + (SELECT count(*) FROM staff_roles)
    """
    assert await database.reader.value(sql) == 0


async def test_there_are_no_hints_and_no_questions(client, database):
    columns = await database.reader.rows(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    document = (await client.get("/api/openapi.json")).json()
    schemas = document["components"]["schemas"].values()
    fields = {field for schema in schemas for field in schema.get("properties", ())}

    assert "Username" in fields
    names = fields | {row["column_name"] for row in columns}
    assert not [name for name in names if re.search("hint|question", name, re.IGNORECASE)]


async def test_a_token_is_its_accounts_whatever_the_account_is_called(database):
    """Somebody who is given the name of another does not get what was the other's."""
    ana = await make_user(database, "ana", password="right", api=True)
    issued = await tokens.issue.one(database, await proved(database, ana))
    sql = "UPDATE users SET name = 'formerly-ana', name_key = 'formerly-ana' WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, ana))
    await database.write(lambda writer: writer.run("DELETE FROM user_names"))
    other = await make_user(database, "ana", email="other@example.com", user_management=True)

    caller = await Authenticator(database).authenticate(issued.access)

    assert caller.user_id == ana != other
    assert not caller.may("users.manage")


def test_credentials_are_unique_and_have_256_random_bits():
    """Keys, tokens and cookies alike: 32 bytes of the operating system's generator."""
    for kind in ("gk", "gka", "gkr", "gks"):
        made = {str(credentials.new_credential(kind)) for _ in range(1000)}
        assert len(made) == 1000
        # 32 bytes in base64url without padding, then a checksum of 6 hexadecimal digits.
        assert all(re.fullmatch(rf"{kind}_[\w-]{{43}}[0-9a-f]{{6}}", each) for each in made)
