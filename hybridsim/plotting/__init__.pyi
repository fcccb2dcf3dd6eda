from .bifurcations import plot_bifurcations as plot_bifurcations
from .branches import plot_branch as plot_branch
from .networks import plot_network as plot_network
from .optimizations import plot_optimization as plot_optimization
from .orbits import plot_multipliers as plot_multipliers, plot_phase as plot_phase, plot_return_map as plot_return_map
from .portraits import plot_portraits as plot_portraits
from .runs import plot_run as plot_run
from .sweeps import plot_sweep as plot_sweep
