"""Identification of parameters and trajectory optimisation, by direct collocation."""
