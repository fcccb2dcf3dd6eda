"""A model's functions as graphs: traced with symbols, equal expressions one node, branches noted as guards."""

from hybridsim.graph.derivatives import derivatives as derivatives
from hybridsim.graph.elementary import ON_FLOATS as ON_FLOATS
from hybridsim.graph.elementary import Operations as Operations
from hybridsim.graph.nodes import Graph as Graph
from hybridsim.graph.programs import Program as Program
from hybridsim.graph.symbols import WITHOUT_PIVOTS as WITHOUT_PIVOTS
from hybridsim.graph.symbols import Guard as Guard
from hybridsim.graph.symbols import Symbol as Symbol
from hybridsim.graph.tracing import ModelGraph as ModelGraph
from hybridsim.graph.tracing import Trace as Trace
from hybridsim.graph.tracing import UntraceableError as UntraceableError
