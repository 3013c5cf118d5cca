"""What a body may look like: JSON or a form, keys in any case, and how scalars are spelled."""

import json
import re
from collections.abc import AsyncIterator
from urllib.parse import urlencode
from uuid import UUID

import pytest

from gamekeeper.api.v1.codes import RedeemNeedsAccount
from gamekeeper.api.v1.identities import IdentitiesNeedAccount
from gamekeeper.api.v1.orders import ClaimNeedsAccount
from gamekeeper.api.v1.reports import NoAccount
from gamekeeper.api.v1.session import NoSession
from gamekeeper.db.database import Database
from gamekeeper.orders.shops.receiver import ShopSignatureInvalid
from gamekeeper.users.staff.acceptance import InvitationRefused
from gamekeeper.users.staff.invitations import InviterNeedsSession
from gamekeeper.users.staff.sign_in import SignInRefused
from gamekeeper.users.staff.sign_in_links import LinkRefused
from tests.contract.endpoints import WITH_BODY, Stage, disobey, is_said_by_a_form, label
from tests.contract.outcomes import outcome, refusal
from tests.make import make_item, make_player

FORM = "application/x-www-form-urlencoded"
UNSUPPORTED = refusal(
    415,
    "unsupported_media_type",
    "Send application/json or application/x-www-form-urlencoded, in UTF-8, not compressed.",
)
# Whatever is made anew with each call: ids, names made of them, credentials, instants, fences;
# and how many events can be sent again, for they get their numbers a moment after the change.
FRESH = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]+-[0-9a-f]{8,12}"
    r"|Hall [0-9A-F]{12}"
    r"|gk[ar]_[\w-]+|whsec_[\w+/=]+|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT"
    r"|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=\"Fence\":)\d+|(?<=\"Code\":\")[0-9A-Z-]{9,12}(?=\")"
    r"|(?<=\"RequestId\":\")[0-9a-f]{32}"
    r"|(?<=\"Id\":\")[0-9a-f]{32}"
    r"|(?<=^{\"Count\":)\d+(?=,\"Complete\")"
)


@pytest.fixture(scope="module", autouse=True)
async def tables_as_they_were(database: Database) -> AsyncIterator[None]:
    """The stages of the chat let commands be carried out by a trigger."""
    yield
    await disobey(database)


async def post(client, path: str, content: str | bytes, kind: str = "application/json"):
    return await send(client, "POST", path, content, kind)


async def send(client, method: str, path: str, content: str | bytes, kind="application/json"):
    return await client.request(method, path, content=content, headers={"Content-Type": kind})


def as_form(fields: dict[str, object]) -> str:
    spelled = {name: str(value) for name, value in fields.items()}
    return urlencode(spelled | {n: "true" for n, value in fields.items() if value is True})


NOT_BY_KEY = {
    *(NoSession, SignInRefused, LinkRefused, NoAccount),
    *(InvitationRefused, InviterNeedsSession),
    *(ClaimNeedsAccount, ShopSignatureInvalid, RedeemNeedsAccount),
    IdentitiesNeedAccount,
}

NOT_CONFIGURED = {
    *("StartSignIn", "FinishSignIn", "FinishFlow", "SteamTicket"),
    *("PostedAnswer", "LinkByCode", "LinkIdentity"),
}
"""Without a source there is no flow, and nobody was given a code: 404 for both."""

BY_FORM = [
    (route, shape)
    for route, shape in WITH_BODY
    # Signing in with a browser takes cookies and headers of our own pages.
    if is_said_by_a_form(shape) and not NOT_BY_KEY & {*route.raises}
]


