"""The page while the player is loaded: what it shows, and the keys that it keeps; and how slow it is afterwards."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hybridsim.viewer.loading_page import CONNECT_SCRIPT, KEY_SCRIPT, LOADING_TEXT, with_loading
from hybridsim.viewer.web import PERIOD, Pace

TRAME = """<html><head><title>trame is built by Kitware</title>
<script type="module" src="./assets/index.js"></script></head>
<body><div id="app"></div>
<script>
  fetch("./loading.tpl")
    .then((r) => r.text())
    .then((c) => (document.querySelector("#app").innerHTML = c));
</script></body></html>"""


def test_the_page_shows_something_before_any_script_is_loaded():
    page = with_loading(TRAME)
    assert page.index("<script>") < page.index("./assets/index.js")  # keys count from the beginning on
    assert LOADING_TEXT in page[page.index('<div id="app">') :]
    assert "loading.tpl" not in page
    assert "Kitware" not in page
    assert page.count("<script") == 2


def test_the_page_of_the_trame_that_is_installed_is_changed_too():
    vue3 = pytest.importorskip("trame_client.module.vue3", reason="trame is not installed")
    original = Path(vue3.www, "index.html").read_text(encoding="utf-8")
    page = with_loading(original)
    assert LOADING_TEXT in page
    assert "loading.tpl" not in page
    assert original.count("<script") == page.count("<script")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_keys_that_are_pressed_before_the_player_is_there_are_sent_in_their_order():
    script = f"""
    const sent = []; let listener;
    globalThis.window = {{ addEventListener: (_, f) => {{ listener = f; }} }};
    const press = (key) => listener({{ key, shiftKey: false, preventDefault() {{}} }});
    {KEY_SCRIPT}
    press("c"); press("g");
    window.trame = {{ trigger: (name, given) => sent.push(given[0]) }};
    {CONNECT_SCRIPT}
    press("q");
    console.log(sent.join(""));
    """
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "cgq\n"


def played(*ticks):
    pace = Pace()
    for elapsed, shown in ticks:
        pace.add(elapsed, shown)
    return pace


def test_a_player_that_keeps_its_speed_says_nothing():
    assert played(*[(0.04, 0.04)] * 100).text == ""


def test_a_player_that_is_slow_says_how_slow():
    assert played(*[(0.5, 0.2)] * 10).text == "slow: 0.4 of the speed chosen"


def test_what_was_slow_is_forgotten():
    pace = played(*[(0.5, 0.2)] * 10)
    for _ in range(int(PERIOD / 0.04) + 1):
        pace.add(0.04, 0.04)
    assert pace.text == ""


def test_nothing_is_said_before_it_has_played_for_a_while_or_after_a_pause():
    assert played((0.5, 0.1)).text == ""
    pace = played(*[(0.5, 0.2)] * 10)
    pace.reset()
    assert pace.text == ""
