"""The compiled engine: four nested iterators over models that it knows only as addresses of functions."""
