"""The records of a model: what its states, parameters, inputs, charts, boundaries and outputs are called."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from hybridsim.errors import ModelError, refuse_other_word
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.blocks import Shaped, entry_values
from hybridsim.model.table import (
    extremes,
    is_matrix,
    refuse_invalid_identifier,
    refuse_invalid_texts,
    refuse_outside_bounds,
)
from hybridsim.typing import Armed, FloatArray, Severity, Touch

TOUCH_POLICIES = get_args(Touch)

REST_BY_TRANSITION = "transition"
"""`Boundary.rest` where the transition is called at the limit."""
"""The allowed values of `Boundary.touch`."""


@explain_arguments
@dataclass(frozen=True, slots=True)
class State(Shaped):
    """One component of the state x.

    Parameters
    ----------
    name : str
        An identifier, unique among the states, parameters and inputs of a model.
    default : float
        Its initial value where a config gives none [`unit`]; of a block one number for all entries, or an array.
    unit : str
        Its unit, "m/s".
    doc : str
        What it is, in a few words.
    continuous : bool
        False for a bookkeeping state: it changes at transitions only, its slope is always 0, and the error control
        of the integrator ignores it.
    lower, upper : float
        Bounds of its initial value [`unit`]; a run does not enforce them later.
    shape : int or tuple of int
        Of a block: the number of its entries, or of its rows and columns; in the array they follow row by row.

    Raises
    ------
    ModelError
        If the name is no identifier, or the default is not finite or outside the bounds.
    """

    name: str
    default: float | Sequence[float] | FloatArray = 0.0
    unit: str = ""
    doc: str = ""
    continuous: bool = True
    lower: float = -math.inf
    upper: float = math.inf
    shape: int | tuple[int, ...] = ()

    def __post_init__(self) -> None:
        refuse_invalid_texts("state", self)
        self.check_shape("state", self.name)
        object.__setattr__(self, "default", entry_values("state", self.name, self.default, self.n_entries))
        for value in extremes(self.default):
            refuse_outside_bounds("state", self.name, value, self.lower, self.upper)


@explain_arguments
@dataclass(frozen=True, slots=True)
class Parameter:
    """A constant of a run: a number, one of several words, or an array of numbers.

    Scalars lie in p in the order of the records. A choice is stored as the index of its word. The numbers of an array
    lie behind all scalars, and the array's own entry holds the index of the first of them: `p[int(p[P.gains]) + n]`.
    Of a matrix, the first two are the numbers of its rows and columns; the others follow row by row.

    Parameters
    ----------
    name : str
        An identifier, unique among the states, parameters and inputs of a model.
    default : float, str or sequence of float
        Its value where a config gives none [`unit`]; a sequence makes it an array, a word of `choices` a choice.
    unit : str
        Its unit, "m/s^2".
    doc : str
        What it is, in a few words.
    lower, upper : float
        Bounds of the number, or of each number of an array [`unit`].
    integer : bool
        Whether only whole numbers are accepted.
    choices : tuple of str
        The words that a config may give instead of a number.
    aliases : tuple of str
        Other names by which rc files may set it.
    is_matrix : bool
        Whether the array is a matrix, which may have any size: `default` has the numbers of rows and of columns, and
        then the matrix row by row. A config gives a list of rows, or a file: CSV, NPY, or a picture, black for 0 and
        white for 1, whose lowest row is the first.

    Raises
    ------
    ModelError
        If a name is no identifier, or the default is not allowed by bounds or choices.
    """

    name: str
    default: float | str | Sequence[float] = 0.0
    unit: str = ""
    doc: str = ""
    lower: float = -math.inf
    upper: float = math.inf
    integer: bool = False
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    is_matrix: bool = False

    def __post_init__(self) -> None:
        refuse_invalid_texts("parameter", self)
        if self.is_matrix and not is_matrix(self.default):
            raise ModelError(f"parameter {self.name!r}: a matrix has the default (rows, columns, *numbers row by row)")
        for name in self.aliases:
            refuse_invalid_identifier("parameter", name)
        if self.choices:
            if self.default not in self.choices:
                raise ModelError(
                    f"parameter {self.name!r}: the default {self.default!r} is not one of {', '.join(self.choices)}"
                )
        elif self.is_array:
            for value in extremes(self.default[2 if self.is_matrix else 0 :]):  # type: ignore[index]
                refuse_outside_bounds("parameter", self.name, value, self.lower, self.upper)
        else:
            refuse_outside_bounds("parameter", self.name, self.default, self.lower, self.upper)

    @property
    def is_array(self) -> bool:
        """Whether the default is a sequence of numbers."""
        return isinstance(self.default, Iterable) and not isinstance(self.default, str)


@explain_arguments
@dataclass(frozen=True, slots=True)
class Input:
    """A number that may change while a run is computed, and is constant between changes.

    In p, the inputs lie behind the scalars of the parameters: with `P = (PARAMETERS + INPUTS).indices`, the value of
    the input `push` is `p[P.push]`.

    Parameters
    ----------
    name : str
        An identifier, unique among the states, parameters and inputs of a model.
    default : float
        Its value at the start of a run where a config gives none [`unit`].
    unit : str
        Its unit, "N m".
    doc : str
        What it is, in a few words.
    lower, upper : float
        Bounds of its values [`unit`].

    Raises
    ------
    ModelError
        If the name is no identifier, or the default is not finite or outside the bounds.
    """

    name: str
    default: float = 0.0
    unit: str = ""
    doc: str = ""
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        refuse_invalid_texts("input", self)
        refuse_outside_bounds("input", self.name, self.default, self.lower, self.upper)


@explain_arguments
@dataclass(frozen=True, slots=True)
class Chart:
    """A piece of the state space with one vector field; its number is its index among the charts.

    Parameters
    ----------
    name : str
        An identifier, unique among the charts.
    doc : str
        What it is, in a few words.

    Raises
    ------
    ModelError
        If the name is no identifier.
    """

    name: str
    doc: str = ""

    def __post_init__(self) -> None:
        refuse_invalid_texts("chart", self)


@explain_arguments
@dataclass(frozen=True, slots=True)
class Boundary(Shaped):
    """A scalar function of time and state whose fall to zero ends a chart.

    Parameters
    ----------
    name : str
        An identifier, unique among the boundaries.
    doc : str
        What its crossing means, in a few words.
    unit : str
        The unit of its value.
    degree : int, optional
        Its degree as a polynomial in t and the continuous states, 1 (affine) to 4, if it is one. All of its roots
        along a step are then isolated, and no crossing is missed (certificate `exact`).
    second_derivative_bound : float, optional
        A number M with ``|d2g/dt2| <= M`` along every solution [`unit`/s2] (certificate `bounded`). With none of
        `degree`, `second_derivative_bound` and `time`, samples of each step are searched (certificate `sampled`).
    time : bool
        Whether the value is the time left until it fires [s]; the integrator then steps exactly to that instant.
    armed : {"always", "when_positive"}
        With "when_positive", the boundary may be negative where a chart begins; it cannot fire before it has been
        positive.
    touch : {"ignore", "report", "trigger"}
        What to do at a minimum of at most `engine.touch_precision` above zero: nothing, report an event that changes
        nothing, or call the transition as for a crossing.
    rest : str, optional
        The chart in which a run continues after infinitely many crossings of this boundary in finite time (Zeno);
        without one, the run ends there. With "transition", the model's transition says so: it is called at the limit
        with `crossed[i] = 2`, may change the state, and the run ends if it declines or keeps the chart.
    shape : int or tuple of int
        Of a block: the number of its entries, or of its rows and columns; in the array they follow row by row.

    Raises
    ------
    ModelError
        If the name is no identifier, or one of the other values is not allowed.
    """

    name: str
    doc: str = ""
    unit: str = ""
    degree: int | None = None
    second_derivative_bound: float | None = None
    time: bool = False
    armed: Armed = "always"
    touch: Touch = "report"
    rest: str | None = None
    shape: int | tuple[int, ...] = ()

    def __post_init__(self) -> None:
        refuse_invalid_texts("boundary", self)
        self.check_shape("boundary", self.name)
        where = f"boundary {self.name!r}"
        if self.degree is not None and not 1 <= self.degree <= 4:
            raise ModelError(f"{where}: degree must be 1, 2, 3 or 4 (or None), not {self.degree!r}")
        if self.second_derivative_bound is not None and not 0.0 <= self.second_derivative_bound < math.inf:
            raise ModelError(f"{where}: second_derivative_bound must be a finite number >= 0")
        refuse_other_word(f"{where}: armed", self.armed, Armed, ModelError)
        refuse_other_word(f"{where}: touch", self.touch, Touch, ModelError)
        declared = (self.degree is not None) + (self.second_derivative_bound is not None) + self.time
        if declared > 1:
            raise ModelError(f"{where}: declare one of degree, second_derivative_bound and time")


@explain_arguments
@dataclass(frozen=True, slots=True)
class Output(Shaped):
    """A recorded quantity.

    Parameters
    ----------
    name : str
        An identifier, unique among the outputs.
    unit : str
        Its unit, "N".
    doc : str
        What it is, in a few words.
    shape : int or tuple of int
        Of a block: the number of its entries, or of its rows and columns; in the array they follow row by row.

    Raises
    ------
    ModelError
        If the name is no identifier.
    """

    name: str
    unit: str = ""
    doc: str = ""
    shape: int | tuple[int, ...] = ()

    def __post_init__(self) -> None:
        refuse_invalid_texts("output", self)
        self.check_shape("output", self.name)


@explain_arguments
@dataclass(frozen=True, slots=True)
class Message:
    """A message that the function `validate` selects by its number, 1 for the model's first.

    Parameters
    ----------
    text : str
        What is wrong, "the body has toppled over"; `{height}` stands for the value of the state or of
        the parameter `height`.
    severity : {"error", "warning"}
        An error ends the run; a warning is counted.

    Raises
    ------
    ModelError
        If the severity is another word.
    """

    text: str
    severity: Severity = "error"

    @property
    def name(self) -> str:
        """The text, which identifies the message."""
        return self.text

    def __post_init__(self) -> None:
        refuse_other_word(f"message {self.text!r}: severity", self.severity, Severity, ModelError)
