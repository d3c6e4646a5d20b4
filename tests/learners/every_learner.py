"""Every learner that there is, and a small problem on which all tests can be tried."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from tests.core.runs import run_of
from tests.core.shards import positions, spread
from tests.data.tables import bins_of, encoded_rows, numbers
from tests.discovery import Found
from tests.kernels import twins
from underdog import Table, core
from underdog.combiners import LinearProgramme, Stagewise
from underdog.core import Learner, Parts, Target
from underdog.learners.criteria import NAMES, SignRoot
from underdog.losses import Exponential, SoftMargin

PARAMETERS = {
    "StumpLearner": [{"kind": kind} for kind in NAMES if kind != "real"],
    "TreeLearner": [{"kind": "discrete", "max_depth": 2}, {"max_depth": None, "max_leaf_nodes": 5}],
    "AlternatingLearner": [{"missing": "neither"}, {"grow": "singles"}, {"grow": "root"}],
    "C45LikeLearner": [{"kind": "real"}, {"confidence": None}, {"min_leaf_weight": 9.0}],
    "RuleLearner": [
        {"max_conditions": 1, "prune": False, "signs": "both"},
        {"max_conditions": 2, "max_rules": 1},
    ],
    "ForeignLearner": [{"classifier": DecisionTreeClassifier(max_depth=1, random_state=0)}],
}
"""Beside the defaults, or in their place."""
SHARED = {"Pool"}
"""Classes of which only other learners are made, and those whose rules name classes."""
FOREIGN = {"ForeignLearner"}
"""Learners that ask another library: they need all rows in one place, and promise nothing of how
they choose and what they say."""

ABSTAINS = {"RuleLearner"}
"""Learners of rules that are silent outside one block."""

LEARNERS = Found(
    ["underdog.learners"], Learner, PARAMETERS, SHARED,
    "PARAMETERS of tests/learners/every_learner.py",
)  # fmt: skip
OWN = {title: made for title, made in LEARNERS.made.items() if type(made).__name__ not in FOREIGN}
each_learner = pytest.mark.parametrize("learner", LEARNERS.made.values(), ids=LEARNERS.made)
own_learner = pytest.mark.parametrize("learner", OWN.values(), ids=OWN)
STUMPS = {title: made for title, made in OWN.items() if made.knows_columns}
stump_learner = pytest.mark.parametrize("learner", STUMPS.values(), ids=STUMPS)
"""Those that promise the best of all tests; a tree is greedy."""
each_loss = pytest.mark.parametrize(
    "loss", [Exponential(), Exponential(3.0), SoftMargin(nu=0.3)], ids=repr
)
NO_BETTER_SET = ("real", "discrete", "real.mh", "disc.mh", "disc.lp", "gentle")
"""Names under which the best set of levels is a run in their order, at beta = 1."""


def words(n, missing=True):
    """A column of categories with few levels."""
    rng = np.random.default_rng(8)
    levels = rng.choice(["r", "g", "b", "y"], n).astype(object)
    if missing:
        levels[rng.random(n) < 0.1] = None
    return pd.DataFrame({"colour": levels})


FORMS = {
    "dense": lambda: Table.from_data(numbers()),
    "sparse": lambda: Table.from_data(sp.csr_array(numbers())),
    "mixed": lambda: Table.hstack([numbers()[:, :3], sp.csr_array(numbers()[:, 3:])]),
    "levels": lambda: Table.hstack([numbers()[:, 3:6], words(len(numbers()))]),
}
CONSTANT = {
    "one value": lambda: Table.from_data(np.full((20, 2), 3.0)),
    "nothing": lambda: Table.from_data(sp.csr_array((20, 2))),
    "one level": lambda: Table.from_data(pd.DataFrame({"c": ["a"] * 20})),
    "all missing": lambda: Table.from_data(np.full((20, 1), np.nan)),
}


class Problem:
    """Rows whose weights differ, labels that follow from all columns, and a run on them.

    With `seen` the learner is shown another form of the table.
    """

    def __init__(
        self, learner, loss, table, n_labels=1, order=None, n_shards=1, repeated=False,
        least_block=0.0, seen=None,
    ):  # fmt: skip
        rng = np.random.default_rng(4)
        n = len(table)
        repeats, prior = rng.integers(1, 4, n), -rng.random(n)
        encoded = encoded_rows(table, repeats)
        schema = encoded.schema
        bins = np.stack([bins_of(encoded, column) for column in range(schema.n_columns)], axis=1)
        known = bins @ rng.normal(size=(schema.n_columns, n_labels))
        known += rng.normal(size=(n, n_labels))
        sign = (known > np.median(known, axis=0)).astype(np.uint8)
        if seen is not None:
            table, schema = seen, encoded_rows(seen, repeats).schema
        scores = np.rint(rng.normal(size=(n, n_labels)) * 2**19) / 2**20
        target = Target(sign, repeats, prior)
        order = np.arange(n) if order is None else order
        self.target, scores, table = target.take(order), scores[order], table[order]
        if repeated:
            self.target = replace(self.target, repeats=np.ones(len(order), dtype=np.int64))
        self.encoded = encoded_rows(table, self.target.repeats, schema=schema)
        self.where = positions(self.target.sign, n_shards)
        self.rows = spread(table, schema, self.target, n_shards)
        for shard, own in zip(self.rows.shards, self.where, strict=True):
            shard.scores.relative[:] = scores[own]
        combiner = LinearProgramme() if "box" in loss.gives else Stagewise()
        self.parts = Parts(loss, learner, combiner)
        self.run = run_of(self.parts, self.rows, least_block=least_block)
        self.memory = learner.start(self.run)
        self.criterion = self.parts.criterion

    @property
    def signal(self):
        return self.run.state.signals[0]

    def ask(self):
        question = self.parts.combiner.ask(self.run)
        return self.parts.learner.fit(self.memory, question)

    def take(self, proposal):
        """Let the weights follow a step with this hypothesis, as far as they do."""
        steps = np.rint(proposal.hypothesis.values * 2**19) / 2**20
        self.rows.move(proposal.partition, steps)
        for signal, sums in zip(self.run.state.signals, proposal.sums, strict=True):
            signal.after_step(proposal.partition, steps, sums)
        self.parts.learner.accepted(self.memory, proposal.hypothesis)

    def score(self, inside, weights):
        """Of the test that is true for these rows, by the criterion of one block."""
        masses = np.zeros((2, 2, weights.shape[1]))
        for block, side in np.ndindex(2, 2):
            here = (inside == block)[:, np.newaxis] & (self.target.sign == side)
            masses[block, side] = np.where(here, weights, 0.0).sum(axis=0)
        own = self.criterion
        if not isinstance(own, SignRoot):
            return float(own.score(masses, self.run.smooth).sum())
        (fm, fp), (tm, tp) = masses.tolist()
        labels = zip(tp, tm, fp, fm, strict=True)
        return sum(twins.score(own.number, *each, self.run.smooth, own.beta) for each in labels)


def every_test(encoded, sets):
    """Every test of every column; of categories every set of levels, if `sets`, else none."""
    for column in range(encoded.schema.n_columns):
        n_bins, missing = int(encoded.bins[column]), bool(encoded.missing[column])
        if not encoded.is_category[column]:
            flags = twins.ordered_tests(n_bins, missing)
        elif not sets:
            continue
        else:
            levels = n_bins + missing
            all_sets = itertools.product([0, 1], repeat=levels - 1)
            flags = [[0, *some, *([] if missing else [0])] for some in all_sets if any(some)]
        for inside in flags:
            yield core.Test(column, np.array(inside, dtype=np.uint8))


def truth(encoded, test):
    """(n,) 1 where a test is true, from the bins."""
    return test.inside[bins_of(encoded, test.column)].astype(int)
