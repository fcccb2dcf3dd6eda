"""Steer a run while it is computed: sliders for its inputs."""

from __future__ import annotations

from typing import Any

from hybridsim.viewer.render.input_sliders import InputSliders
from hybridsim.viewer.render.stage import Stage
from hybridsim.viewer.source import Source

INPUTS_OF_FINISHED_RUN = "Inputs can be changed only while a run is computed."
MODEL_WITHOUT_INPUTS = "{model}: this model has no inputs to change with sliders."


class Steering:
    """The sliders of the first run, if it is live; the mouse can take them (see `Grip`).

    The components of a force with which the mouse pushes have no sliders.

    Parameters
    ----------
    source : Source
        The run.
    stage : Stage
        The stage.
    """

    def __init__(self, source: Source, stage: Stage) -> None:
        self._source: Any = source
        self._stage = stage
        self._sliders = self._make()

    def _make(self) -> InputSliders:
        source = self._source
        live = hasattr(source, "set_inputs")
        pushed = {name for push in source.scene.pushes for name in push.inputs}
        records = [record for record in source.model.inputs if record.name not in pushed] if live else []
        values, change = (source.inputs, source.set_inputs) if live else ({}, lambda _: None)
        return InputSliders(self._stage.canvas, records, values, change)

    @property
    def shown(self) -> bool:
        """Whether the sliders are shown."""
        return self._sliders.shown

    def toggle(self) -> str:
        """Show or hide the sliders; return why there are none, "" if there are some."""
        if not self.shown and (self._source.finished or not hasattr(self._source, "set_inputs")):
            return INPUTS_OF_FINISHED_RUN
        if not len(self._sliders):
            return MODEL_WITHOUT_INPUTS.format(model=self._source.model.name)
        self._sliders.show(not self.shown)
        return ""

    def draw(self) -> None:
        """Show the present values; sliders of a run that has ended are hidden."""
        if self.shown and self._source.finished:
            self._sliders.show(False)
        if self.shown:
            self._sliders.draw(self._source.inputs, self._stage.head_up.corner[1])

    def renew(self) -> None:
        """Make the sliders anew after a restart, which may have exchanged the model."""
        shown = self.shown
        self._sliders = self._make()
        self._sliders.show(shown)

    def begin(self, x: float, y: float, control: bool) -> bool:
        """Take the slider at a pixel; return whether there is one."""
        return self._sliders.begin(x, y, control)

    def move(self, x: float, y: float) -> None:
        """Drag the slider."""
        self._sliders.move(x, y)

    def end(self) -> None:
        """Let the slider go."""
        self._sliders.end()
