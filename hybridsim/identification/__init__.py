"""Identification of parameters and trajectory optimisation, by direct collocation.

`identify` finds what is unknown of a model: parameters and initial states that make its motion fit data, or inputs that
cost least. Nothing is derived or compiled beyond the model.
"""

from hybridsim.identification.api import identify as identify
from hybridsim.identification.identification import Identification as Identification

__all__ = ["Identification", "identify"]
