"""From plain Python functions to compiled ones: the interface to models, what functions may contain, and the cache."""
