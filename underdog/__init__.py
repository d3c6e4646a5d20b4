"""underdog: weak rules and small classes made strong.

What is public stands in `__init__.pyi`; a module is loaded when one of its names is asked for.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__version__ = "0.2.0"
