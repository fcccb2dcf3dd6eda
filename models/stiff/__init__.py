"""Stiff models: their fastest rates exceed those of what one looks at by many powers of ten."""
