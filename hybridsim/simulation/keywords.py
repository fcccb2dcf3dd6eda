"""The keywords of `simulate` and `Simulation`: those that a call gives, and their documentation."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.config.keywords import given_keywords

Documented = TypeVar("Documented", bound=Callable[..., Any])

PARAMETERS = """\
model : str, path or Model
    Name of an installed model, path of a plug-in file, or a model.
parameters : mapping of str, optional
    Parameters of the model by name: numbers, angles ("22 deg"), choices, sequences, or names of CSV or NPY files.
inputs : mapping of str, optional
    Initial values of the inputs by name: numbers or angles.
initial : mapping of str, optional
    Initial state by name: numbers or angles.
initial_chart : int or str, optional
    Chart in which the run begins, a number or a name; by default the model decides.
initial_time : float
    Time at which the run begins [s].
final_time : float, optional
    Time at which the run ends at the latest [s]; `run` needs it, or a stop.
stop : sequence
    What ends the run before `final_time`: ("touchdown", 24) for the 24th event of a boundary, or
    {"state": "x", "value": 10.0} for a value of a state.
method : {"dp5", "dop853", "tsit5", "rodas5p", "taylor", "rk4", "rk4_adaptive"}
    Integration method; "rk4" makes fixed steps of `first_step` or `max_step`.
rtol : float
    Error tolerance of a step, relative to each state.
atol : float
    Error tolerance of a step [unit of each state].
first_step : float, optional
    First step [s]; by default chosen by the engine.
max_step : float
    Longest step [s].
min_step : float
    Shortest step [s]; a run that needs a shorter one ends.
power : float
    Exponent of the step adjustment of "rk4_adaptive".
stop_precision : float
    How near zero a boundary must be at its event [unit of the boundary].
touch_precision : float, optional
    A minimum of a boundary this near above zero is a touch [unit of the boundary]; by default `stop_precision`,
    0 for no touches.
zeno_precision : float
    Accumulating events end the run, or bring it to rest, this near before their limit, relative to the duration of
    their sequence; 0 for never.
max_stop_iterations : int
    Iterations to locate an event.
max_transitions : int
    Transitions after which the run ends.
max_steps : int, optional
    Accepted steps after which the run ends.
max_wall_time : float, optional
    Computing time after which the run ends [s].
record : bool, float or mapping
    True for every step, False for the events only, a number for multiples of this period [s], or the keys `steps`,
    `period` and `outputs` of a config.
output : mapping, optional
    Keys `folder`, `base` and `formats` of a config; only the command line uses them.
progress_period : float
    Simulated time between progress messages of the command line [s]; 0 for none.
view : bool
    Show the run in 3-D; only the command line does.
**unknown
    Any other keyword is refused; the error names the nearest one.
"""
"""Documentation of the parameters that `simulate` and `Simulation` have in common."""

RAISES = """\
ConfigError
    If a keyword, a name or a value is wrong, or the initial state is outside its chart; in `simulate` also if there
    is neither a final time nor a stop.
ModelError
    If the model cannot be loaded.
"""
"""Documentation of the errors that `simulate` and `Simulation` have in common."""


def config_of_call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> RunConfig:
    """Check the arguments of a call.

    Parameters
    ----------
    function : callable
        `simulate` or `Simulation`, whose defaults are those of a config.
    arguments : mapping of str
        Its arguments by name, with the mapping `unknown` of other keywords.

    Returns
    -------
    RunConfig
        The run. A keyword whose value is the very default counts as not given.

    Raises
    ------
    ConfigError
        If a keyword is unknown, or a value is wrong.
    ModelError
        If the model cannot be loaded.
    """
    return config_from_keywords(arguments["model"], **given_keywords(function, arguments))


def document_keywords(documented: Documented) -> Documented:
    """Insert the sections Parameters and Raises into the docstring of `simulate` or `Simulation`."""
    return with_sections(documented, PARAMETERS, RAISES)


def with_sections(documented: Documented, parameters: str, raises: str) -> Documented:
    """Insert the sections Parameters and Raises into a docstring.

    Parameters
    ----------
    documented : callable
        Function or class, whose docstring has a summary and further sections.
    parameters : str
        Entries of its parameters in any order; if two have one name, the later one is used.
    raises : str
        Entries of its errors.

    Returns
    -------
    callable
        The same function or class.
    """
    own = inspect.getdoc(documented)
    if own:  # `python -OO` has no docstrings
        summary, sections = re.split(r"(?m)^(?=\w+\n-+$)", own, maxsplit=1)
        entries = {entry.split(maxsplit=1)[0].strip("*"): entry for entry in re.split(r"(?m)^(?=\S)", parameters)[1:]}
        listed = "".join(entries[name] for name in inspect.signature(documented).parameters if name in entries)
        documented.__doc__ = f"{summary}Parameters\n----------\n{listed}\n{sections}\n\nRaises\n------\n{raises}"
    return documented