@pytest.mark.parametrize(("route", "shape"), BY_FORM, ids=[label(r) for r, _ in BY_FORM])
async def test_json_and_a_form_say_the_same(client, database, route, shape):
    """On two stages alike, one with keys in lower and the other with keys in upper case."""
    stages = [await Stage.make(database, route), await Stage.make(database, route)]
    await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))
    lower = stages[0].fields(route, shape)
    upper = {name.upper(): value for name, value in stages[1].fields(route, shape).items()}

    answers = [
        await send(client, route.method, stages[0].path(route), json.dumps(lower)),
        await send(client, route.method, stages[1].path(route), as_form(upper), FORM),
    ]

    expected = 404 if shape.__name__ in NOT_CONFIGURED else 200
    assert [answer.status_code for answer in answers] == [expected, expected]
    assert FRESH.sub("…", answers[0].text) == FRESH.sub("…", answers[1].text)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("", "application/json"),
        ("", "text/plain"),
        ("", FORM),
        ("{}", "application/json"),
        ("[]", "application/json"),
        (" {} ", "application/json"),
        ("[]", "application/json;charset=UTF-8"),
        ("{}", 'Application/JSON; charset="utf-8"'),
        ("{}", "application/json; charset=utf-8; x=y"),
        ("{}", "application/json; x=y; Charset = utf8"),
        ("\ufeff{}", "application/json"),
        ('{"unknown": {"deep": [1]}, "": null}', "application/json"),
        ("unknown=1&unknown=2&=&&", FORM),
    ],
)
async def test_no_fields_are_fine_where_none_are_required(client, content, kind):
    assert_first_page(await post(client, "/api/v1/players/online", content, kind))


async def test_no_fields_at_all_need_no_content_type(client):
    assert_first_page(await client.post("/api/v1/players/online"))


def assert_first_page(answer) -> None:
    """Whoever is online, it is the first page, with five on a page."""
    body = answer.json()
    assert (answer.status_code, body["Page"], body["PageSize"]) == (200, 0, 5)
    assert body["entries"] == body["Values"]


@pytest.mark.parametrize("content", ["", "{}", "[]", '""'])
async def test_a_required_field_is_named_when_it_is_missing(client, content):
    answer = await post(client, "/api/v1/players/nobody/items/give", content)

    expected = refusal(400, "invalid_body", "'itemid' is required.", Field="itemid")
    assert outcome(answer) == expected


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "text/json",
        "application/xml",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json; charset=utf-8; charset=utf-16",
        'application/json; x=y; charset="latin-1"; z',
        "application/octet-stream",
        "",
    ],
)
async def test_another_content_type_is_not_supported(client, kind):
    assert outcome(await post(client, "/api/v1/players/online", "{}", kind)) == UNSUPPORTED


async def test_a_compressed_body_is_not_supported(client):
    answer = await client.post(
        "/api/v1/players/online",
        content=b"\x1f\x8b",
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )

    assert outcome(answer) == UNSUPPORTED


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "nonsense",
        "{'page': 1}",
        '{"page": 1,}',
        '{"page": 1} {}',
        '{"page": NaN}',
        b'\xef\xbb\xbf\xef\xbb\xbf{"page": 1}',
        b'{\xef\xbb\xbf"page": 1}',
        b'{"page\xff": 1}',
        '{"x": "\\ud800"}',
    ],
)
async def test_what_is_no_json_is_refused(client, content):
    answer = await post(client, "/api/v1/players/online", content)

    assert outcome(answer) == refusal(400, "invalid_body", "The body is not valid JSON.")


@pytest.mark.parametrize("content", ["5", "null", '"page"', "true", "[1]", "[{}]"])
async def test_json_that_is_no_object_is_refused(client, content):
    answer = await post(client, "/api/v1/players/online", content)

    assert outcome(answer) == refusal(400, "invalid_body", "The body must be a JSON object.")


@pytest.mark.parametrize("content", [b"page=\xc3\xa9", b"page=%ff", b"&".join([b"a=1"] * 300)])
async def test_what_is_no_form_is_refused(client, content):
    answer = await post(client, "/api/v1/players/online", content, FORM)

    message = "The fields are not form-encoded UTF-8."
    assert outcome(answer) == refusal(400, "invalid_body", message)


# --- scalars ------------------------------------------------------------------


async def give(client, database, **fields: object):
    """The answer to a gift of one potion that has these fields instead."""
    body = {"itemid": str(await make_item(database)), "quantity": 1} | fields
    player = await make_player(database)
    return await client.post(f"/api/v1/players/{player}/items/give", json=body)


@pytest.mark.parametrize("three", [3, "3", "03", "0000000000000000003"])
async def test_an_int_is_an_integer_or_a_string_of_digits(client, database, three):
    answer = await give(client, database, quantity=three)

    held = {"total": 3, "bank": 0, "inventory": 3}
    assert outcome(answer) == (200, {"id": answer.json()["id"], "quantity": held})


