"""How a program says that the first compilation is not to be announced.

Apart from the decorators, so that it can be imported without numba.
"""

QUIET = "UNDERDOG_QUIET"
"""A variable of the environment, which processes that are started inherit."""
