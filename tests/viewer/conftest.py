"""Sessions without a window; and a real display without a screen, with simulated keys and mouse for it."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from hybridsim import simulate
from hybridsim.viewer import Player, Replay, ViewOptions, write_html
from hybridsim.viewer.live import Live
from hybridsim.viewer.session import Session

from . import puck
from .swing import SIZE
from waiting import PATIENCE, next_line, until

SERVERS = []
WINDOW_PROCESSES = []
OWN_PROCESS = "HYBRIDSIM_TEST_IN_OWN_PROCESS"
WINDOW_FIXTURES = {"display", "browser"}


def pytest_collection_modifyitems(items):
    """Mark each test that opens a window or a browser, and as slow: it starts a process that draws."""
    for item in items:
        if WINDOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.window)
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run the tests that open windows in a process of their own.

    A process that has drawn without a display cannot open a window any more, and X ends a process that mixes the two.
    """
    names = pyfuncitem.fixturenames
    if "display" not in names or "started" in names or OWN_PROCESS in os.environ:
        return None
    alone = "new_process" in names
    process = WINDOW_PROCESSES.pop() if WINDOW_PROCESSES and not alone else WindowProcess(pyfuncitem.config.rootpath)
    code, output = process.run(pyfuncitem.nodeid)
    if code == 0 and not alone:
        WINDOW_PROCESSES.append(process)
    else:
        process.end()
    assert code == 0, output
    return True


@pytest.fixture
def new_process():
    """Run this test, which opens no window, in a process that no other test shares."""


def pytest_sessionfinish():
    while WINDOW_PROCESSES:
        WINDOW_PROCESSES.pop().end()


class WindowProcess:
    """A process that runs one test after another, and imports only once what they draw with."""

    PROGRAM = """if True:
        import contextlib, io, json, sys
        import pytest
        for test in sys.stdin:
            with contextlib.redirect_stdout(io.StringIO()) as output:
                code = pytest.main(["-p", "no:cacheprovider", test.strip()])
            print(json.dumps([int(code), output.getvalue()]), flush=True)
        """

    def __init__(self, root):
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        self._process = subprocess.Popen(
            [sys.executable, "-c", self.PROGRAM],
            cwd=root,
            env=surroundings | {OWN_PROCESS: "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, test):
        """Return the exit code of pytest for a test, and its output."""
        self._process.stdin.write(f"{test}\n")
        self._process.stdin.flush()
        try:
            line = next_line(self._process.stdout, 280)  # before the limit of the test around it
        except AssertionError:
            self._process.kill()
            raise
        return json.loads(line) if line else (self._process.wait(PATIENCE), "the process has ended itself")

    def end(self):
        self._process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="session")
def xvfb():
    """The name of a display in memory."""
    if OWN_PROCESS in os.environ:
        return os.environ["DISPLAY"]  # that of the process that has started this one
    for program in ("Xvfb", "xdotool"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    ours, its = os.pipe()
    command = ["Xvfb", "-displayfd", str(its), "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"]
    SERVERS.append(
        subprocess.Popen(command, pass_fds=[its], stderr=subprocess.DEVNULL, preexec_fn=_dies_with_us)  # noqa: PLW1509
    )
    os.close(its)
    with os.fdopen(ours) as numbers:
        return f":{next_line(numbers).strip()}"


def _dies_with_us():
    """End Xvfb with the test process and not before: X ends a process whose server is gone."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@pytest.fixture
def display(xvfb, monkeypatch):
    """Open the windows of this test, and of the programs that it starts, on the display."""
    monkeypatch.setenv("DISPLAY", xvfb)
    return KeysAndMouse()


class ClientMessage(ctypes.Structure):
    """Xlib's XClientMessageEvent, padded to the size of an XEvent."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    )


class KeysAndMouse:
    """Keys and mouse, sent through the X server to the window under the mouse."""

    def do(self, *arguments):
        command = ["xdotool", *map(str, arguments)]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=PATIENCE).stdout.split()

    def window(self):
        """Wait for the only window and return its number."""
        return until(lambda: self.do("search", "--onlyvisible", "--name", "hybridsim"))[0]

    def close(self):
        """Ask the window to close, as the button in its frame does."""
        xlib = ctypes.CDLL("libX11.so.6")
        xlib.XOpenDisplay.restype, xlib.XInternAtom.restype = ctypes.c_void_p, ctypes.c_ulong
        x = ctypes.c_void_p(xlib.XOpenDisplay(None))
        window = ctypes.c_ulong(int(self.window()))
        protocols, delete = (xlib.XInternAtom(x, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
        message = ClientMessage(33, 0, 1, None, window, protocols, 32, (ctypes.c_long * 5)(delete))
        xlib.XSendEvent(x, window, 0, ctypes.c_long(0), ctypes.byref(message))
        xlib.XCloseDisplay(x)

    def move(self, x, y):
        """Move the mouse to a pixel of the window, counted from the upper left corner."""
        self.do("mousemove", "--window", self.window(), round(x), round(y))

    def press(self, *keys):
        for key in keys:
            self.do("key", key)

    def click(self, x, y):
        self.move(x, y)
        self.do("click", 1)


@pytest.fixture
def started(tmp_path):
    """Start the command line as a separate process: `started("run", "ball.yaml", "--view")`."""
    processes = []

    def start(*arguments, **environment):
        command = [sys.executable, "-m", "hybridsim", *arguments]
        pipe = subprocess.PIPE
        environment = os.environ | environment
        processes.append(subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True))
        return processes[-1]

    yield start
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser without a screen, which the tests of a file share; each opens a page of its own in it."""
    from .browser import PROGRAMS, Browser  # noqa: PLC0415 -- skips the test without aiohttp

    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    opened = Browser(program, tmp_path_factory.mktemp("browser"))
    yield opened
    opened.close()


@pytest.fixture
def shown():
    """Show sources in sessions without a window: `shown(Swing(), speed=0.5)`."""
    sessions = []

    def session(*sources, **options):
        options = ViewOptions(size=SIZE, **options)
        player = Player(*sources, playing=False, speed=options.speed)
        sessions.append(Session(player, options, off_screen=True))
        sessions[-1].draw()
        return sessions[-1]

    yield session
    for each in sessions:
        each.stage.close()


@pytest.fixture
def live_session():
    """Shows a run from its beginning in a session without a window, and ends it: `live_session(live_puck())`."""
    opened = []

    def session(source):
        player = Player(source)
        opened.append((Session(player, ViewOptions(size=puck.SIZE, strips=False), off_screen=True), source))
        opened[-1][0].stage.screenshot()
        return opened[-1][0]

    yield session
    for each, source in opened:
        each.stage.close()
        if isinstance(source, Live):
            source.interrupt()
            source.finish()


@pytest.fixture(scope="module")
def source():
    return Replay(simulate("slip", final_time=2.0))


@pytest.fixture(scope="module")
def file(source, tmp_path_factory):
    return write_html(source, tmp_path_factory.mktemp("page") / "slip.html")


@pytest.fixture
def page(browser, file):
    """Opens the file at a time and waits until it is drawn: `page("#t=0.5")`."""

    def opened(words="#play=0", **settings):
        browser.open(f"file://{file}{words}", **settings)
        until(browser.shown)
        return browser

    return opened
