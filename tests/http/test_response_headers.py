"""Headers of responses: no value of one can become another."""

import pytest

from gamekeeper.http import responses
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response

REQUEST = Request(id="1", method="GET", raw_path=b"/", query_string=b"", headers={}, peer="")


@pytest.mark.parametrize("value", ["a\r\nSet-Cookie: b", "a\nb", "a\rb", "a\0b"])
def test_a_line_end_in_a_header_is_refused(value: str):
    answer = Response(body=b"", headers=[("Location", value)])

    with pytest.raises(ValueError, match="Location"):
        responses.head(answer, REQUEST, [])
    with pytest.raises(ValueError, match="X-More"):
        responses.head(Response(body=b""), REQUEST, [("X-More", value)])
