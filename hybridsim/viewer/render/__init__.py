"""Pictures of runs with PyVista and VTK. Only the modules of this package import the graphics toolkit."""
