"""From a data frame to a table: what the columns are, and the transformer.

The names are listed in `__init__.pyi` and loaded when they are used, so that the errors of the
command line do not wait for scikit-learn.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
