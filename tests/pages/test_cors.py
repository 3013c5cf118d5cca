"""A page of another origin that calls the API, in a real browser."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gamekeeper.core.settings import Settings
from tests.pages.conftest import Visit
from tests.server import serving

pytestmark = pytest.mark.browser

CALL = """
async ([url, key]) => {
    try {
        const answer = await fetch(url + "/api/v1/players/online/count", {
            headers: {Authorization: "Bearer " + key, "X-Reason": "a ranking"},
        });
        return [answer.status, await answer.json(), answer.headers.has("x-request-id")];
    } catch (fault) {
        return String(fault);
    }
}
"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """The tests' output stays clean."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The origin of a static website."""
    folder = tmp_path_factory.mktemp("site")
    Path(folder / "index.html").write_text("<!doctype html><title>Ranking</title>")
    Path(folder / "favicon.ico").touch()
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


async def test_a_page_of_a_named_origin_may_call_and_any_other_may_not(
    visit: Visit, site: str, settings: Settings, key: str, tmp_path: Path
):
    with serving(settings, tmp_path / "log", GAMEKEEPER_CORS_ORIGINS=site) as (url, _):
        await visit.page.goto(site)
        assert await visit.page.evaluate(CALL, [url, key]) == [200, {"onlineCount": 0}, True]
        # The same page under another name is another origin.
        await visit.page.goto(site.replace("127.0.0.1", "gamekeeper.test"))
        assert await visit.page.evaluate(CALL, [url, key]) == "TypeError: Failed to fetch"
