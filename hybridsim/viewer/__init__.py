"""The viewer: what a run shows at any time, a player that goes through it, and windows, pages and files that show it.

`hybridsim.viewer.render` is the only package that imports the graphics toolkit. `__init__.pyi` lists the public names
with their modules, which are imported when one of the names is first used: the command line reads options of pictures
without the player.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
