"""Pictures of a run with PyVista: the only modules that know the graphics toolkit."""
