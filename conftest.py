"""Examples in docstrings run as a reader would run them: pasted alone into a new session."""

import pytest


def pytest_collection_modifyitems(items):
    """Take away the names of the module in which an example stands: it imports what it uses."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.dtest.globs = {"__name__": "__main__"}
