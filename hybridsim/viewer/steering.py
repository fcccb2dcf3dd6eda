"""Steer a run while it is computed: sliders for its inputs, in a panel at the left."""

from __future__ import annotations

import math
from typing import Any

from hybridsim.viewer.render.headup import WINDOW_MARGIN
from hybridsim.viewer.render.input_sliders import SLIDER_ROW_HEIGHT, InputSlider
from hybridsim.viewer.render.stage import Stage
from hybridsim.viewer.source import Source

INPUTS_OF_FINISHED_RUN = "Inputs can be changed only while a run is computed."
MODEL_WITHOUT_INPUTS = "{model}: this model has no inputs to change with sliders."

MAX_SLIDERS = 12
"""Most sliders that are shown; more do not fit into a window."""
SLIDER_WIDTH, SLIDER_GAP, SLIDER_PADDING = 330.0, 8.0, 10.0
"""Width of the panel, and distances above it and inside it [units of the canvas]."""


class Steering:
    """The sliders of the first run, if it is live; the mouse can take them (see `Grip`).

    The components of a force with which the mouse pushes have no sliders.

    Parameters
    ----------
    source : Source
        The run.
    stage : Stage
        The stage.

    Attributes
    ----------
    sliders : list of InputSlider
        The sliders.
    shown : bool
        Whether they are shown.
    """

    def __init__(self, source: Source, stage: Stage) -> None:
        self._source: Any = source
        self._stage, self._is_live = stage, hasattr(source, "set_inputs")
        self.shown = False
        self.renew()

    def renew(self) -> None:
        """Make the sliders; also after a restart, which may have exchanged the model."""
        source, canvas = self._source, self._stage.canvas
        pushed = {name for push in source.scene.pushes for name in push.inputs}
        records = [record for record in source.model.inputs if record.name not in pushed] if self._is_live else []
        self._panel = canvas.panel(opacity=0.78)
        self.sliders = [InputSlider(canvas, record, source.inputs[record.name]) for record in records[:MAX_SLIDERS]]
        self._dragged: InputSlider | None = None
        self._place = (math.nan, math.nan)
        self._show(self.shown)

    def _show(self, shown: bool) -> None:
        self.shown = shown and bool(self.sliders)
        self._panel.show(self.shown)
        for slider in self.sliders:
            slider.show(self.shown)

    def toggle(self) -> str:
        """Show or hide the sliders; return why there are none, "" if there are some."""
        if not self.shown and (self._source.finished or not self._is_live):
            return INPUTS_OF_FINISHED_RUN
        if not self.sliders:
            return MODEL_WITHOUT_INPUTS.format(model=self._source.model.name)
        self._show(not self.shown)
        return ""

    def draw(self) -> None:
        """Show the present values; sliders of a run that has ended are hidden."""
        if self.shown and self._source.finished:
            self._show(False)
        if not self.shown:
            return
        place = self._stage.canvas.unit, self._stage.head_up.corner[1]
        if place != self._place:
            self._place = place
            self._lay_out(*place)
        for slider in self.sliders:
            value = self._source.inputs[slider.record.name]
            if slider.value != value:
                slider.show_value(value)

    def _lay_out(self, unit: float, covered: float) -> None:
        """Place the panel below a height [pixels]."""
        left, top, pad = WINDOW_MARGIN * unit, covered - SLIDER_GAP * unit, SLIDER_PADDING * unit
        right, row_height = left + SLIDER_WIDTH * unit, SLIDER_ROW_HEIGHT * unit
        self._panel.place(left, top - len(self.sliders) * row_height - pad, right, top, 6 * unit)
        for row, slider in enumerate(self.sliders):
            slider.lay_out(left + pad, right - pad, top - 0.7 * pad - row * row_height)

    def begin(self, x: float, y: float, control: bool) -> bool:
        """Take the slider at a pixel, whether the control key is held or not; return whether there is one."""
        del control
        self._dragged = next((slider for slider in self.sliders if self.shown and slider.is_at(x, y)), None)
        self.move(x, y)
        return self._dragged is not None

    def move(self, x: float, y: float) -> None:
        """Drag the slider."""
        del y
        if self._dragged is not None:
            value = self._dragged.value_at(x)
            self._dragged.show_value(value)
            self._source.set_inputs({self._dragged.record.name: value})

    def end(self) -> None:
        """Let the slider go."""
        if self._dragged is not None:
            self._dragged.widen()
            self._dragged = None
