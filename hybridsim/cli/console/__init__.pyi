from .equilibria import show_equilibria as show_equilibria, show_equilibrium as show_equilibrium
from .identifications import show_identification as show_identification
from .matrices import show_linearization as show_linearization
from .messages import (
    PageProgress as PageProgress,
    PictureProgress as PictureProgress,
    busy as busy,
    show_notes as show_notes,
    show_page as show_page,
    show_report as show_report,
    show_written as show_written,
    with_confirmation as with_confirmation,
)
from .models import show_model as show_model, show_models as show_models, show_shelf as show_shelf
from .optimizations import (
    show_optimization as show_optimization,
    show_reproduction as show_reproduction,
    show_search as show_search,
)
from .orbits import (
    show_bifurcations as show_bifurcations,
    show_branch as show_branch,
    show_characteristics as show_characteristics,
    show_orbit as show_orbit,
    show_orbit_table as show_orbit_table,
    show_orbits as show_orbits,
)
from .runs import (
    EventTrace as EventTrace,
    Progress as Progress,
    show_config as show_config,
    show_summary as show_summary,
)
from .sweeps import show_outcome as show_outcome, show_plan as show_plan
