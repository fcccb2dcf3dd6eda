"""Who may use the page in a browser: not without its token, and not from other web sites."""

import asyncio
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from hybridsim import ConfigError, load_run, simulate

from .browser import address_of, site
from waiting import PATIENCE, until

aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")

from hybridsim.viewer import web  # noqa: E402
from hybridsim.viewer.browser.access import PageAccess  # noqa: E402

from .served import is_open, own_origin, pages, while_served  # noqa: E402

NO_TOKEN, WRONG_TOKEN = "", "A" * 32


@contextmanager
def taken_port(host="127.0.0.1"):
    with socket.socket() as taken:
        taken.bind((host, 0))
        taken.listen()
        yield taken.getsockname()[1]


def with_token(address, token):
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}/{token}/" if token else f"{parts.scheme}://{parts.netloc}/"


async def press_q(session, address, **headers):
    """Connect as the page does and press q; return the status of a refusal, or None."""
    try:
        async with session.ws_connect(f"{address}ws", headers=headers) as connection:
            await connection.send_str('{"type": "close"}')
            await connection.receive(timeout=PATIENCE)
    except aiohttp.WSServerHandshakeError as error:
        return error.status
    return None


def test_the_page_can_be_closed_by_a_client_with_its_token():
    (page,) = pages()

    async def use(address):
        async with aiohttp.ClientSession() as session:
            status = await press_q(session, address, Origin=own_origin(address))
        return status, await is_open(page)

    assert while_served(page, use) == (None, False)


FOREIGN = {
    "no token": lambda address: (with_token(address, NO_TOKEN), {"Origin": own_origin(address)}),
    "a wrong token": lambda address: (with_token(address, WRONG_TOKEN), {"Origin": own_origin(address)}),
    "a part of the token": lambda address: (address[:-2] + "/", {"Origin": own_origin(address)}),
    "no origin": lambda address: (address, {}),
    "no page": lambda address: (address, {"Origin": "null"}),
    "another site": lambda address: (address, {"Origin": "http://example.org"}),
    "another port": lambda address: (address, {"Origin": "http://127.0.0.1:1"}),
    "another name of this machine": lambda address: (
        address,
        {"Origin": own_origin(address).replace("127.0.0.1", "localhost")},
    ),
    "a site with this prefix": lambda address: (address, {"Origin": own_origin(address) + ".example.org"}),
    "a name that resolves to this machine": lambda address: (
        address,
        {"Origin": "http://example.org", "Host": "example.org"},
    ),
}


def test_a_websocket_is_refused_without_the_token_or_from_another_site():
    """And the page stays open each time."""
    (page,) = pages()

    async def use(address):
        answers = {}
        async with aiohttp.ClientSession() as session:
            for case, foreign in FOREIGN.items():
                foreign_address, headers = foreign(address)
                answers[case] = await press_q(session, foreign_address, **headers), await is_open(page)
        return answers

    assert while_served(page, use) == dict.fromkeys(FOREIGN, (403, True))


def test_files_are_served_only_in_the_folder_of_the_token():
    (page,) = pages()
    names = ("", "index.html", "ws", "../index.html", "three.js")

    async def use(address):
        statuses = {}
        async with aiohttp.ClientSession() as session:
            for token in (NO_TOKEN, WRONG_TOKEN, f"{WRONG_TOKEN}/{urlsplit(address).path.strip('/')}"):
                for name in names:
                    for method in ("GET", "POST", "HEAD"):
                        async with session.request(method, with_token(address, token) + name) as answer:
                            statuses[token, name, method] = answer.status
            async with session.get(address, headers={"Host": "example.org"}) as answer:
                statuses["another name"] = answer.status
            async with session.get(address) as answer:
                own = answer.status, answer.headers["Referrer-Policy"]
        return set(statuses.values()), own

    assert while_served(page, use) == ({403}, (200, "no-referrer"))


def test_each_page_has_its_own_long_token():
    tokens = {urlsplit(PageAccess(web.DEFAULT_ADDRESS).address(8080)).path for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 32 for token in tokens)


@pytest.mark.parametrize(
    ("address", "host", "permitted"),
    [
        (web.DEFAULT_ADDRESS, "127.0.0.1:8080", True),
        (web.DEFAULT_ADDRESS, "localhost:9000", True),
        (web.DEFAULT_ADDRESS, "[::1]:9000", True),
        (web.DEFAULT_ADDRESS, "hub.example.org", False),
        (web.DEFAULT_ADDRESS, "", False),
        (web.DEFAULT_ADDRESS, "[", False),
        ("https://hub.example.org/proxy/{port}/", "hub.example.org", True),
        ("https://hub.example.org/proxy/{port}/", "other.example.org", False),
        ("/proxy/{port}/", "hub.example.org", True),
    ],
)
def test_names_of_the_machine(address, host, permitted):
    access = PageAccess(address)
    path = f"/{access.address(8080).rstrip('/').rpartition('/')[2]}/ws"
    for scheme in ("http", "https"):
        headers = {"Host": host, "Origin": f"{scheme}://{host}", "Upgrade": "websocket"}
        assert access.permits(path, headers) is permitted
    assert not access.permits(path, headers | {"Origin": "https://example.org"})


