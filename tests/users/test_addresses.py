"""Addresses that accounts signed in from, and who else did."""

from tests.make import make_user, sha


async def seen(database, user, source: str, days: int) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO known_sources (user_id, source, seen_at)
            VALUES ($1, $2, now() - make_interval(days => $3))
            """,
            user,
            source,
            days,
        )
    )


async def test_who_else_signed_in_from_there(client, database):
    ana, bo, cy = [await make_user(database, name) for name in ("ana", "bo", "cy")]
    await seen(database, ana, "203.0.113.9", 3)
    await seen(database, ana, "2001:db8::/64", 1)
    await seen(database, bo, "203.0.113.9", 2)
    await seen(database, cy, "198.51.100.1", 2)

    page = (await client.get("/api/v1/logs/user/ana/ip")).json()

    assert page["Total"] == 2
    assert [(entry["Ip"], entry["OtherUsers"]) for entry in page["Values"]] == [
        ("2001:db8::/64", {}),
        ("203.0.113.9", {str(bo): "bo"}),
    ]


async def test_a_good_sign_in_is_noted(client, database):
    user = await make_user(database, "ana", password="secret", api=True)
    answer = await client.post(
        "/api/oauth/token",
        json={"grant_type": "password", "username": "ana", "password": sha("secret")},
    )
    assert answer.status_code == 200, answer.text

    [one] = (await client.get(f"/api/v1/logs/user/{user}/ip")).json()["Values"]
    assert one["Ip"]
