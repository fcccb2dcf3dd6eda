"""The player in a real browser: how it is shown while a run is computed or read, and how it is closed."""

import asyncio
import re
import signal

import numpy as np
import pytest

from hybridsim import load_run, simulate

from .browser import address_of, site
from waiting import PATIENCE, until

aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")

from hybridsim.viewer import web  # noqa: E402


def frame_of(address):
    """What a cell of a notebook shows: the page in a frame."""
    cell = web.Embedded.__new__(web.Embedded)
    cell._address, cell._height = address, 400
    return cell._repr_html_()


def ball(tmp_path, seconds):
    simulate("bouncing_ball", final_time=seconds, parameters={"restitution": 1.0}).save(tmp_path / "ball")


def time_shown(browser):
    found = re.match(r"t ([\d.]+) s", browser.text("#headup p") or "")
    return float(found[1]) if found else None


def test_in_a_browser_a_run_is_shown_in_a_frame_played_paused_and_closed(browser, started, tmp_path):
    ball(tmp_path, 20.0)
    process = started("view", "ball.h5", "--web", "--speed", "0.5")
    address = address_of(process)
    inside = "document.querySelector('iframe').contentWindow"
    with site(frame_of(address)) as notebook:
        browser.open(notebook)
        until(lambda: browser.value(f"{inside}.length === 0"))  # it is there, and of another site: it cannot be read

    browser.open(address)
    until(lambda: (time_shown(browser) or 0.0) > 0.0)
    browser.press(" ")
    until(lambda: "paused" in browser.text("#headup p"))
    t = time_shown(browser)
    browser.press("ArrowRight")
    until(lambda: time_shown(browser) == pytest.approx(t + 0.5 / 30.0, abs=2e-4))
    assert browser.complaints() == []
    browser.press("q")
    assert process.wait(timeout=PATIENCE) == 0
    assert "Traceback" not in process.stderr.read()
    until(lambda: "has been closed" in browser.text("#message"))
    browser.press("Home")  # what has come stays
    until(lambda: time_shown(browser) == 0.0)


def test_a_live_run_in_a_browser_is_written_when_it_is_closed(browser, started, tmp_path):
    (tmp_path / "ball.yaml").write_text("model: bouncing_ball\nfinal_time: 1000\nparameters: {restitution: 1}\n")
    process = started("run", "ball.yaml", "--web")
    browser.open(address_of(process))
    until(lambda: (time_shown(browser) or 0.0) > 0.3)
    browser.press("-")
    until(lambda: "0.5x" in browser.text("#headup p"))
    browser.press("r")
    until(lambda: time_shown(browser) < 0.3)
    assert "0.5x" in browser.text("#headup p")  # as it was before the restart
    until(lambda: time_shown(browser) > 0.3)  # it plays on
    browser.press("q")
    assert process.wait(timeout=PATIENCE) == 0
    assert load_run(tmp_path / "ball.h5").t[-1] == 1000.0


def test_a_page_of_a_long_run_keeps_its_latest_part_and_says_so(browser, started, tmp_path):
    """`most` is the number of poses' numbers that the page keeps; here it is small."""
    (tmp_path / "ball.yaml").write_text("model: bouncing_ball\nfinal_time: 1000\nparameters: {restitution: 1}\n")
    (tmp_path / "sitecustomize.py").write_text(
        "from hybridsim.viewer.browser import header, server\nheader.MOST_NUMBERS, server.LOG_LIMIT = 3000, 2**15\n"
    )
    address = address_of(started("run", "ball.yaml", "--web", PYTHONPATH=str(tmp_path)))
    browser.open(address)
    until(lambda: "keeps the latest part of a long run" in (browser.text("#message pre") or ""))
    begin = float(re.match(r"([\d.]+) s", browser.text("#begin"))[1])
    assert begin > 0.0
    browser.press("Home")
    until(lambda: time_shown(browser) >= begin)
    assert "jumps" in browser.text("#headup .jumps")
    browser.open(address)  # one that comes later
    until(lambda: "keeps the latest part" in (browser.text("#message pre") or ""))
    assert browser.complaints() == []


PUSHED = """
from hybridsim import Input, Model, State
from hybridsim.scene import Body, Camera, Scene, Sphere, placed

def vector_field(xdot, t, x, p, chart):
    xdot[0] = p[0]

def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))

SCENE = Scene((Body("ball", Sphere(0.2)),), camera=Camera("ball", distance=4.0, view=(0.0, 1.0, 0.0)))
V = Input("v", 0.0, lower=-4.0)
MODEL = Model("pushed", (State("x", 0.0),), vector_field=vector_field, poses=poses, inputs=(V,), scene=SCENE)
"""
SLIDER = "document.querySelector('#inputs input')"