def test_a_proxy_address_contains_the_token():
    assert re.fullmatch(r"/proxy/8123/[\w-]{32}/", PageAccess("/proxy/{port}/").address(8123))


def test_a_taken_port_gives_way_to_another(monkeypatch):
    with taken_port() as port:
        monkeypatch.setattr(web, "DEFAULT_PORT", port)
        (page,) = pages()

        async def use(address):
            async with aiohttp.ClientSession() as session, session.get(address) as answer:
                return urlsplit(address).port, answer.status

        other, status = while_served(page, use)
    assert other not in (0, port)
    assert status == 200


def test_two_pages_at_once_have_two_ports():
    first, second = pages(2)

    async def use(address):
        other = await second.start()
        playing = asyncio.create_task(second.play())
        second.close()
        await playing
        return urlsplit(address).port != urlsplit(other).port

    assert while_served(first, use)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_port_that_is_taken_is_one_message(host):
    with taken_port(host) as port:
        (page,) = pages(port=port)
        with pytest.raises(ConfigError, match=rf"--web: .*port {port}: .*in use.*try again"):
            asyncio.run(asyncio.wait_for(page._serve(), PATIENCE))


def test_ports_that_do_not_exist_are_one_message():
    (page,) = pages(port=70000)
    with pytest.raises(ConfigError, match=r"--web: .*port 70000: "):
        asyncio.run(asyncio.wait_for(page._serve(), PATIENCE))


NO_PORT = """
import errno, aiohttp.web
async def fail(*_):
    raise OSError(errno.EADDRINUSE, "taken")
aiohttp.web.TCPSite.start = fail
from hybridsim.cli.main import main
main()
"""


@pytest.mark.exhaustive  # slow; other refusals of the server are in the ordinary run
@pytest.mark.slow
@pytest.mark.parametrize("command", [pytest.param("view", marks=pytest.mark.exhaustive), "run"])
def test_on_the_command_line_a_server_that_cannot_start_is_one_sentence_and_the_run_is_kept(command, tmp_path):
    (tmp_path / "ball.yaml").write_text("model: bouncing_ball\nfinal_time: 10\nparameters: {restitution: 1}\n")
    simulate("projectile", final_time=0.5).save(tmp_path / "throw")
    arguments = {"view": ["throw.h5"], "run": ["ball.yaml"]}[command]
    done = subprocess.run(
        [sys.executable, "-c", NO_PORT, command, *arguments, "--web"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 2, done.stderr
    assert "--web: the page cannot be served on this machine (port 8080: address already in use;" in done.stderr
    assert "Traceback" not in done.stderr
    assert "http://" not in done.stderr
    if command == "run":
        assert load_run(tmp_path / "ball.h5").t[-1] == 10.0


FOREIGN_PAGE = """<!doctype html><title>foreign</title><script>
const results = {};
function connect(name, address) {
  const socket = new WebSocket(address);
  socket.onopen = () => { results[name] = "open"; };
  socket.onclose = () => { results[name] ??= "refused"; };
}
%s
fetch("%s", {mode: "cors"}).then(() => { results.fetch = "read"; }, () => { results.fetch = "refused"; });
</script>"""


def test_a_foreign_page_in_the_same_browser_cannot_drive_the_player(browser, started, tmp_path):
    simulate("projectile", final_time=0.5).save(tmp_path / "throw")
    process = started("view", "throw.h5", "--web")
    address = address_of(process)
    sockets = {
        "none": with_token(address, NO_TOKEN),
        "wrong": with_token(address, WRONG_TOKEN),
        "right": address,  # even a page that has learned the token
    }
    script = "".join(f'connect("{name}", "{url.replace("http", "ws", 1)}ws");' for name, url in sockets.items())
    with site(FOREIGN_PAGE % (script, address)) as foreign:
        browser.open(foreign)
        until(lambda: browser.value("document.title === 'foreign' && Object.keys(results).length === 4"))
        assert browser.value("JSON.stringify(Object.values(results))") == '["refused","refused","refused","refused"]'
    assert process.poll() is None

    browser.open(address)  # the control: its own page drives it
    until(lambda: "the end" in (browser.text("#live") or ""))
    browser.press("q")
    assert process.wait(timeout=PATIENCE) == 0


def test_the_page_that_is_served_executes_its_own_scripts_alone():
    async def read(address):
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            return answer.status, answer.headers["Referrer-Policy"], await answer.text()

    (page,) = pages()
    status, referrers, text = while_served(page, read)
    assert (status, referrers) == (200, "no-referrer")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
