"""Mechanisms with contacts, as ordinary models.

`contact_model` makes a model of bodies and of the contacts between them and planes: hard ones, with friction and
restitution, whose every landing, slip and release is an event. `__init__.pyi` lists the names.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
