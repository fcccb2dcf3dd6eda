"""From plain Python functions to compiled ones: the interface to models, what they may not do, and the cache."""
