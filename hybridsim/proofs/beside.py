"""Whether the certificate beside the file of an orbit is about this orbit."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybridsim.model.parameters import pack_parameters
from hybridsim.model.registry import files_to_execute
from hybridsim.proofs.events import CLOCK, TIME_SECTION, events_of
from hybridsim.proofs.refusals import NotProvenError

if TYPE_CHECKING:
    from hybridsim.analysis import Orbit

PRECISION = 1e-6
"""How far a computed period may be from a proven one, relative to it."""

SUFFIX = ".proof.json"
"""What the name of a certificate ends with."""


def certificate_of(file: Path) -> Path:
    """Return the certificate of the file of an orbit, which need not be there."""
    return file.with_name(f"{file.stem}{SUFFIX}")


def is_about(certificate: Path, orbit: Orbit) -> bool:
    """Return whether a certificate is about an orbit: same files, parameters, events and period, its state in the box.

    It is not checked here.
    """
    try:
        record = json.loads(certificate.read_text())
        names, large = record["variables"], record["unique"]
        box = {
            names[i]: [m * 2.0**e for m, e in (large["centre"][i], reach)]
            for i, reach in zip(large["free"], large["reach"], strict=False)
        }
        own, files = record["sources"], files_to_execute(orbit.model.sources)  # a process may have loaded others, too
        both = {*own} & {*files}
        is_same = record["model"] == orbit.model.name and all(own[name] == files[name] for name in both)
        is_same = is_same and bool(both) == bool(files)  # a plug-in that was moved is another one
        is_same = is_same and _has_parameters(record, orbit) and _has_events(record, orbit)
        return is_same and _has_period(record, orbit) and _is_in(box, large, orbit)
    except (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, NotProvenError):
        return False


def _has_parameters(record: dict[str, Any], orbit: Orbit) -> bool:
    packed = pack_parameters(orbit.model, {**orbit.config.parameters, **orbit.config.inputs})
    values = {f"p.{name}": float(packed[index]) for name, index in orbit.model.p_indices.items()}
    ends = [float.fromhex(end) for end in record["interval"]]
    return all(
        ends[0] <= values[name] <= ends[1] if name == f"p.{record['varied']}" else values[name] == float.fromhex(value)
        for name, value in record["parameters"].items()
    )


def _has_events(record: dict[str, Any], orbit: Orbit) -> bool:
    """Return whether an orbit has the chain of events that is proven: boundaries, charts, and ends of strides."""
    names, charts = {CLOCK: TIME_SECTION, **dict(enumerate(orbit.model.boundary_records.names))}, orbit.model.chart_name
    own = [(names[event.boundary], charts(event.chart), event.ends_stride) for event in events_of(orbit)]
    return own == [(leg["boundary"], leg["chart"], leg["ends_stride"]) for leg in record["legs"]]


def _has_period(record: dict[str, Any], orbit: Orbit) -> bool:
    """Return whether the period is the one that is proven."""
    low, high = (float(Fraction(end)) for end in record["claims"]["period"])
    return low * (1.0 - PRECISION) <= orbit.period <= high * (1.0 + PRECISION)


def _is_in(box: dict[str, list[float]], large: dict[str, Any], orbit: Orbit) -> bool:
    """Return whether the computed state is in a box; where that is tilted, it is not asked."""
    state = dict(zip(orbit.model.states.names, map(float, orbit.found.x0), strict=True))
    return bool(large["tilt"]) or all(abs(state[name] - at) <= reach for name, (at, reach) in box.items())
