"""Networks of nodes and edges, such as coupled oscillators, as ordinary models.

`network` makes a model of populations of nodes and of edges that add to what drives them. `__init__.pyi` lists the
names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
