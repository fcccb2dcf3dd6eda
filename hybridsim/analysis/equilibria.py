"""`find_equilibrium`: a state of one chart in which nothing moves, and its eigenvalues.

In a chart the equations are x' = f(x, q), and an equilibrium is a root of f, whose derivatives are exact. States whose
slopes are zero everywhere in the chart keep their values: they are parameters.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.chart_field import TIMES_COMPARED, Field, boundaries_at, free_states, reads_time
from hybridsim.analysis.newton import NoOrbitError, solve
from hybridsim.analysis.orbit import STABILITY
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.config.run_config import with_values
from hybridsim.derivatives.jacobian import point_of
from hybridsim.errors import explains_keywords
from hybridsim.model import Model
from hybridsim.simulation.unpacking import provenance_of
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from hybridsim.results.branches import BranchRecord

DECAY = 1e-12
"""Rate of decay, relative to the fastest one, that is more than rounding."""

ROUNDING = 1e-6
"""Part of a guess at which what is found is still a state's size, and no zero."""


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equilibrium:
    """A state of a chart in which nothing moves.

    Parameters
    ----------
    x : mapping of str to float
        The state by names [their units].
    chart : int
        The chart.
    eigenvalues : (n,) complex array
        Those of the derivative of the vector field [1/s], the largest real part first; without a zero for each state
        that is kept.
    stable : bool or None
        Whether all have negative real parts; the zeros of a family do not count. None if none is positive and some are
        zero, as without friction: the linear part does not decide.
    family : int
        Dimension of the family of equilibria that this one belongs to; 0 if it is isolated.
    kept : tuple of str
        States whose slopes are zero everywhere in the chart: parameters of the equilibrium.
    boundaries : mapping of str to float
        The values of the boundaries that are active in the chart: how far it is to each of them [its unit].
    admissible : bool
        Whether the chart contains the equilibrium: no boundary is negative, but for those that have to be positive
        first. A run does not reach one that its chart does not contain, a *virtual* one.
    config : RunConfig
        The model with its parameters; it begins at the equilibrium.
    field : Field
        The vector field of the chart.
    """

    x: Mapping[str, float]
    chart: int
    eigenvalues: FloatArray
    stable: bool | None
    family: int
    kept: tuple[str, ...]
    boundaries: Mapping[str, float]
    admissible: bool
    config: RunConfig
    field: Field

    @property
    def model(self) -> Model:
        """The model."""
        return self.config.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Values of the parameters by name."""
        return self.config.parameters

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not certain: whether slopes depend on time, if the vector field reads t."""
        if not reads_time(self.model):
            return ()
        return (
            f"the vector field reads the time: at {len(TIMES_COMPARED)} times up to {TIMES_COMPARED[-1]:g} s the "
            "slopes are the same; between them they are taken to be",
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the equilibrium into a file.

        Parameters
        ----------
        path : path
            The .h5 file; `hybridsim.load_equilibrium` reads it.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        from hybridsim.results.branches import write_branch  # noqa: PLC0415  (what is not saved does not load h5py)

        columns = {"curve": np.zeros(1, int), **equilibrium_columns([self])}
        write_branch(Path(path), record_of_equilibria(self, columns))
        return Path(path)

    def __repr__(self) -> str:
        words = f"{STABILITY[self.stable]}{'' if self.admissible else ', virtual'}"
        there = ", ".join(f"{name} = {value:.9g}" for name, value in self.x.items())
        return f"<Equilibrium of {self.model.name}: {words}, {there}>"


@explains_keywords(guess="initial", x0="initial", at="initial", x="initial", initial_chart="chart", tol="tolerance")
def find_equilibrium(
    model: str | os.PathLike[str] | Model,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    chart: int | str | None = None,
    initial: Mapping[str, Any] | None = None,
    tolerance: float = 1e-10,
) -> Equilibrium:
    """Find a state of a chart in which nothing moves, stable or not, near a guess.

    Newton's method has the exact derivatives of the vector field.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    chart : int or str, optional
        The chart; by default that in which a run begins.
    initial : mapping of str, optional
        A state near the equilibrium; states that are not given are those with which a run begins.
    tolerance : float
        Largest slope, relative to the size of each state and to its fastest change.

    Returns
    -------
    Equilibrium
        The equilibrium, improved until rounding stops it.

    Raises
    ------
    ConfigError
        If a name or a value is wrong, or the vector field depends on time.
    ModelError
        If the model cannot be loaded, or has no derivatives.
    NoOrbitError
        If there is none near the guess.

    Examples
    --------
    >>> rest = hybridsim.find_equilibrium("dry_friction", chart="faster", initial={"x": 0.1})
    >>> rest.x, rest.eigenvalues, rest.stable
    """
    given = {"parameters": parameters, "inputs": inputs, "initial": initial}
    config = config_from_keywords(
        model, method="dop853", rtol=1e-12, atol=1e-13, **{key: value for key, value in given.items() if value}
    )
    return find_equilibrium_of(config, chart, {name: config.initial[name] for name in initial or {}}, tolerance)


def find_equilibrium_of(
    config: RunConfig,
    chart: int | str | None = None,
    initial: Mapping[str, float] | None = None,
    tolerance: float = 1e-10,
) -> Equilibrium:
    """Find an equilibrium near the beginning of a config's run, but for the states given; see `find_equilibrium`."""
    point = point_of(config, initial or {}, chart)
    model = config.model
    sizes = np.where(point.x != 0.0, np.abs(point.x), np.abs(model.states.column("default")))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    free = free_states(config, point.functions, point.x, point.chart, sizes)
    field = Field(point.functions, config, point.chart, point.x, free, sizes[free], np.ones(len(free))).at(point.x)
    try:
        found = solve(lambda v: field.equations(field.state(v)), point.x[free] / field.sizes, tolerance)
    except NoOrbitError as failure:
        raise NoOrbitError(*_why_none(model.name, failure)) from None
    x = field.state(found.u)
    there = np.abs(x[free])
    field = dataclasses.replace(field, sizes=np.where(there > ROUNDING * field.sizes, there, field.sizes))
    return equilibrium_of(field, x, found.family)


def _why_none(name: str, failure: NoOrbitError) -> tuple[str, str]:
    """Return the cause and the sentence where Newton's method finds no equilibrium."""
    if failure.cause == "too exact":
        return failure.cause, f"{name}: the tolerance is below rounding; give a larger one"
    return "no solution", (
        f"{name}: Newton's method comes from this guess to no state in which nothing moves; start nearer to one, in "
        "another chart, or with other parameters"
    )


def equilibrium_of(field: Field, x: FloatArray, family: int) -> Equilibrium:
    """Make the equilibrium at a root of a vector field."""
    field, model = field.at(x), field.config.model
    eigenvalues = field.eigenvalues(field.equations(x).jacobian)
    counted = eigenvalues[np.argsort(np.abs(eigenvalues))[family:]]
    growth, rounding = float(counted.real.max(initial=-np.inf)), DECAY * float(np.abs(eigenvalues).max(initial=0.0))
    by_name = dict(zip(model.states.names, (x + 0.0).tolist(), strict=True))  # no -0
    config = with_values(field.config, {f"parameters.{name}": value for name, value in field.values.items()})
    values = boundaries_at(field, x)
    return Equilibrium(
        x=by_name,
        chart=field.chart,
        eigenvalues=eigenvalues,
        stable=True if growth < -rounding else False if growth > rounding else None,
        family=family,
        kept=tuple(name for i, name in enumerate(model.states.names) if i not in field.free),
        boundaries=values,
        admissible=all(
            each.armed == "when_positive" or values.get(each.name, 0.0) >= 0.0 for each in model.boundary_records
        ),
        config=dataclasses.replace(config, initial=by_name, initial_chart=field.chart),
        field=field,
    )


def equilibrium_columns(equilibria: Sequence[Equilibrium]) -> dict[str, NDArray[Any]]:
    """Return columns, (n,) each: `stable`, `admissible`, the states, `eigenvalue_0` and so on."""
    undecided, eigenvalues = [each.stable is None for each in equilibria], np.array([e.eigenvalues for e in equilibria])
    return {
        "stable": np.ma.array([bool(each.stable) for each in equilibria], mask=undecided),
        "admissible": np.array([each.admissible for each in equilibria]),
        **{name: np.array([each.x[name] for each in equilibria]) for name in equilibria[0].x},
        **{f"eigenvalue_{i}": column for i, column in enumerate(eigenvalues.T)},
    }


def record_of_equilibria(
    first: Equilibrium,
    columns: Mapping[str, NDArray[Any]],
    parameter: str = "",
    bifurcations: Sequence[Any] = (),
    **about: Any,
) -> BranchRecord:
    """Return what the file or the picture of equilibria is made of.

    Parameters
    ----------
    first : Equilibrium
        The first of them.
    columns : mapping of str to (n,) array
        The table.
    parameter : str
        The parameter that they are followed through; "" for a single one.
    bifurcations : sequence of EquilibriumBifurcation
        The bifurcations.
    **about
        `to`, `back_to` and `notes` of a branch.
    """
    from hybridsim.results.branches import BIFURCATIONS_OF, BranchRecord, columns_of  # noqa: PLC0415  (it loads h5py)

    model, n = first.model, len(columns["stable"])
    eigenvalues = [name for name in columns if name.startswith("eigenvalue_")]
    return BranchRecord(
        **{"to": 0.0, "back_to": None, "notes": (), **about},
        model_name=model.name,
        parameter=parameter,
        max_strides=1,
        points={name: column for name, column in columns.items() if name not in eigenvalues}
        | {"strides": np.ones(n, int)},
        multipliers=np.array([columns[name] for name in eigenvalues], complex).reshape(len(eigenvalues), n).T,
        visits=np.array([columns[name] for name in model.states.names]).T[:, None],
        states=model.states.names,
        units={each.name: each.unit for records in (model.parameters, model.states) for each in records},
        bifurcations=columns_of(bifurcations, BIFURCATIONS_OF["equilibria"], len(model.states)),
        pending={},
        provenance=provenance_of(first.config),
        what="equilibria",
    )