def test_a_slider_widens_where_it_is_released_and_is_the_same_in_a_page_that_is_opened_later(
    browser, started, tmp_path
):
    (tmp_path / "pushed.py").write_text(PUSHED)
    (tmp_path / "pushed.yaml").write_text("model: pushed.py\nfinal_time: 1000\n")
    address = address_of(started("run", "pushed.yaml", "--web"))

    def ends():
        return browser.value(f"[{SLIDER}.min, {SLIDER}.max, {SLIDER}.value].map(Number)")

    browser.open(address)
    until(lambda: ends() == [-4.0, 1.0, 0.0])
    for value, event in ((1.0, "input"), (1.0, "change")):
        browser.value(f"{SLIDER}.value = {value}; {SLIDER}.dispatchEvent(new Event('{event}'))")
    assert ends() == [-4.0, 6.0, 1.0]
    browser.press("r")
    until(lambda: ends() == [-4.0, 1.0, 0.0])
    browser.value(f"{SLIDER}.value = 0.5; {SLIDER}.dispatchEvent(new Event('input'))")
    browser.open(address)
    until(lambda: (ends() or [0.0])[-1] == 0.5)
    assert browser.complaints() == []


PUCK = """
from hybridsim import Input, Model, State
from hybridsim.scene import Body, Camera, Push, Scene, Sphere, placed

def vector_field(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], p[0]

def poses(T, t, x, p, chart):
    T[0] = placed((x[0], 0.0, 0.0))

SCENE = Scene(
    (Body("puck", Sphere(0.5)),),
    ground=None,
    camera=Camera("puck", distance=4.0, view=(0.0, 1.0, 0.0)),
    pushes=[Push("puck", ("force_x", "", ""), stiffness=10.0, limit=5.0)],
    outputs=["v"],
)
STATES = (State("x", 0.0), State("v", 0.0))
MODEL = Model("puck", STATES, vector_field=vector_field, poses=poses, inputs=(Input("force_x", 0.0),), scene=SCENE)
"""


def test_a_drag_with_the_control_key_pushes_a_body_until_it_is_released(browser, started, tmp_path):
    (tmp_path / "puck.py").write_text(PUCK)
    (tmp_path / "puck.yaml").write_text("model: puck.py\nfinal_time: 1000\n")
    process = started("run", "puck.yaml", "--web")
    browser.open(address_of(process))
    until(lambda: (time_shown(browser) or 0.0) > 0.2)
    browser.press("g")  # without charts, the puck is in the middle
    x, y = browser.value("[picture.clientWidth / 2, picture.clientHeight / 2]")
    metre = browser.value("picture.clientHeight") / (2.0 * 4.0 * np.tan(np.radians(15.0)))

    def velocity():
        return float(browser.text("#headup .outputs").split()[1])

    assert velocity() == 0.0
    browser.drag(
        (x, y), (x + 0.1 * metre, y), (x + 0.3 * metre, y), control=True, held=lambda: until(lambda: velocity() > 0.0)
    )
    t = time_shown(browser)
    until(lambda: time_shown(browser) > t + 0.3)
    browser.press("q")
    assert process.wait(timeout=PATIENCE) == 0
    run = load_run(tmp_path / "puck.h5")
    *forces, last = run.inputs.value.tolist()
    assert max(forces) == pytest.approx(3.0, rel=0.05)  # 10 N/m
    assert last == 0.0
    changes = [*run.inputs.t, run.t[-1]]
    impulse = sum(f * (t - s) for f, s, t in zip(run.inputs.value, changes, changes[1:], strict=False))
    assert run["v"][-1] == pytest.approx(impulse)
    assert 0.0 < impulse < 3.0 * 5.0  # the force acts while it is seen, however long the steps are


@pytest.mark.exhaustive  # Ctrl-C in `test_interruption`
@pytest.mark.slow
def test_ctrl_c_ends_the_page(started, tmp_path):
    simulate("projectile", final_time=0.5).save(tmp_path / "throw")
    process = started("view", "throw.h5", "--web")
    address_of(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 130
    assert "Traceback" not in process.stderr.read()


def test_a_notebook_shows_the_page_in_a_cell():
    run = simulate("projectile", final_time=0.5)

    async def cell():
        embedded = await web.embed(run, height=321)
        text = embedded._repr_html_()
        address = re.search(r'src="([^"]+)"', text)[1]
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            found = answer.status, await answer.text()
        embedded.close()
        await embedded.closed()
        return text, found

    text, (status, content) = asyncio.run(asyncio.wait_for(cell(), PATIENCE))
    assert "height: 321px" in text
    assert status == 200
    assert "<html" in content
