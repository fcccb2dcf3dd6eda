"""What the command line prints: messages and progress on standard error, results on standard output.

`__init__.pyi` lists the functions: a command imports only the modules of those that it calls.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
