"""What a browser shows: the picture as it is in a window, and buttons below it for the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from hybridsim.errors import ConfigError
from hybridsim.viewer.session import Show

BAR = 44
"""Height of the row of buttons [pixels]."""
BUTTONS = (
    ("Home", "'mdi-skip-previous'", "the beginning (home)"),
    ("Left", "'mdi-step-backward'", "a picture back (left)"),
    ("space", "playing ? 'mdi-pause' : 'mdi-play'", "pause, play (space)"),
    ("Right", "'mdi-step-forward'", "a picture on (right)"),
    ("End", "'mdi-skip-next'", "the end (end)"),
    ("", "", ""),
    ("minus", "'mdi-minus'", "slower (-)"),
    ("plus", "'mdi-plus'", "faster (+)"),
    ("", "", ""),
    ("c", "'mdi-video-switch-outline'", "the next camera (c)"),
    ("t", "'mdi-vector-polyline'", "trails (t)"),
    ("f", "'mdi-arrow-up-bold-outline'", "force arrows (f)"),
    ("g", "'mdi-chart-line'", "strip charts (g)"),
    ("h", "'mdi-keyboard-outline'", "all keys (h)"),
    ("", "", ""),
    ("r", "'mdi-restart'", "read the configuration again and restart (r)"),
    ("q", "'mdi-close'", "close (q)"),
)
"""A key, the expression of its icon, and what it does; between groups, nothing."""

KEYS_OF_THE_PAGE = """
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
  event.preventDefault();
  window.trame.trigger("press", [event.key, event.shiftKey]);
});
"""
X11_NAMES = {" ": "space", "+": "plus", "-": "minus", "=": "equal", "_": "underscore"} | {
    f"Arrow{way}": way for way in ("Left", "Right", "Up", "Down")
}
"""What browsers call a key -> what X11 calls it, where they differ."""


def refuse_missing_trame() -> None:
    """A ConfigError that names the extra to install, if trame is not there."""
    try:
        import trame.app
        import trame.widgets.vtk
        import trame.widgets.vuetify3  # noqa: F401
    except ImportError as problem:
        raise ConfigError(
            f"--web: the player in a browser needs trame ({problem}); install it with pip install 'hybridsim[notebook]'"
        ) from None


def build(show: Show, title: str, seen: Callable[[int], None]) -> tuple[Any, Any]:
    """The page's server, and the picture in it.

    Parameters
    ----------
    show :
        what is played; its keys are those of the page.
    title :
        of the browser's window.
    seen :
        called with the number of the last picture that the browser has got, 0 where it opens the page.
    """
    from trame.app import get_server
    from trame.ui.vuetify3 import VAppLayout
    from trame.widgets import client, html, vtk
    from trame.widgets import vuetify3 as vuetify

    server = get_server(f"hybridsim-{uuid4().hex}", client_type="vue3")
    server.state.trame__title = title
    server.state.picture, server.state.playing, server.state.t = 0, True, show.player.t

    def press(key: str, shift: bool = False) -> None:
        show.press(X11_NAMES.get(key, key), shift)

    server.controller.trigger("press")(press)
    server.controller.trigger("seen")(seen)
    with VAppLayout(server, full_height=True):
        client.Script(KEYS_OF_THE_PAGE)
        client.ClientTriggers(created="trigger('seen', [0])")
        client.ClientStateChange(value="picture", change="trigger('seen', [picture])")
        with html.Div(style=f"position: absolute; inset: 0 0 {BAR}px 0"):
            view = vtk.VtkRemoteView(show.stage.window, interactive_ratio=1, interactive_quality=90, still_quality=95)
        with html.Div(
            classes="d-flex align-center justify-center",
            style=f"position: absolute; inset: auto 0 0 0; height: {BAR}px; gap: 2px; background: #eef2f6",
        ):
            for key, icon, what in BUTTONS:
                if not key:
                    html.Div(style="width: 14px")
                    continue
                vuetify.VBtn(
                    icon=(icon,),
                    title=what,
                    variant="text",
                    density="comfortable",
                    click=f"trigger('press', ['{key}']); $event.currentTarget.blur()",  # or space would press it again
                    color="#1d2a38",
                    raw_attrs=['tabindex="-1"', f'data-key="{key}"'],
                )
    return server, view
