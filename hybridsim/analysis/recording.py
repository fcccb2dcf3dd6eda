"""Runs along an orbit, and its file: that of a run of one period, with the group `/orbit`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.config.schema import RecordSettings, Stop
from hybridsim.errors import ConfigError
from hybridsim.results.files import refuse_unusable
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.simulation.unpacking import provenance_of

if TYPE_CHECKING:
    import hybridsim  # the public names: these classes stand above this module


MOST_STRIDES = 10**12
"""Most strides of a run: those of a thousand years."""


def run_config(orbit: hybridsim.Orbit, strides: int) -> RunConfig:
    """Return the config of a run along an orbit.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    strides : int
        Number of strides after which the run ends.

    Raises
    ------
    ConfigError
        If `strides` is no whole number, or out of range.
    """
    if isinstance(strides, bool) or not isinstance(strides, int) or not 1 <= strides <= MOST_STRIDES:
        raise ConfigError(f"strides: expected a whole number from 1 to {MOST_STRIDES:,}, found {strides!r}")
    config, settings = orbit.config, orbit.config.orbit
    assert settings is not None
    at_event = orbit.section.boundary is not None
    length = strides * settings.max_time if at_event else _duration(orbit, strides)
    return dataclasses.replace(
        config,
        stop=(_last_event(orbit, strides),) if at_event else (),
        final_time=config.initial_time + length,
        record=RecordSettings(),
    )


def _duration(orbit: hybridsim.Orbit, strides: int) -> float:
    """Return how long so many strides take [s]."""
    periods, rest = divmod(strides, orbit.strides)
    return periods * orbit.period + sum(stride.duration for stride in orbit.found.strides[:rest])


def _last_event(orbit: hybridsim.Orbit, strides: int) -> Stop:
    """Return the stop of a run of so many strides: the boundary at its end, and how many events of it there are.

    A run has no images: where a symmetry exchanges boundaries, each stride ends at the image of the one before it, and
    what the orbit records of stride n as a boundary is its n-th image.
    """
    names = orbit.model.boundary_records.names
    image, here = orbit.symmetry.boundaries, list(names)
    counts: list[dict[str, int]] = []
    places = [here]
    while len(counts) < strides:
        events = orbit.found.strides[len(counts) % orbit.strides].events
        assert events is not None
        crossed = (events.crossed.astype(bool) & (events.declined == 0)[:, None]).sum(axis=0)
        counts.append(dict(zip(here, crossed.tolist(), strict=False)))
        here = [image.get(name, name) for name in here]
        places.append(here)
        if here == [*names] and len(counts) % orbit.strides == 0:
            break  # from here on everything repeats itself
    cycles, rest = divmod(strides, len(counts))
    last = (places[rest] if rest else here)[names.index(orbit.section.boundary or "")]
    in_cycle, in_rest = (sum(each[last] for each in some) for some in (counts, counts[:rest]))
    return Stop(boundary=last, count=cycles * in_cycle + in_rest)


def run_orbit(orbit: hybridsim.Orbit, strides: int) -> Trajectory:
    """Run the model along an orbit; see `Orbit.run`."""
    return Simulation.from_config(run_config(orbit, strides)).run()


def recorded(orbit: hybridsim.Orbit) -> dict[str, Any]:
    """Return what the file of an orbit says about it in its group `/orbit`."""
    return {
        "strides": orbit.strides,
        "period": orbit.period,
        "stable": orbit.stable,
        "family": orbit.family,
        "multipliers": np.asarray(orbit.multipliers, complex),
        "free": orbit.free,
        "translated": tuple(orbit.displacement),
        "kept": orbit.kept,
    }


def save_branch(branch: hybridsim.Branch, path: Path) -> None:
    """Write the file of a branch; see `Branch.save`."""
    from hybridsim.results.branches import BranchRecord, write_branch  # noqa: PLC0415

    columns = branch.points.columns
    sizes = [name for name in columns if name.startswith("multiplier_")]
    found, left = branch.bifurcations, branch.pending
    names = branch.orbit.model.states.names
    n_unknowns = len(branch.orbit.free) + 1
    record = BranchRecord(
        model_name=branch.orbit.model.name,
        parameter=branch.parameter,
        to=branch.to,
        back_to=branch.back_to,
        notes=branch.notes,
        max_period=branch.max_period,
        points={name: values for name, values in columns.items() if name not in sizes},
        multipliers=np.stack([columns[name] for name in sizes], axis=1).astype(complex)
        if sizes
        else np.zeros((len(branch.points), 0), complex),
        visits=branch.points.visits,
        states=names,
        units=_units(branch),
        bifurcations={
            "kind": np.array([each.kind for each in found], dtype=object),
            "boundary": np.array([each.boundary for each in found], dtype=object),
            "value": np.array([each.value for each in found], float),
            "curve": np.array([each.curve for each in found], np.int64),
            "strides": np.array([each.strides for each in found], np.int64),
            "family": np.array([each.family for each in found], np.int64),
            "x": np.array([each.x for each in found], float).reshape(len(found), len(names)),
        },
        pending={
            "curve": np.array([each.curve for each in left], np.int64),
            "strides": np.array([each.strides for each in left], np.int64),
            "z": np.array([each.z for each in left], float).reshape(len(left), n_unknowns),
            "tangent": np.array([each.tangent for each in left], float).reshape(len(left), n_unknowns),
        },
        provenance={**provenance_of(branch.orbit.config), "orbit": recorded(branch.orbit)},
    )
    write_branch(path, record)


def _units(branch: hybridsim.Branch) -> dict[str, str]:
    model = branch.orbit.model
    times = {"period": branch.orbit.characteristics.unit("period")}
    parameters = {parameter.name: parameter.unit for parameter in model.parameters}
    return times | parameters | {state.name: state.unit for state in model.states}


def save_orbit(orbit: hybridsim.Orbit, path: Path) -> None:
    """Write the file of an orbit; see `Orbit.save`."""
    from hybridsim.results.hdf5 import write_run  # noqa: PLC0415  (what is not saved does not load h5py)

    refuse_unusable(path)
    run = run_orbit(orbit, orbit.strides)
    write_run(path, dataclasses.replace(run, provenance={**run.provenance, "orbit": recorded(orbit)}))
