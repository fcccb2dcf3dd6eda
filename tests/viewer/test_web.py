"""The player in a real browser: what it shows, what keys and mouse do there, and how it is closed."""

import asyncio
import re
import signal
import sys

import numpy as np
import pytest

from hybridsim import ConfigError, load_run, simulate

from .browser import SIZE, address_of, site
from waiting import PATIENCE, until

pytest.importorskip("trame.app", reason="trame is not installed: pip install 'hybridsim[notebook]'")
pytest.importorskip("trame.widgets.vtk", reason="trame-vtk is not installed: pip install 'hybridsim[notebook]'")
aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed: pip install 'hybridsim[notebook]'")

from hybridsim.viewer import page, web  # noqa: E402


def red(picture):
    """Rows and columns of the ball's pixels."""
    r, g, b = picture[..., 0], picture[..., 1], picture[..., 2]
    return np.nonzero((r > 110) & (r > g + 60) & (r > b + 60))


def height_of_ball(browser):
    """Rows from the top."""
    return red(browser.picture())[0].mean()


def frame_of(address):
    """What a cell of a notebook shows: the page in a frame."""
    cell = web.Embedded.__new__(web.Embedded)
    cell._address, cell._height = address, 400
    return cell._repr_html_()


def test_in_a_browser_a_run_is_shown_in_a_frame_played_paused_scrubbed_and_closed(browser, started, tmp_path):
    run = simulate("bouncing_ball", final_time=20.0, parameters={"restitution": 1.0}, initial={"y": 1.0})
    run.save(tmp_path / "ball")
    process = started("view", "ball.h5", "--web", "--speed", "0.5")
    address = address_of(process)
    with site(frame_of(address)) as notebook:
        browser.open(notebook)
        until(lambda: len(red(browser.picture())[0]) > 50)

    browser.open(address)
    until(lambda: (browser.state("t") or 0.0) > 0.0)
    until(lambda: len(red(browser.picture())[0]) > 50)
    browser.press(" ")
    until(lambda: browser.state("playing") is False)
    t = browser.state("t")
    browser.press("ArrowRight")
    until(lambda: browser.state("t") == pytest.approx(t + 0.5 / 30.0, rel=1e-9))

    # Dropped from 1 m without loss, it lies on the floor first at sqrt(2 h / g), and is at the top at 0.
    browser.press("Home")
    until(lambda: browser.state("t") == 0.0)
    until(lambda: height_of_ball(browser) < 0.5 * SIZE[1])
    top = height_of_ball(browser)
    browser.press("ArrowUp")
    until(lambda: browser.state("t") == pytest.approx(np.sqrt(2.0 / 9.81), rel=1e-6))
    until(lambda: height_of_ball(browser) > top + 50)

    picture = browser.picture()
    slider = next(row for row in range(SIZE[1] - page.BUTTON_ROW_HEIGHT - 1, 0, -1) if dark(picture[row]))
    browser.drag((SIZE[0] / 2, slider))
    until(lambda: browser.state("t") == pytest.approx(10.0, abs=0.2))

    browser.click("Home")  # buttons are the keys
    until(lambda: browser.state("t") == 0.0)
    browser.click("q")
    assert process.wait(timeout=PATIENCE) == 0
    assert "Traceback" not in process.stderr.read()


def dark(row):
    """Whether the slider is in this row; its part before the time shown is a long dark line."""
    return (row.max(axis=1) < 90).sum() > 10


def test_a_live_run_in_a_browser_is_written_when_it_is_closed(browser, started, tmp_path):
    (tmp_path / "ball.yaml").write_text("model: bouncing_ball\nfinal_time: 1000\nparameters: {restitution: 1}\n")
    process = started("run", "ball.yaml", "--web")
    browser.open(address_of(process))
    until(lambda: (browser.state("t") or 0.0) > 0.0)
    browser.press("q")
    assert process.wait(timeout=PATIENCE) == 0
    assert load_run(tmp_path / "ball.h5").t[-1] == 1000.0


@pytest.mark.slow
def test_ctrl_c_ends_the_page(started, tmp_path):
    simulate("projectile", final_time=0.5).save(tmp_path / "throw")
    process = started("view", "throw.h5", "--web")
    address_of(process)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 130
    assert "Traceback" not in process.stderr.read()


def test_without_trame_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "trame.app", None)
    with pytest.raises(ConfigError, match=r"pip install 'hybridsim\[notebook\]'"):
        page.refuse_missing_trame()


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
