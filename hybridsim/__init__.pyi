from .analysis import (
    Basin as Basin,
    Bifurcation as Bifurcation,
    BifurcationPoints as BifurcationPoints,
    Branch as Branch,
    Equilibrium as Equilibrium,
    EquilibriumBifurcation as EquilibriumBifurcation,
    EquilibriumBranch as EquilibriumBranch,
    NoOrbitError as NoOrbitError,
    Optimum as Optimum,
    Orbit as Orbit,
    Section as Section,
    SpecialPoint as SpecialPoint,
    StabilityMap as StabilityMap,
    Symmetry as Symmetry,
    basin as basin,
    continue_bifurcation as continue_bifurcation,
    continue_equilibrium as continue_equilibrium,
    continue_orbit as continue_orbit,
    find_equilibrium as find_equilibrium,
    find_orbit as find_orbit,
    find_orbits as find_orbits,
    stability_map as stability_map,
    load_bifurcations as load_bifurcations,
    load_branch as load_branch,
    load_equilibria as load_equilibria,
    load_equilibrium as load_equilibrium,
    load_orbit as load_orbit,
    optimize_orbit as optimize_orbit,
    orbit_table as orbit_table,
    prove_branch as prove_branch,
    resume_branch as resume_branch,
)
from .config import load_config as load_config
from .config.sweep import load_sweep_config as load_sweep_config
from .derivatives import (
    LabelledMatrix as LabelledMatrix,
    Linearization as Linearization,
    Sensitivity as Sensitivity,
    jacobian as jacobian,
    linearize as linearize,
    sensitivity as sensitivity,
)
from .engine.compiler.scratch import buffer as buffer, integers as integers, reals as reals, scratch as scratch
from .engine.compiler.slices import subarray as subarray
from .engine.methods import Tableau as Tableau
from .engine.status import Status as Status
from .errors import (
    ConfigError as ConfigError,
    HybridsimError as HybridsimError,
    ModelError as ModelError,
    SimulationError as SimulationError,
)
from .identification import Identification as Identification, identify as identify
from .model import (
    DECLINED as DECLINED,
    Boundary as Boundary,
    Buffer as Buffer,
    Chart as Chart,
    Constant as Constant,
    Input as Input,
    Message as Message,
    Model as Model,
    Output as Output,
    Parameter as Parameter,
    Records as Records,
    State as State,
)
from .model.composition import compose as compose
from .model.parts import Part as Part, Plant as Plant, Slot as Slot
from .model.registry import load_model as load_model
from .optimisation import (
    Optimization as Optimization,
    Optimizer as Optimizer,
    load_optimization as load_optimization,
    optimize as optimize,
)
from .proofs import (
    BranchTheorem as BranchTheorem,
    BifurcationTheorem as BifurcationTheorem,
    NotProvenError as NotProvenError,
    Theorem as Theorem,
    prove as prove,
    prove_bifurcation as prove_bifurcation,
)
from .results.events import Event as Event, Events as Events
from .results.reading import load_run as load_run
from .results.trajectory import Trajectory as Trajectory
from .simulation import (
    ModelFunctions as ModelFunctions,
    Simulation as Simulation,
    functions as functions,
    simulate as simulate,
)
from .sweeps import Evaluator as Evaluator, load_sweep as load_sweep, sweep as sweep
from .verification import verify as verify

__version__: str
