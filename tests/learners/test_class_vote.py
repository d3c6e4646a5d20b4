"""Stumps that answer with a class: those with the least error, on columns of every kind."""

import numpy as np
import pytest

from tests.core.runs import run_of
from tests.data.tables import TABLES, encoded_rows
from underdog.combiners import Stagewise
from underdog.core import Parts, Rows, Shard, Target
from underdog.learners import StumpLearner
from underdog.learners.candidates import Candidates
from underdog.losses import ClassVotes


@pytest.mark.parametrize("name", TABLES)
def test_scores_are_minus_the_weights_of_the_heaviest_classes(name):
    table = TABLES[name]()
    encoded = encoded_rows(table)
    rng = np.random.default_rng(2)
    number = rng.integers(0, 4, len(table))
    sign = (number[:, None] == np.arange(4)).astype(np.uint8)
    target = Target(sign, rng.integers(1, 4, len(table)), np.zeros(len(table)))
    rows = Rows([Shard(encoded, target)])
    run = run_of(Parts(ClassVotes(), StumpLearner("discrete"), Stagewise()), rows)
    if not len(Candidates(rows.layout)):
        return
    memory = run.parts.learner.start(run)
    choice = memory.choices[0]
    choice.update()
    best = choice.best(run.parts.criterion, 0.0)
    weight = target.repeats / (4.0 * target.repeats.sum())  # of all labels together 1
    wanted = []
    for place in range(len(choice.scores)):
        true = choice.test(place).answers(encoded) == 1
        sides = [np.bincount(number[own], weight[own], 4).max() for own in (true, ~true)]
        wanted.append(-sum(sides))
    np.testing.assert_allclose(choice.scores, wanted, rtol=1e-9)
    first = choice.test(int(np.argmax(wanted <= np.min(wanted) + 1e-9)))
    np.testing.assert_array_equal(best.answers(encoded), first.answers(encoded))
