"""States that are turned together in the plane without a change: directions, points and velocities of a robot.

If a motion that is turned by an angle is a motion, too, an orbit returns but for a turn, which its first direction, the
heading, tells. After each stride all states are turned back by it: points round the first of them, so that what moves
along with that point still does, and vectors round zero.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.stride import Stride
from hybridsim.config.orbit_settings import TurnedSettings
from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.typing import FloatArray

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])
"""A quarter of a turn to the left."""


@dataclass(frozen=True, slots=True)
class Turning:
    """Turns states.

    Parameters
    ----------
    angles : tuple of int
        Indices of directions; the first is the heading.
    positions, vectors : tuple of pairs of int
        Indices of the components of points and of vectors.
    """

    angles: tuple[int, ...]
    positions: tuple[tuple[int, int], ...]
    vectors: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, settings: TurnedSettings, model: str, names: Sequence[str]) -> Turning:
        """Read the names of states; raise a ConfigError if one is wrong, or named twice."""
        pairs = (*settings.positions, *settings.vectors)
        named = [*settings.angles, *(name for pair in pairs for name in pair)]
        for k, name in enumerate(named):
            if name not in names:
                raise ConfigError(f"turned: {model} has no state {name!r}{nearest(name, names)}")
            if name in named[:k]:
                raise ConfigError(f"turned: {name!r} is named twice; name each state once")
        positions, vectors = (
            tuple((names.index(x), names.index(y)) for x, y in group)
            for group in (settings.positions, settings.vectors)
        )
        return cls(tuple(map(names.index, settings.angles)), positions, vectors)

    @property
    def heading(self) -> int:
        """Index of the direction that tells the turn."""
        return self.angles[0]

    def turn(self, x: FloatArray, by: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Turn a state.

        Parameters
        ----------
        x : (n_states,) array
            The state.
        by : float
            The angle, to the left [rad].

        Returns
        -------
        (n_states,) array
            The turned state.
        (n_states, n_states) array
            Its derivatives by the state.
        (n_states,) array
            Its derivatives by the angle.
        """
        rotation = np.cos(by) * np.eye(2) + np.sin(by) * QUARTER
        turned, by_state, by_angle = x.copy(), np.eye(len(x)), np.zeros(len(x))
        turned[[*self.angles]] += by
        by_angle[[*self.angles]] = 1.0
        for pair in (*self.positions[1:], *self.vectors):
            here, centre = [*pair], [*self.positions[0]] if pair in self.positions else None
            arm = x[here] if centre is None else x[here] - x[centre]
            turned[here] = rotation @ arm + (0.0 if centre is None else x[centre])
            by_angle[here] = rotation @ QUARTER @ arm
            by_state[np.ix_(here, here)] = rotation
            if centre is not None:
                by_state[np.ix_(here, centre)] = np.eye(2) - rotation
        return turned, by_state, by_angle

    def carry(self, x: FloatArray, begin: FloatArray, world: FloatArray) -> FloatArray:
        """Return where a state is, (n_states,), if the motion is moved so that `begin` is at `world`."""
        by = float(world[self.heading] - begin[self.heading])
        there, offset = self.turn(x, by)[0], world - begin
        offset[[*self.angles, *(i for pair in self.vectors for i in pair)]] = 0.0
        if self.positions:
            first = [*self.positions[0]]
            rotation = np.cos(by) * np.eye(2) + np.sin(by) * QUARTER
            for pair in self.positions:
                offset[[*pair]] = world[first] - x[first] + rotation @ (x[first] - begin[first])
        return np.asarray(there + offset)


def turned_back(stride: Stride, x0: FloatArray, turning: Turning) -> Stride:
    """Return a stride whose end is turned back to the heading with which it began."""
    heading, here = turning.heading, np.eye(len(x0))[:, : len(stride.duration_by_state)]
    turn = float(stride.x[heading] - x0[heading])
    x, by_end, by_turn = turning.turn(stride.x, -turn)
    by_state = by_end @ stride.by_state - np.outer(by_turn, stride.by_state[heading] - here[heading])
    by_parameter = by_end @ stride.by_parameter - np.outer(by_turn, stride.by_parameter[heading])
    before, _, _ = turning.turn(stride.x_before, -turn)
    return dataclasses.replace(stride, x=x, x_before=before, by_state=by_state, by_parameter=by_parameter)
