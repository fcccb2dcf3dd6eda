"""The page while the player is loaded: something to see at once, and keys that are kept until they can be sent."""

from __future__ import annotations

import re

LOADING_TEXT = "hybridsim: the player is being loaded ..."
"""What the page shows until the player is there."""

LOADING_STYLE = (
    "font: 16px sans-serif; color: #1d2a38; position: absolute; inset: 0; display: grid; place-items: center"
)

KEY_SCRIPT = """
window.hybridsimKeys = {
  waiting: [],
  connected: false,
  send() {
    while (this.connected && this.waiting.length) window.trame.trigger("press", this.waiting.shift());
  },
  connect() {
    if (!window.trame) return void setTimeout(() => this.connect(), 20);
    this.connected = true;
    this.send();
  },
};
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
  event.preventDefault();
  window.hybridsimKeys.waiting.push([event.key, event.shiftKey]);
  window.hybridsimKeys.send();
});
"""
"""JavaScript that keeps the keys pressed in the page, and sends them to the server as soon as the player is there."""

CONNECT_SCRIPT = "window.hybridsimKeys.connect();"
"""JavaScript that the player executes when it is there."""

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_PLACE = re.compile(r'<div id="app">\s*</div>')
_OWN_LOADING = re.compile(r"<script>\s*fetch\(\"\./loading\.tpl\"\).*?</script>", re.DOTALL)


def with_loading(html: str) -> str:
    """Return trame's page with what is shown while its scripts are loaded, in place of trame's own.

    Parameters
    ----------
    html : str
        The page, `index.html`.

    Returns
    -------
    str
        The page; the player will replace what is shown.
    """
    html = _OWN_LOADING.sub("", html)
    html = _TITLE.sub(f"<title>hybridsim</title>\n    <script>{KEY_SCRIPT}</script>", html, count=1)
    return _PLACE.sub(f'<div id="app"><div style="{LOADING_STYLE}">{LOADING_TEXT}</div></div>', html, count=1)
