"""The page in a real browser: what it shows and does from one file, without a network, by keyboard and on a phone."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hybridsim import Simulation, load_config, simulate
from hybridsim.plotting.shades import chart_shades, region_name
from hybridsim.viewer import Replay, ViewOptions, write_html
from hybridsim.viewer.browser.html import PAGE, script
from hybridsim.viewer.export import record

from .browser import reddish
from waiting import until

BUTTONS = ["beginning", "previous event", "one picture back", "play", "one picture forward", "next event", "end"]
BUTTONS += ["before or after the jump", "go to a time", "slower", "faster", "next camera", "trails"]
BUTTONS += ["arrows of forces, marks of feet", "strip charts", "keys and notes"]
CONFIGS = Path(__file__).parents[2] / "configs"
SIZES = {"phone": (390, 700), "phone on its side": (844, 390), "desktop": (1280, 720)}


def test_the_file_is_drawn_without_a_request_and_without_a_complaint(page, file):
    browser = page("#t=0.1")
    until(lambda: reddish(browser.picture()) > 100)  # the body of the runner
    assert browser.requested() == {f"file://{file}#t=0.1"} or browser.requested() == {f"file://{file}"}
    assert browser.complaints() == []


def test_time_speed_and_camera_are_taken_from_the_address_and_kept_there(page):
    browser = page("#t=0.5&speed=0.25&camera=side")
    assert browser.text("#headup p").startswith("t 0.5000 s   0.25x   paused")
    browser.press("c")
    browser.press("+")
    words = browser.value("location.hash")
    assert {"t=0.5", "speed=0.5", "camera=top"} == set(words[1:].split("&"))


def test_both_sides_of_an_event_are_shown(page, source):
    first = min(event.t for event in source.events)
    browser = page()
    browser.press("ArrowUp")
    until(lambda: browser.text("#headup p").startswith(f"t {first:.3f}"))
    assert browser.text("#headup .chart") == source.frame(first).chart
    browser.press("b")
    until(lambda: browser.text("#headup .chart") == source.frame(first, before=True).chart)
    assert "paused, before " + ", ".join(source.events[0].boundaries) in browser.text("#headup p")
    assert browser.text("#live").startswith("before ")
    browser.press("b")
    until(lambda: browser.text("#headup .chart") == source.frame(first).chart)


def test_events_are_passed_one_by_one_and_those_of_a_kind_switched_off_are_not(page, source):
    browser = page()
    apexes = [event.t for event in source.events if "apex" not in event.boundaries]
    browser.value("[...document.querySelectorAll('#kinds button')].find(b => b.textContent.startsWith('apex')).click()")
    for t in apexes[:4]:
        browser.press("ArrowUp")
        until(lambda t=t: browser.text("#headup p").startswith(f"t {t:.3f}"))


def test_a_kind_of_events_that_is_switched_off_while_paused_is_crossed_out_at_once(page):
    browser = page("#t=0.5")
    until(lambda: "paused" in browser.text("#headup p"))
    kind = "[...document.querySelectorAll('#kinds button')].find(b => b.textContent.startsWith('apex'))"
    browser.value(f"{kind}.click()")
    until(lambda: browser.value(f"{kind}.getAttribute('aria-pressed')") == "false")
    browser.value(f"{kind}.click()")
    until(lambda: browser.value(f"{kind}.getAttribute('aria-pressed')") == "true")


def test_a_jump_to_the_end_is_said_and_so_is_that_events_are_hidden(page):
    browser = page("#t=0.5")
    browser.press("End")
    until(lambda: browser.text("#live") == "2.000 s")
    browser.value("[...document.querySelectorAll('#kinds button')].forEach(b => b.click())")
    browser.press("ArrowDown")
    until(lambda: browser.text("#live") == "there is no earlier event of the kinds shown")


def test_what_is_said_to_screen_readers_is_seen_for_a_while(page):
    browser = page("#t=0.5")
    seen = "getComputedStyle(document.querySelector('#live')).opacity"
    assert browser.value(seen) == "0"
    browser.press("c")
    until(lambda: browser.text("#live") == "camera side" and browser.value(seen) == "1")
    until(lambda: browser.value(seen) == "0")


def test_the_help_names_buttons_and_the_shades_of_charts_and_closes_on_a_click_beside_it(page):
    browser = page("#t=0.5")
    browser.press("?")
    until(lambda: browser.value("document.querySelector('#help').open"))
    assert browser.value("[...document.querySelectorAll('#keys dt svg')].length") == len(BUTTONS)
    assert "in the band below the events: descent" in browser.text("#meanings")
    browser.drag((3, 3), (3, 3))
    until(lambda: not browser.value("document.querySelector('#help').open"))


def test_charts_have_the_shades_that_they_have_in_plots(page):
    browser, run = page("#t=0.5"), simulate("slip", final_time=2.0)
    browser.press("?")
    until(lambda: browser.value("document.querySelector('#help').open"))
    lines = "[...document.querySelectorAll('#meanings li')].filter(line => line.textContent.startsWith('in the band'))"
    drawn = "line => [line.textContent.split(': ')[1], line.querySelector('path').getAttribute('fill')]"
    shades = {region_name(run, region): shade for region, shade in chart_shades(run).items()}
    assert dict(browser.value(f"{lines}.map({drawn})")) == shades


def test_it_plays_pauses_and_stops_at_the_end_with_the_message_of_the_run(page, source):
    browser = page("#t=1.8&play=1")
    until(lambda: source.message in browser.text("#headup p"))
    assert "the end" in browser.text("#live")
    browser.press(" ")  # from the beginning again
    until(lambda: "paused" not in browser.text("#headup p") and source.message not in browser.text("#headup p"))
    browser.press(" ")
    until(lambda: "paused" in browser.text("#headup p"))
    t = browser.text("#headup p")
    assert browser.text("#headup p") == t


def test_a_reader_who_wants_little_motion_begins_paused(page):
    assert "paused" in page("", reduced_motion=True).text("#headup p")


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_control_is_on_the_page_and_large_enough_for_a_finger(page, size):
    browser = page("#t=0.5", size=size)
    rows = browser.value(
        "[...document.querySelectorAll('#buttons button, #kinds button, #time')].filter(b => b.checkVisibility())"
        ".map(b => { const r = b.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })"
    )
    left, top, right, bottom = np.array(rows).T
    assert left.min() >= 0
    assert top.min() >= 0
    assert right.max() <= size[0]
    assert bottom.max() <= size[1]
    assert min((right - left).min(), (bottom - top).min()) >= 44 - 1e-6
    assert browser.value("document.querySelector('#stage').clientHeight") > 0.4 * size[1]


def test_texts_and_charts_of_a_narrow_page_leave_its_middle_to_the_bodies(page):
    browser = page("#t=0.5", size=(480, 420))
    boxes = [f"document.querySelector('{name}').getBoundingClientRect()" for name in ("#headup", "#strips", "#stage")]
    (_, above), (below, end), (top, bottom) = (browser.value(f"[{box}.top, {box}.bottom]") for box in boxes)
    assert top < above < below < end < bottom
    assert below - above > 0.4 * (bottom - top)


@pytest.mark.parametrize("size", [SIZES["phone"], SIZES["phone on its side"], (480, 420)])
def test_titles_of_charts_lie_on_no_curves(page, size):
    browser = page("#t=0.5", size=size)
    boxes = browser.value(
        "[...document.querySelectorAll('#strips figure')].filter(f => f.checkVisibility()).map(f =>"
        " [...f.children].map(c => { const r = c.getBoundingClientRect(); return [r.top, r.bottom]; }))"
    )
    assert len(boxes) == 2
    for (top, end), (begin, bottom) in boxes:
        assert top < end <= begin < bottom - 30


def test_the_first_picture_of_a_page_that_is_paused_is_that_of_later_ones(page):
    browser = page("#t=0.5", size=(480, 420))
    until(lambda: reddish(browser.picture()) > 20)
    first = browser.picture()
    browser.press("g")
    until(lambda: browser.value("document.querySelector('#strips').hidden"))
    browser.press("g")
    until(lambda: np.abs(browser.picture() - first)[:200].max() < 30)


def test_tab_reaches_every_control_in_the_order_of_the_page(page):
    browser = page()
    names = []
    for _ in range(40):
        browser.press("Tab")
        name = browser.value("document.activeElement.getAttribute('aria-label')")
        if not name or name in names:
            break
        names.append(name)
    kinds = [name for name in names if name.endswith("events")]
    assert names == ["time", *kinds, *BUTTONS]
    assert len(kinds) == 4


def test_space_on_a_button_presses_that_button_alone(page):
    browser = page()
    browser.value("document.querySelector('[aria-label=\"strip charts\"]').focus()")
    browser.press(" ")
    until(lambda: browser.value("document.querySelector('#strips').hidden"))
    assert "paused" in browser.text("#headup p")


def test_names_and_states_are_there_for_a_screen_reader(page):
    browser = page()
    assert "hopper" in browser.value("document.querySelector('#picture').getAttribute('aria-label')")
    assert browser.value("document.querySelector('#time').getAttribute('aria-valuetext')").endswith(" s")
    assert browser.value("document.querySelector('#live').getAttribute('aria-live')") == "polite"
    unnamed = (
        "[...document.querySelectorAll('button, input')].filter(e => !(e.getAttribute('aria-label') || e.textContent))"
    )
    assert browser.value(f"{unnamed}.length") == 0


def test_all_events_are_reached_by_keys_alone_wherever_the_focus_is(page, source):
    browser = page()
    told = [f"after {', '.join(event.boundaries)}, {event.t:.3f} s" for event in source.events]
    for number, words in enumerate(told):
        if number % 5 == 4:
            browser.press("Tab")  # to the time line, then to kinds of events
        browser.press("ArrowUp")
        until(lambda words=words: (browser.text("#live") or "").startswith(words))
    browser.press("ArrowUp")
    until(lambda: browser.text("#live") == "there is no later event")
    browser.press("Home")
    until(lambda: browser.text("#headup p").startswith("t 0.000 s"))


def test_a_finger_moves_the_handle_of_the_time_line_and_leads_to_no_other_page(page):
    browser = page(size=SIZES["phone"])
    left, top, width, height = browser.value(
        "(() => { const r = document.querySelector('#time').getBoundingClientRect();"
        " return [r.left, r.top, r.width, r.height]; })()"
    )
    browser.do("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        for number, share in enumerate((0.1, 0.3, 0.5, 0.6, 0.6)):
            finger = [] if number == 4 else [{"x": left + share * width, "y": top + 0.6 * height}]
            kind = {0: "touchStart", 4: "touchEnd"}.get(number, "touchMove")
            browser.do("Input.dispatchTouchEvent", type=kind, touchPoints=finger)
        until(lambda: float(browser.text("#headup p").split()[1]) == pytest.approx(1.2, abs=0.1))
        assert browser.value("location.protocol") == "file:"
    finally:
        browser.do("Emulation.setTouchEmulationEnabled", enabled=False)


def likeness(browser, source, t, folder):
    """Correlation of the brightness of blocks of 8 pixels, of the page and of PyVista's picture."""
    width, height = browser.value(
        "[document.querySelector('#picture').clientWidth, document.querySelector('#picture').clientHeight]"
    )
    (path,) = record([source], folder / "window.png", ViewOptions(size=(width, height), at=t, strips=False))
    window = np.asarray(Image.open(path).convert("L"), float)
    shown = np.asarray(Image.fromarray(browser.picture().astype(np.uint8)).convert("L"), float)[:height, :width]
    part = np.s_[int(0.3 * height) // 8 * 8 : int(0.85 * height) // 8 * 8, 0 : width // 8 * 8]  # without texts
    blocks = [whole[part].reshape(-1, 8, whole[part].shape[1] // 8, 8).mean(axis=(1, 3)) for whole in (window, shown)]
    return np.corrcoef(blocks[0].ravel(), blocks[1].ravel())[0, 1]


def test_the_picture_is_that_of_the_window(page, source, tmp_path):
    """Mirrored axes, another camera or a missing body would show."""
    browser = page("#t=0.6", size=(960, 760))
    browser.press("g")
    assert likeness(browser, source, 0.6, tmp_path) > 0.9


@pytest.mark.exhaustive
@pytest.mark.parametrize("config", ["hexapod/walk.rc", "biped/walk.yaml"])
def test_the_pictures_of_a_robot_are_those_of_the_window(config, browser, tmp_path):
    """But for what the page has alone: legend and room for texts, left out, and shadows of bodies on each other."""
    given = load_config(CONFIGS / config, ["final_time=2", "record.steps=true"])
    run = Replay(Simulation.from_config(given).run())
    file = write_html(run, tmp_path / "robot.html")
    for t in (0.0, 0.43, 0.9, 1.31, 1.87):
        browser.open(f"file://{file}#t={t}&plain=1", size=(960, 620))  # without a legend
        until(browser.shown)
        browser.value("document.querySelector('#headup').style.display = 'none'")
        browser.press("g")
        assert likeness(browser, run, t, tmp_path) > 0.9
    assert browser.complaints() == []


def test_the_modules_are_javascript(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    for file in [*PAGE.glob("*.js"), tmp_path / "page.js"]:
        (tmp_path / "page.js").write_text(script())
        module = tmp_path / f"{file.stem}.mjs"
        module.write_text(file.read_text())
        checked = subprocess.run([node, "--check", module], capture_output=True, text=True, check=False, timeout=60)
        assert checked.returncode == 0, checked.stderr


def test_every_module_is_in_the_script():
    text = script()
    lines = [line for file in PAGE.glob("*.js") if file.name != "three.js" for line in file.read_text().splitlines()]
    for line in lines:
        if line.startswith(("export function", "export class", "export async")):
            assert line.removeprefix("export ") in text
    assert "import {" not in text
