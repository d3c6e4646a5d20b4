"""Every criterion that there is."""

import pytest

from tests.discovery import Found
from underdog.core import Criterion

BETAS = (1.0, 3.0, 0.25)
PARAMETERS = {}
SHARED = {"ClassVote"}
"""The criterion that has no formula for one label: see test_class_vote.py."""

CRITERIA = Found(
    ["underdog.learners.criteria", "underdog.learners"],
    Criterion,
    PARAMETERS,
    SHARED,
    "PARAMETERS of tests/learners/every_criterion.py",
)
each_criterion = pytest.mark.parametrize(
    "kind", [type(made) for made in CRITERIA.made.values()], ids=CRITERIA.made
)
each_beta = pytest.mark.parametrize("beta", BETAS)
