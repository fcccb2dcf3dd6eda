"""Identification by shooting: the model is simulated, and its parameters are changed until it fits (least squares).

The derivatives of a run by its parameters and its initial state are exact, across events too. It needs no solver
besides scipy's; but each trial runs for its whole time, so that bad guesses make motions that have nothing to do with the
data any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import OptimizeResult, least_squares

from hybridsim.config.identification import IdentificationConfig
from hybridsim.derivatives import sensitivity
from hybridsim.errors import ConfigError, HybridsimError
from hybridsim.identification.confirmation import config_at
from hybridsim.identification.ipopt import Answer
from hybridsim.identification.problem import Path, Problem
from hybridsim.simulation.simulation import Simulation
from hybridsim.typing import FloatArray, IntArray
