"""What all tests share: which of them make sense, and how examples in docstrings run."""

import os
import sys

import pytest

# Threads of BLAS and OpenMP spin while they wait, and there is a worker of tests on every core. Set
# before NumPy is loaded, and for the processes that tests start.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

try:
    from hypothesis import settings
except ImportError:  # with the oldest versions only tests of scikit-learn's contract run
    pass
else:
    # The same examples in every run, so that a change is judged by what it changes. To look for
    # new ones: HYPOTHESIS_PROFILE=random. The first call of a kernel may compile it: no deadline.
    settings.register_profile("repeatable", derandomize=True, deadline=None)
    settings.register_profile("random", derandomize=False, deadline=None)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_runtest_teardown():
    """Close all figures: a warning of too many of them would be an error of the next test."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def pytest_collection_modifyitems(config, items):
    """Leave out what cannot be, and let examples run as if pasted alone into a new session."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            # Without the names of the module in which it stands: it imports what it uses.
            item.dtest.globs = {"__name__": "__main__"}
    wrong = {item for item in items if _votes_on_gradients(item)}
    if wrong:
        config.hook.pytest_deselected(items=list(wrong))
        items[:] = [item for item in items if item not in wrong]


def _votes_on_gradients(item):
    """Whether a test is of a booster with a learner that its loss refuses."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    booster, learner = parameters.get("booster"), parameters.get("learner")
    if learner != "discrete" or not hasattr(booster, "_make_loss"):
        return False
    return booster()._make_loss().reads == "newton"
