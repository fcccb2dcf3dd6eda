"""The page that a browser shows: the same picture as in a window, with buttons for the keys below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from hybridsim.errors import ConfigError
from hybridsim.viewer.loading_page import CONNECT_SCRIPT, LOADING_STYLE
from hybridsim.viewer.session import Session

BUTTON_ROW_HEIGHT = 44
"""Height of the row of buttons [pixels]."""
BUTTONS = (
    ("Home", "'mdi-skip-previous'", "the beginning (home)"),
    ("Left", "'mdi-step-backward'", "one picture back (left)"),
    ("space", "playing ? 'mdi-pause' : 'mdi-play'", "pause, play (space)"),
    ("Right", "'mdi-step-forward'", "one picture forward (right)"),
    ("End", "'mdi-skip-next'", "the end (end)"),
    ("", "", ""),
    ("minus", "'mdi-minus'", "slower (-)"),
    ("plus", "'mdi-plus'", "faster (+)"),
    ("", "", ""),
    ("c", "'mdi-video-switch-outline'", "the next camera (c)"),
    ("t", "'mdi-vector-polyline'", "trails (t)"),
    ("f", "'mdi-arrow-up-bold-outline'", "force arrows (f)"),
    ("k", "'mdi-cone'", "cones of friction (k)"),
    ("p", "'mdi-map-marker-outline'", "points of contact (p)"),
    ("j", "'mdi-circle-medium'", "joints (j)"),
    ("b", "'mdi-axis-arrow'", "frames of bodies (b)"),
    ("e", "'mdi-ellipse-outline'", "ellipsoids of inertia (e)"),
    ("g", "'mdi-chart-line'", "strip charts (g)"),
    ("i", "'mdi-tune-variant'", "sliders for the inputs, while computing (i)"),
    ("h", "'mdi-keyboard-outline'", "all keys (h)"),
    ("", "", ""),
    ("r", "'mdi-restart'", "read the configuration again and restart (r)"),
    ("q", "'mdi-close'", "close (q)"),
)
"""For each button its key, the expression of its icon, and what it does; empty texts separate groups."""

X11_NAMES = {" ": "space", "+": "plus", "-": "minus", "=": "equal", "_": "underscore", "?": "question"} | {
    f"Arrow{direction}": direction for direction in ("Left", "Right", "Up", "Down")
}
"""For keys that browsers and X11 name differently: the browser's name -> the X11 name."""


def refuse_missing_trame() -> None:
    """Raise a ConfigError that names the extra to install, if trame cannot be imported."""
    try:
        import trame.app
        import trame.widgets.vtk
        import trame.widgets.vuetify3  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            f"--web: the player in a browser needs trame ({error}); install it with pip install 'hybridsim[notebook]'"
        ) from None


def build(session: Session, on_received: Callable[[int], None]) -> tuple[Any, Any]:
    """Build the page.

    Parameters
    ----------
    session : Session
        What is played.
    on_received : callable
        Called with the number of the last picture that the browser has received; 0 when it opens the page.

    Returns
    -------
    server, view
        The server of the page, and the picture in it.
    """
    from trame.app import get_server
    from trame.ui.vuetify3 import VAppLayout
    from trame.widgets import client, html, vtk

    server = get_server(f"hybridsim-{uuid4().hex}", client_type="vue3")
    server.state.trame__title = session.title
    server.state.picture, server.state.playing, server.state.t = 0, True, session.player.t
    server.state.pace = ""

    def press(key: str, shift: bool = False) -> None:
        session.press(X11_NAMES.get(key, key), shift)

    server.controller.trigger("press")(press)
    server.controller.trigger("seen")(on_received)
    with VAppLayout(server, full_height=True):
        client.Script(CONNECT_SCRIPT)
        client.ClientTriggers(created="trigger('seen', [0])")
        client.ClientStateChange(value="picture", change="trigger('seen', [picture])")
        with html.Div(style=f"position: absolute; inset: 0 0 {BUTTON_ROW_HEIGHT}px 0"):
            quality = {"interactive_ratio": 1, "interactive_quality": 90, "still_quality": 95}
            view = vtk.VtkRemoteView(session.stage.window, **quality)
            html.Div("the first picture is being drawn ...", v_show="picture === 0", style=LOADING_STYLE)
        _build_buttons()
    return server, view


def _build_buttons() -> None:
    """Add the row of buttons to the layout in whose block this is called."""
    from trame.widgets import html
    from trame.widgets import vuetify3 as vuetify

    row = f"position: absolute; inset: auto 0 0 0; height: {BUTTON_ROW_HEIGHT}px; gap: 2px; background: #eef2f6"
    with html.Div(classes="d-flex align-center justify-center", style=row):
        html.Div(
            "{{ pace }}", style="position: absolute; left: 12px; bottom: 100%; font: 13px sans-serif; color: #b2182b"
        )
        for key, icon, effect in BUTTONS:
            if not key:
                html.Div(style="width: 14px")
                continue
            vuetify.VBtn(
                icon=(icon,),
                title=effect,
                variant="text",
                density="comfortable",
                # A button that kept the focus would be pressed again by the space key.
                click=f"trigger('press', ['{key}']); $event.currentTarget.blur()",
                color="#1d2a38",
                raw_attrs=['tabindex="-1"', f'data-key="{key}"'],
            )
