"""Periodic motions of any model: their stability, their families and their bifurcations."""

from hybridsim.analysis.all_orbits import find_orbits as find_orbits
from hybridsim.analysis.basins import Basin as Basin
from hybridsim.analysis.basins import basin as basin
from hybridsim.analysis.bifurcation_curve import continue_bifurcation as continue_bifurcation
from hybridsim.analysis.branch import continue_orbit as continue_orbit
from hybridsim.analysis.branch import resume_branch as resume_branch
from hybridsim.analysis.diagram import Bifurcation as Bifurcation
from hybridsim.analysis.diagram import Branch as Branch
from hybridsim.analysis.files import load_branch as load_branch
from hybridsim.analysis.files import load_orbit as load_orbit
from hybridsim.analysis.finding import find_orbit as find_orbit
from hybridsim.analysis.moving import orbit_at as orbit_at
from hybridsim.analysis.newton import NoOrbitError as NoOrbitError
from hybridsim.analysis.optimum import Optimum as Optimum
from hybridsim.analysis.optimum import optimize_orbit as optimize_orbit
from hybridsim.analysis.orbit import Orbit as Orbit
from hybridsim.analysis.orbit_tables import orbit_table as orbit_table
from hybridsim.analysis.section import Section as Section
from hybridsim.analysis.section import Symmetry as Symmetry
from hybridsim.analysis.stability_maps import StabilityMap as StabilityMap
from hybridsim.analysis.stability_maps import stability_map as stability_map
