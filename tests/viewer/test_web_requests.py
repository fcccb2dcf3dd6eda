"""What anybody may send to the page in a browser: nothing of it reaches the terminal of the user."""

import asyncio
from urllib.parse import urlsplit

import pytest

from waiting import PATIENCE

aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")

from .served import is_open, own_origin, pages, while_served  # noqa: E402

RAW_REQUESTS = {
    "no request": b"garbage\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "no host, but the token": b"GET {path} HTTP/1.1\r\n\r\n",
    "no address": b"GET http://[/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "encryption": b"\x16\x03\x01\x02\x00\x01",
    "a long line": b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\n\r\n",
    "a size that is no number": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "no websocket": b"GET {path}ws HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "half a websocket": b"GET {path}ws HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
    + b"Upgrade: websocket\r\n\r\n",
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, marks=() if c in ("no host", "no websocket") else pytest.mark.exhaustive) for c in RAW_REQUESTS],
)
def test_what_is_no_request_is_refused_and_the_user_sees_nothing_of_it(case, caplog):
    """Neither then, nor when the page is closed."""
    (page,) = pages()

    async def use(address):
        parts = urlsplit(address)
        reading, writing = await asyncio.open_connection(parts.hostname, parts.port)
        writing.write(RAW_REQUESTS[case].replace(b"{path}", parts.path.encode()))
        answer = await reading.readline()
        writing.close()
        return answer.split()[1], await is_open(page)

    assert while_served(page, use) == (b"400", True)
    assert caplog.messages == []


NONSENSE = (
    b"no text",
    "no json",
    "[]",
    "3",
    '{"type": "at", "epoch": 1, "t": NaN, "speed": 1, "playing": true}',
    '{"type": "at", "epoch": 1, "t": "soon"}',
    '{"type": "input", "name": "__class__", "value": 1}',
    '{"type": "push", "body": 99, "way": [0, 0, 0]}',
    '{"type": {"close": 1}}',
)


def test_nonsense_from_a_client_with_the_token_is_ignored_and_the_user_sees_nothing_of_it(caplog):
    (page,) = pages()

    async def use(address):
        origin = {"Origin": own_origin(address)}
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}ws", headers=origin) as connection:
            for message in NONSENSE:
                await (connection.send_str if isinstance(message, str) else connection.send_bytes)(message)
            first = (await connection.receive(timeout=PATIENCE)).type
        return first is aiohttp.WSMsgType.TEXT, await is_open(page)

    assert while_served(page, use) == (True, True)
    assert caplog.messages == []


def test_a_message_that_is_too_long_ends_its_connection_alone(caplog):
    (page,) = pages()

    async def use(address):
        origin = {"Origin": own_origin(address)}
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{address}ws", headers=origin) as connection:
            await connection.send_str("x" * 100_000)
            async for _ in connection:
                pass  # until it is closed
        return connection.close_code, await is_open(page)

    assert while_served(page, use) == (1009, True)
    assert caplog.messages == []
