"""Pictures of runs with PyVista and VTK. Only the modules of this package import the graphics toolkit."""

from hybridsim.viewer.render import quick_import  # noqa: F401
