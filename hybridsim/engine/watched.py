"""The functions watched for zeros, in the order of their indices: the model's boundaries, the stops, the slide ends.

A stop is a state's distance to the value that ends the run. The two slide ends are the rates of the surface's function
along the flows of `state.chart` (with the sign changed) and of `state.adjacent_chart`: a slide ends where one of them
falls to zero. Arrays over these functions have the length `settings.n_watched`.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.memory import N_SLIDE_ENDS


@kernel
def is_boundary(settings, i):
    """Return whether watched function i is a boundary of the model."""
    return i < settings.n_boundaries


@kernel
def is_stop(settings, i):
    """Return whether watched function i is a stop."""
    return settings.n_boundaries <= i < settings.n_boundaries + settings.n_stops


@kernel
def is_slide_end(settings, i):
    """Return whether watched function i is an end of a slide."""
    return i >= settings.n_watched - N_SLIDE_ENDS


@kernel
def index_of_stop(settings, stop):
    """Return the index of a stop among the watched functions."""
    return settings.n_boundaries + stop


@kernel
def stop_at_index(settings, i):
    """Return the number of the stop that is watched function i."""
    return i - settings.n_boundaries


@kernel
def end_into_chart(settings):
    """Return the index of the slide end that leads into `state.chart`."""
    return settings.n_watched - N_SLIDE_ENDS


@kernel
def end_into_adjacent_chart(settings):
    """Return the index of the slide end that leads into `state.adjacent_chart`."""
    return settings.n_watched - N_SLIDE_ENDS + 1
