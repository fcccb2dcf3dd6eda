"""Print the events of a run while it is computed."""

from __future__ import annotations

import sys

from hybridsim.model import Model
from hybridsim.results.events import Event, Events

TIME_WIDTH = len("t = 0.123456789 s")


class EventTrace:
    """The callback of a run that prints a line for each event to standard output.

    Where this cannot be written, because it is a closed pipe or a full disk, the trace ends and the run goes on: its
    files are written.

    Parameters
    ----------
    model : Model
        The model of the run, whose charts are named.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._width = max((len(record.name) for record in model.boundary_records), default=0)
        self._ended = False

    def __call__(self, events: Events) -> None:
        """Print events, in order."""
        if self._ended:
            return
        try:
            sys.stdout.writelines(f"{self._line(event)}\n" for event in events)
            sys.stdout.flush()
        except OSError:
            self._ended = True

    def _line(self, event: Event) -> str:
        boundaries = ", ".join(event.boundaries)
        kind = "" if event.kind == "crossing" else event.kind
        what = f"{boundaries} ({kind})" if boundaries and kind else boundaries or kind
        time = f"t = {event.t:.9g} s"
        return f"{time:<{TIME_WIDTH}}  {what:<{self._width}}  {self._charts(event)}"

    def _charts(self, event: Event) -> str:
        """Return the charts, `flight -> stance`; with `|`, the two between which a state slides.

        Of charts that are made of fields, the fields that change: `stance=3 -> 7`.
        """
        name = self._model.chart_name
        slide = f"|{name(event.adjacent_chart)}" if event.adjacent_chart >= 0 else ""
        before = name(event.chart_before) + ("" if event.kind == "entry" else slide)
        after = name(event.chart_after) + (slide if event.kind == "entry" else "")
        if event.declined:
            return "unchanged" if self._model.chart_fields else f"{before}, unchanged"
        if slide or not self._model.chart_fields:
            return f"{before} -> {after}"
        fields = zip(before.split(), after.split(), strict=True)
        return ", ".join(f"{one} -> {other.partition('=')[2]}" for one, other in fields if one != other) or "unchanged"
