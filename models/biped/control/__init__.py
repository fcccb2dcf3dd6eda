"""Controllers of the biped: parts for its slot `control`."""
