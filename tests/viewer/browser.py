"""A real browser, driven from tests."""

import asyncio
import base64
import io
import json
import re
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from PIL import Image

from waiting import PATIENCE, next_line, until

aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")

SIZE = (640, 420)
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


class Browser:
    """A browser without a screen, through its DevTools protocol."""

    def __init__(self, program, folder):
        flags = "--headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --hide-scrollbars"
        self._process = subprocess.Popen(
            [program, *flags.split(), "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._loop, self._number, self.events = asyncio.Runner(), 0, []
        port_file = folder / "DevToolsActivePort"
        until(lambda: port_file.exists() and port_file.read_text().count("\n"))
        self._loop.run(self._connect(int(port_file.read_text().split()[0])))

    async def _connect(self, port):
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE))
        async with self._session.get(f"http://127.0.0.1:{port}/json") as answer:
            pages = [target for target in await answer.json() if target["type"] == "page"]
        self._socket = await self._session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0)

    async def _answer(self, method, settings):
        self._number += 1
        await self._socket.send_str(json.dumps({"id": self._number, "method": method, "params": settings}))
        async with asyncio.timeout(PATIENCE):
            while True:
                message = json.loads((await self._socket.receive()).data)
                if message.get("id") == self._number:
                    return message.get("result", message)
                self.events.append(message)

    def do(self, method, **settings):
        return self._loop.run(self._answer(method, settings))

    def open(self, address, size=SIZE, reduced_motion=False):
        motion = "reduce" if reduced_motion else "no-preference"
        for domain in ("Runtime", "Log", "Network", "Page"):
            self.do(f"{domain}.enable")
        self.do("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        self.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])
        self.do("Page.navigate", url="about:blank")
        self.events.clear()
        self.do("Page.navigate", url=str(address))

    def complaints(self):
        """What the page has written to the console, errors among them."""
        kinds = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        return [event["params"] for event in self.events if event.get("method") in kinds]

    def requested(self):
        """The addresses that the page has requested."""
        sent = [
            event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"
        ]
        return {url for url in sent if not url.startswith(("data:", "blob:", "about:"))}

    def text(self, selector):
        return self.value(f"document.querySelector('{selector}')?.textContent")

    def shown(self):
        """Whether the page has drawn a run."""
        return self.value("Boolean(document.querySelector('#headup p')?.textContent)")

    def value(self, expression):
        return self.do("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def press(self, key):
        codes = {" ": ("Space", 32), "Tab": ("Tab", 9), "Enter": ("Enter", 13), "Escape": ("Escape", 27)}
        code, number = codes.get(key, ("", 0))
        more = {"code": code, "windowsVirtualKeyCode": number} if code else {}
        for kind in ("keyDown", "keyUp"):
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "") if kind == "keyDown" else ""
            self.do("Input.dispatchKeyEvent", type=kind, key=key, text=text, **more)

    def drag(self, *places, control=False, held=lambda: None):
        """Drag through places; `held` is called before the button is released."""
        modifiers = 2 if control else 0

        def mouse(kind, place, buttons=1, **more):
            x, y = place
            self.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=modifiers, buttons=buttons, **more)

        mouse("mouseMoved", places[0], 0)
        mouse("mousePressed", places[0], button="left", clickCount=1)
        for place in places[1:]:
            mouse("mouseMoved", place, button="left")
        held()
        mouse("mouseReleased", places[-1], 0, button="left", clickCount=1)

    def picture(self):
        """The page as it is drawn, (height, width, 3)."""
        data = until(lambda: self.do("Page.captureScreenshot", format="png").get("data"))  # not while a page is opened
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")).astype(int)

    def close(self):
        self._loop.run(self._session.close())
        self._loop.close()
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)


def address_of(process):
    """Return the address of the player, which the command line prints."""
    while line := next_line(process.stderr):
        found = re.search(r"http://\S+", line)
        if found:
            return found[0]
    raise AssertionError("the player has not started")


@contextmanager
def site(content):
    """Serve a page at a port of its own, as another web site does."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        serving.join(PATIENCE)


def reddish(picture):
    return int(((picture[..., 0] > 100) & (picture[..., 1] < 0.5 * picture[..., 0])).sum())
