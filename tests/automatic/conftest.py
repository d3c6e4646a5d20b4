"""What every test of the models without parameters uses."""

import pytest

from underdog.automatic import base
from underdog.automatic.settings import Settings, settings_for


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch):
    """Fewer rounds than people get, so that tests take less time."""
    few = {"n_estimators": 30, "cv": 3}

    def settings(*size):
        found = settings_for(*size)
        return Settings({**found.parameters, **few}, found.reason)

    monkeypatch.setattr(base, "settings_for", settings)
