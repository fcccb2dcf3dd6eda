"""Going to a time on a page, by a field and by the handle; and numbers that are rounding."""

import shutil
import subprocess

import pytest

from hybridsim.viewer.browser.html import PAGE

from waiting import until

OPEN = "[...document.querySelectorAll('dialog[open]')].map(box => box.id).join()"


def type_time(browser, text):
    """Press the key for a time, type it into the field, and press enter."""
    browser.press("s")
    until(lambda: browser.value(OPEN) == "seek" and browser.value("document.activeElement.id") == "seek-time")
    browser.do("Input.insertText", text=text)
    browser.press("Enter")
    until(lambda: browser.value(OPEN) == "")


@pytest.mark.parametrize(("typed", "shown"), [("0.73", "0.7300 s"), ("0,73", "0.7300 s"), ("9", "2.0000 s")])
def test_a_time_that_is_typed_is_shown(page, typed, shown):
    browser = page("#t=0.5&speed=0.25")
    type_time(browser, typed)
    until(lambda: browser.text("#headup p").startswith(f"t {shown}"))


@pytest.mark.parametrize("typed", ["soon", " "])
def test_what_is_no_time_is_refused_by_a_sentence_and_can_be_mended(page, typed):
    browser = page("#t=0.5")
    browser.press("s")
    until(lambda: browser.value("document.activeElement.id") == "seek-time")
    browser.do("Input.insertText", text=typed)
    browser.press("Enter")
    message = browser.value("document.querySelector('#seek-time').validationMessage")
    assert message.startswith("expected a time in seconds")
    assert browser.value(OPEN) == "seek"
    browser.value("document.querySelector('#seek-time').select()")
    browser.do("Input.insertText", text="0.73")
    browser.press("Enter")
    until(lambda: browser.text("#headup p").startswith("t 0.730 s"))


def test_a_time_beyond_the_end_says_where_the_run_is(page):
    browser = page("#t=0.5")
    type_time(browser, "9")
    until(lambda: browser.text("#live") == "the run is from 0 to 2 s")


def test_the_address_follows_the_handle_while_paused(page):
    browser = page("#t=0.5")
    browser.value(
        "(slider => { slider.value = 0.8; ['input', 'change'].forEach(kind => slider.dispatchEvent(new Event(kind)));"
        " })(document.querySelector('#time'))"
    )
    assert "t=1.6" in browser.value("location.hash")


@pytest.mark.parametrize("key", ["s", "h"])
def test_escape_closes_what_a_key_has_opened(page, key):
    browser = page("#t=0.5")
    browser.press(key)
    until(lambda: browser.value(OPEN) != "")
    browser.press("Escape")
    until(lambda: browser.value(OPEN) == "")
    assert browser.text("#headup p").startswith("t 0.500 s")


@pytest.mark.parametrize("pixels", [2.0, 12.0])
def test_the_handle_snaps_to_a_tick_that_is_near(page, source, pixels):
    browser = page("#t=0.1")
    width = browser.value("document.querySelector('#ticks').clientWidth") - 16.0
    t = source.events[0].t + pixels / width * (source.end - source.begin)
    browser.value(
        "(slider => { slider.value = " + repr(t / source.end) + "; slider.dispatchEvent(new Event('input')); })"
        "(document.querySelector('#time'))"
    )
    there = source.events[0].t if pixels < 3.0 else t
    until(lambda: browser.text("#headup p").startswith(f"t {there:.3f} s"))


def test_a_page_that_plays_says_how_to_pause_it(page):
    assert page("").text("#live").startswith("playing; space pauses")


def test_a_page_that_begins_paused_says_how_to_play_it(page):
    assert page("", reduced_motion=True).text("#live").startswith("paused; space plays")


@pytest.mark.parametrize(
    ("value", "largest", "shown"),
    [(-4e-12, 100.0, "0.000"), (4e-12, 1e-11, "4.00e-12"), (2.5e-13, 1.0, "2.50e-13"), (1.845, 1e12, "1.845")],
)
def test_rounding_beside_the_largest_value_is_shown_as_zero(tmp_path, value, largest, shown):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = tmp_path / "format.mjs"
    program.write_text((PAGE / "format.js").read_text() + f"console.log(formatNumber({value}, {largest}));")
    ended = subprocess.run([node, program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.strip() == shown
