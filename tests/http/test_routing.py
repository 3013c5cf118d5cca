"""Paths find their handlers."""

import pytest

from gamekeeper.core.errors import MethodNotAllowed, RouteNotFound
from gamekeeper.http.routing import Router


@pytest.fixture
def router() -> Router:
    router = Router()
    for path in ("/players", "/players/rank", "/players/{key}", "/players/{key}/items"):
        router.add("GET", path, path)
    router.add("POST", "/players", "made")
    return router


@pytest.mark.parametrize(
    ("path", "target", "values"),
    [
        (b"/players", "/players", []),
        (b"/PLAYERS/", "/players", []),
        (b"/players/Rank", "/players/rank", []),
        (b"/players/ana", "/players/{key}", ["ana"]),
        (b"/players/ana%20b%2Fc/items/", "/players/{key}/items", ["ana b/c"]),
        (b"/players/%2525", "/players/{key}", ["%25"]),
        # A word of a route is a name again where the rest of the route does not fit.
        (b"/players/rank/items", "/players/{key}/items", ["rank"]),
    ],
)
def test_a_path_is_found(router, path, target, values):
    assert router.find("GET", path) == (target, values)


@pytest.mark.parametrize(
    "path", [b"/", b"/player", b"/players//items", b"/players/a/b", b"//players"]
)
def test_a_path_is_not_found(router, path):
    with pytest.raises(RouteNotFound):
        router.find("GET", path)


def test_a_wrong_method_names_the_right_ones(router):
    with pytest.raises(MethodNotAllowed) as refusal:
        router.find("DELETE", b"/players")
    assert refusal.value.headers == [("Allow", "GET, POST")]
