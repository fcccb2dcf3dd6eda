"""Identification by shooting: the model is simulated, and its parameters are changed until it fits (least squares).

It needs no solver besides scipy's, and derivatives of runs are exact, across events, too. But each trial runs for its
whole time: from bad guesses, motions soon have nothing to do with the data any more.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from scipy.optimize import least_squares

from hybridsim.config.identification_config import Free, IdentificationConfig, Trial
from hybridsim.config.run_config import RunConfig
from hybridsim.derivatives import sensitivity
from hybridsim.errors import ConfigError, HybridsimError
from hybridsim.identification.guess import functions_of, whole_arrays
from hybridsim.identification.ipopt import STOPPED, Answer
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.simulation import Simulation
from hybridsim.typing import FloatArray

SOLVED, FAILED = 0, -1
"""What Ipopt calls them."""

Report = Callable[[int, float, float], bool]


class Stopped(Exception):  # noqa: N818  (no error)
    """The user stops the search."""


def shoot(config: IdentificationConfig, report: Report) -> tuple[IdentificationConfig, Answer]:
    """Fit a model by simulating it.

    Parameters
    ----------
    config : IdentificationConfig
        What is asked: parameters and initial states alone may be free.
    report : callable
        Is told of each simulation; see `ipopt.solve`.

    Returns
    -------
    IdentificationConfig
        The config with what was found as guesses.
    Answer
        How the search ended.

    Raises
    ------
    ConfigError
        If the config asks for what shooting cannot do.
    """
    if config.inputs or config.settings.minimize or config.settings.cyclic or not config.measured:
        raise ConfigError(
            "method: shooting fits data by parameters and initial states; free inputs, costs and cyclic motions need "
            "method: collocation"
        )
    if config.final or config.limits:
        raise ConfigError("method: shooting knows no `final` and no `limits`; remove them, or use method: collocation")
    if fixed := [name for name, free in config.free.items() if free.is_fixed]:
        raise ConfigError(f"free.{fixed[0]}: its bounds are the same; give it under `parameters`")
    shots = _Shots(config, report)
    lower, upper = (np.array([getattr(free, side) for free in shots.unknowns]) for side in ("lower", "upper"))
    guess = np.array([free.guess for free in shots.unknowns])
    status = SOLVED
    try:
        found = least_squares(
            shots.residuals, np.clip(guess, lower, upper), shots.jacobian, (lower, upper), x_scale="jac",
            xtol=1e-12, ftol=1e-12, gtol=1e-12, max_nfev=config.settings.solver.max_iterations,
        )  # fmt: skip
        values = found.x
        status = SOLVED if found.status > 0 else FAILED
    except Stopped:
        values, status = shots.best[1], STOPPED
    answer = Answer(values, status, shots.count)
    return shots.with_values(values), answer


class _Shots:
    """Residuals of simulations by the unknowns, and their derivatives."""

    def __init__(self, config: IdentificationConfig, report: Report) -> None:
        self.config, self.report, self.count = config, report, 0
        names = config.model.states.names
        self.states = [name for name in names if name not in config.initial or not config.initial[name].is_fixed]
        self.unknowns = [*config.free.values()]
        for trial in config.trials:
            self.unknowns += [self._initial(trial, name) for name in self.states]
        self.best = np.inf, np.array([free.guess for free in self.unknowns])
        self._kept: tuple[bytes, FloatArray, FloatArray] | None = None

    def _initial(self, trial: Trial, name: str) -> Free:
        """Return the unknown that is an initial state, by default as measured."""
        record = self.config.model.states[name]
        given = self.config.initial.get(name)
        guess = given.guess if given else trial.run.initial[name]
        if given is None and name in self.config.measured:
            column = trial.data[:, self.config.measured.index(name)]
            guess = float(column[np.isfinite(column)][0])
        return dataclasses.replace(given or Free(guess, record.lower, record.upper), guess=guess)

    def residuals(self, u: FloatArray) -> FloatArray:
        """Return the misfits over their standard deviations."""
        return self._at(u)[0]

    def jacobian(self, u: FloatArray) -> FloatArray:
        """Return their derivatives."""
        return self._at(u)[1]

    def _at(self, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        asked = u.tobytes()
        if self._kept is None or self._kept[0] != asked:
            parts = [self._of_trial(number, u) for number in range(len(self.config.trials))]
            values, by = (np.concatenate(each) for each in zip(*parts, strict=True))
            self._kept = asked, values, by
            self.count += 1
            cost = float(values @ values)
            self.best = min(self.best, (cost, u.copy()), key=lambda each: each[0])
            if not self.report(self.count, cost, 0.0):
                raise Stopped
        return self._kept[1], self._kept[2]

    def _run_of(self, number: int, u: FloatArray) -> RunConfig:
        trial, n = self.config.trials[number], len(self.config.free)
        first = n + number * len(self.states)
        found = dict(zip(self.states, u[first : first + len(self.states)].tolist(), strict=True))
        fixed = {name: free.guess for name, free in self.config.initial.items() if free.is_fixed}
        values = dict(zip(self.config.free, u[:n].tolist(), strict=True))
        return dataclasses.replace(
            trial.run,
            parameters={**trial.run.parameters, **whole_arrays(trial.run, values)},
            initial={**trial.run.initial, **fixed, **found},
        )

    def _of_trial(self, number: int, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the misfits of a trial and their derivatives by all unknowns."""
        trial, config = self.config.trials[number], self._run_of(number, u)
        spacing = float(np.diff(trial.t).min())
        engine = config.engine.model_copy(update={"max_step": min(config.engine.max_step, spacing)})
        try:
            run = Simulation.from_config(dataclasses.replace(config, engine=engine)).run()
        except HybridsimError as failure:
            raise ConfigError(f"method: shooting: the model cannot be simulated: {failure}") from None
        t = np.minimum(trial.t, run.t[-1])
        wrt = [*self.config.free, *self.states]
        by_state = _derivatives_at(run, t, sensitivity(run, wrt, model=config.model).state)
        value, by = self._measured(config, run, t, by_state)
        measured = np.isfinite(trial.data)
        misfit = np.where(measured, (value - np.nan_to_num(trial.data)) / trial.noise, 0.0)
        by = np.where(measured[..., None], by / trial.noise[:, None], 0.0)
        n, k, first = len(self.config.free), len(self.states), len(self.config.free) + number * len(self.states)
        found = np.zeros((misfit.size, len(u)))
        flat = by.reshape(misfit.size, -1)
        found[:, :n], found[:, first : first + k] = flat[:, :n], flat[:, n:]
        return misfit.ravel(), found

    def _measured(
        self, config: RunConfig, run: Trajectory, t: FloatArray, by_state: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return what is measured at some times of a run, and its derivatives by the unknowns of the trial."""
        names, x = config.model.states.names, np.asarray(run.at(t))
        value, by = (
            np.zeros((len(t), len(self.config.measured))),
            np.zeros((len(t), len(self.config.measured), by_state.shape[2])),
        )
        outputs = [name for name in self.config.measured if name not in names]
        found: tuple[FloatArray, FloatArray] | None = None
        if outputs:
            f = functions_of(config)
            rows = np.clip(np.searchsorted(run.t, t, side="right") - 1, 0, len(run.t) - 1)
            found = f.value_and_jacobian("outputs", t, x, run.chart[rows], wrt=[*names, *self.config.free])
        for column, name in enumerate(self.config.measured):
            if name in names:
                value[:, column], by[:, column] = x[:, names.index(name)], by_state[:, names.index(name)]
                continue
            assert found is not None
            number = config.model.output_records.names.index(name)
            value[:, column] = found[0][:, number]
            by[:, column] = (found[1][:, number, None, : len(names)] @ by_state)[:, 0]
            by[:, column, : len(self.config.free)] += found[1][:, number, len(names) :]
        return value, by

    def with_values(self, u: FloatArray) -> IdentificationConfig:
        """Return the config with these values as guesses, and runs that begin there."""
        free = {
            name: dataclasses.replace(each, guess=value)
            for (name, each), value in zip(self.config.free.items(), u.tolist(), strict=False)
        }
        trials = tuple(
            dataclasses.replace(trial, run=self._run_of(number, u)) for number, trial in enumerate(self.config.trials)
        )
        return dataclasses.replace(self.config, free=free, trials=trials)


def _derivatives_at(run: Trajectory, t: FloatArray, at_row: FloatArray) -> FloatArray:
    """Return derivatives of the state at some times, (n, n_states, n_variables), on straight lines between rows."""
    row = np.clip(np.searchsorted(run.t, t, side="right") - 1, 0, len(run.t) - 2)
    length = run.t[row + 1] - run.t[row]
    part = np.divide(t - run.t[row], length, out=np.zeros_like(t), where=length > 0.0)[:, None, None]
    return np.asarray((1.0 - part) * at_row[row] + part * at_row[row + 1])
