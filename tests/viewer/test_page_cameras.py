"""How the cameras of a page make room for texts, and have the bodies of a run fill the picture."""

from dataclasses import replace

import numpy as np
import pytest

from hybridsim import Output, simulate
from hybridsim.scene import Body, Box, Camera, Scene
from hybridsim.viewer import Replay, ViewOptions, write_html

from . import swing
from .browser import reddish
from waiting import until


def pillar(t_out, t, x, p, chart):
    t_out[0] = np.eye(4)


@pytest.mark.parametrize("size", [(1280, 720), (960, 620), (390, 700)])
def test_lines_of_text_leave_room_for_a_head_in_the_first_picture(browser, tmp_path, size):
    """A pillar of 1.9 m, of the 2.14 m that the picture shows at 4 m; lines that are longer than half of it."""
    words = tuple(Output(f"output_with_a_name_of_{word}_words", "m/s") for word in ("many", "several"))
    bodies, camera = (Body("pillar", Box((0.2, 0.2, 1.9)), "#ff0000"),), Camera(distance=4.0, view=(0, 1, 0))
    scene = Scene(bodies, camera=camera, outputs=tuple(word.name for word in words))
    still = replace(swing.MODEL, poses=pillar, scene=scene, output_records=words)
    file = write_html(Replay(simulate(still, final_time=1.0), still), tmp_path / "pillar.html")
    browser.open(f"file://{file}#t=0.5", size)
    until(browser.shown)
    until(lambda: reddish(browser.picture()) > 100)
    picture = browser.picture()
    red = (picture[..., 0] > 100) & (picture[..., 1] < 0.5 * picture[..., 0])
    assert np.flatnonzero(red.any(axis=1))[0] > browser.value(
        "document.querySelector('#headup').getBoundingClientRect().bottom"
    )


@pytest.mark.parametrize("size", [(960, 620), (640, 620), (390, 700)])
def test_a_camera_that_sees_the_whole_of_a_run_has_its_bodies_fill_the_picture(browser, tmp_path, size):
    """A beam that turns once, within a circle: it takes 0.85 of the height of a wide picture, less of a narrow one."""
    beam, camera = Body("beam", Box((1.9, 0.02, 0.1)), "#ff0000"), Camera(distance=60.0, whole=True)
    scene = Scene((beam,), ground=None, camera=camera)
    turning = replace(swing.MODEL, poses=turned, scene=scene)
    file = write_html(Replay(simulate(turning, final_time=1.0), turning), tmp_path / "beam.html")
    lengths = []
    for t in (0.01, 0.25):
        browser.open(f"file://{file}#t={t}", size)
        until(browser.shown)
        until(lambda: reddish(browser.picture()) > 100)
        picture = browser.picture()
        red = (picture[..., 0] > 100) & (picture[..., 1] < 0.5 * picture[..., 0])
        texts = browser.value("document.querySelector('#headup').getBoundingClientRect().bottom")
        assert size[0] > 700 or np.flatnonzero(red.any(axis=1))[0] > texts  # beside them in a wide picture
        lengths.append(np.ptp(np.flatnonzero(red.any(axis=0 if t < 0.1 else 1))))
    width, height = browser.value("['Width', 'Height'].map(w => document.querySelector('#stage')[`client${w}`])")
    assert 0.6 * min(width, height) < min(lengths) <= max(lengths) < min(width, height), (lengths, width, height)


def turned(t_out, t, x, p, chart):
    angle = 2.0 * np.pi * t
    t_out[0] = np.eye(4)
    t_out[0][0, 0] = t_out[0][2, 2] = np.cos(angle)
    t_out[0][0, 2] = np.sin(angle)
    t_out[0][2, 0] = -np.sin(angle)


@pytest.mark.parametrize(("size", "axis"), [((1280, 720), "left"), ((390, 844), "top")])
def test_parts_of_a_picture_have_the_names_of_their_runs(browser, tmp_path, size, axis):
    runs = [simulate("slip", final_time=1.0).save(tmp_path / f"{name}.h5")[0] for name in ("soft", "stiff")]
    file = write_html(runs, tmp_path / "both.html", ViewOptions(layout="side-by-side"))
    browser.open(f"file://{file}#t=0.5", size)
    until(browser.shown)
    names = "[...document.querySelectorAll('#names p')]"
    until(lambda: browser.value(f"{names}.map(name => name.textContent)") == ["soft", "stiff"])
    stage, *places = browser.value(
        f"[document.querySelector('#stage'), ...{names}].map(e => (r => [r.left, r.top])(e.getBoundingClientRect()))"
    )
    first, second = (place[["left", "top"].index(axis)] for place in places)
    middle = stage[0] + 640 if axis == "left" else browser.value("document.querySelector('#stage').clientHeight / 2")
    assert first < middle < second
