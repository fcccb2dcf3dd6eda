"""The documentation of the keywords of `sweep`: its own ones, and those of `simulate` that differ here."""

from __future__ import annotations

from hybridsim.simulation.keywords import PARAMETERS as RUN_PARAMETERS
from hybridsim.simulation.keywords import Documented, with_sections

PARAMETERS = """\
axes : mapping, optional
    Values by key, `{"k": np.linspace(1e4, 3e4, 100), "y": [1.0, 1.1]}`: lists, arrays, or texts as in a config,
    "linspace(-50 deg, -10 deg, 100)". Every combination is run, the last axis varying fastest.
metrics : list or mapping, optional
    Metrics of each run, `["count(touchdown)", "max(y)"]` or `{"top": "max(y)"}`; by default its status, its final
    time, and how many events each boundary had.
zip : mapping, optional
    Values by key that vary together, all of one length.
random : mapping, optional
    Values drawn independently: `{"samples": 100, "seed": 1, "axes": {"k": "uniform(1e4, 2e4)"}}`.
latin_hypercube : mapping, optional
    The same keys as in `random`; the distribution of each axis is divided into as many parts of equal probability as
    there are samples, and one value is drawn from each part.
rows : path, mapping or table, optional
    A CSV or Parquet file with one line per run and one column per key, a mapping of columns, or a table of pandas or
    pyarrow.
from_ : float or str, optional
    When the metrics begin to count: a time [s], "half" or "75 %" of the time of each run; its start by default.
extra_outputs : str or path-like, optional
    Path of a plug-in file of functions `f(t, x, p, chart)` that metrics may name like outputs.
results : sequence of str, optional
    Names of statuses that are results, such as LEFT_CHART where a fall is one; pictures mark runs that ended otherwise
    than at the final time or a stop.
block : int, optional
    Rows per part file; chosen from their number by default.
folder : str or path-like, optional
    Folder in which to keep the results, which `resume` and `keep_runs` require; by default they are not kept.
resume : bool
    Whether to continue with results in the folder.
threads : int, optional
    Number of threads; by default one for each processor that this process may use.
cluster : str, optional
    Address of a Dask scheduler, `tcp://host:8786`, or `local:N` for N workers on this machine; used instead of threads.
keep_runs : str or iterable
    Rows whose whole trajectories to keep: numbers, ranges, `all`, `failed`, or names of statuses.
progress : bool or callable, optional
    Whether progress is shown, with the time left; by default on a terminal and in a notebook. Or a function called with
    the number of finished rows and the counts of their statuses.
events : bool
    Whether to return the table of events, with a row for each event that a metric `last(BOUNDARY, k, QUANTITY)` asks
    for, instead of that of the runs.
initial_time : float
    Time at which each run begins [s].
final_time : float, optional
    Time at which each run ends at the latest [s]; required unless it is an axis.
parameters : mapping of str, optional
    Parameters of the model that are the same in all runs, by name: numbers, angles ("22 deg"), choices, sequences, or
    names of CSV or NPY files.
inputs : mapping of str, optional
    Inputs that are the same in all runs, by name: numbers or angles.
initial : mapping of str, optional
    Initial values of states that are the same in all runs, by name: numbers or angles.
max_wall_time : None
    Refused: results must not depend on the speed of the machine.
record : bool, float or mapping
    Rows of the runs that `keep_runs` stores: every step, a period [s], or the keys of `record` in a config.
output : mapping, optional
    Not used: `folder` is the folder of the results.
progress_period : float
    Not used.
view : bool
    Not used.
"""
"""Documentation of the parameters of `sweep`; the others are those of `simulate`."""

RAISES = """\
ConfigError
    If a keyword, a name or a value is wrong, with all problems.
ModelError
    If the model cannot be loaded or compiled.
KeyboardInterrupt
    If Ctrl-C ended the sweep; finished rows are kept in the folder, and `resume` computes the others.
"""
"""Documentation of the errors of `sweep`."""


def document_keywords(documented: Documented) -> Documented:
    """Insert the sections Parameters and Raises into the docstring of `sweep`."""
    return with_sections(documented, RUN_PARAMETERS + PARAMETERS, RAISES)