@pytest.mark.parametrize(
    "wrong", [True, 1.0, 1e2, "1.0", "1e2", "+1", " 1", "１", "", "x", [1], {}]
)
async def test_nothing_else_is_an_int(client, database, wrong):
    answer = await give(client, database, quantity=wrong)

    message = "'quantity' must be an integer."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="quantity")


@pytest.mark.parametrize("wide", [2**31, -(2**31) - 1, "2147483648", 2**63, "-9223372036854775809"])
async def test_an_int_has_32_bits(client, database, wide):
    answer = await give(client, database, quantity=wide)

    message = "'quantity' must be an integer of 32 bits."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="quantity")


@pytest.mark.parametrize(
    ("word", "banked"),
    [
        (True, 5),
        ("true", 5),
        ("True", 5),
        ("TRUE", 5),
        (False, None),
        ("false", None),
        ("FALSE", None),
    ],
)
async def test_a_boolean_is_true_or_false_or_those_words(client, database, word, banked):
    answer = await give(client, database, quantity=355, bankoverflow=word)

    if banked:
        held = {"total": 355, "bank": banked, "inventory": 350}
        assert outcome(answer) == (200, {"id": answer.json()["id"], "quantity": held})
    else:
        message = "There is no room for that many; nothing was given."
        assert outcome(answer) == refusal(409, "inventory_full", message)


@pytest.mark.parametrize("wrong", [0, 1, "1", "0", "yes", "on", "", " true", [], {}])
async def test_nothing_else_is_a_boolean(client, database, wrong):
    answer = await give(client, database, bankoverflow=wrong)

    message = "'bankoverflow' must be true or false."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="bankoverflow")


async def test_null_is_the_same_as_leaving_a_field_out(client, database):
    given = await give(client, database, bankoverflow=None)
    assert given.status_code == 200

    answer = await give(client, database, quantity=None)
    expected = refusal(400, "invalid_body", "'quantity' is required.", Field="quantity")
    assert outcome(answer) == expected


@pytest.mark.parametrize("spell", [str, lambda guid: guid.hex, lambda guid: f"{{{guid}}}"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
async def test_a_guid_is_read_in_every_spelling_and_written_in_one(client, database, spell, case):
    item = await make_item(database)
    answer = await give(client, database, itemid=case(spell(item)))

    held = {"total": 1, "bank": 0, "inventory": 1}
    assert outcome(answer) == (200, {"id": str(item), "quantity": held})


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "potion",
        "00000000-0000-0000-0000-00000000000",
        "{00000000-0000-0000-0000-000000000000",
        "(00000000-0000-0000-0000-000000000000)",
        "urn:uuid:00000000-0000-0000-0000-000000000000",
        " 00000000-0000-0000-0000-000000000000",
        "00000000-0000-0000-0000-00000000000g",
        "0000-00000000-0000-0000-000000000000",
        0,
        ["00000000-0000-0000-0000-000000000000"],
    ],
)
async def test_nothing_else_is_a_guid(client, database, wrong):
    answer = await give(client, database, itemid=wrong)

    message = "'itemid' must be a guid."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="itemid")


@pytest.mark.parametrize("name", ["itemid", "itemId", "ItemId", "ITEMID"])
async def test_keys_match_in_any_letter_case(client, database, name):
    player, item = await make_player(database), await make_item(database)
    answer = await client.post(
        f"/api/v1/players/{player}/items/give", json={name: str(item), "QuanTity": 2}
    )

    held = {"total": 2, "bank": 0, "inventory": 2}
    assert outcome(answer) == (200, {"id": str(item), "quantity": held})


@pytest.mark.parametrize(
    ("path", "field", "message"),
    [
        ("items/take", "itemid", "'itemid' must be a guid."),
        ("spells/teach", "spellid", "'spellid' must be a guid."),
        ("spells/forget", "spellid", "'spellid' must be a guid."),
        (f"variables/{UUID(int=1)}", "value", "'value' must be an integer or a boolean."),
    ],
)
async def test_the_refusal_names_the_field_as_the_contract_does(client, path, field, message):
    answer = await client.post(f"/api/v1/players/nobody/{path}", json={field.upper(): []})

    assert outcome(answer) == refusal(400, "invalid_body", message, Field=field)
