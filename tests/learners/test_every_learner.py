"""What every learner promises: sums that are right, values and a choice by its criterion."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from tests.learners.every_learner import (
    ABSTAINS,
    CONSTANT,
    FOREIGN,
    FORMS,
    LEARNERS,
    NO_BETTER_SET,
    Problem,
    each_learner,
    each_loss,
    every_test,
    own_learner,
    stump_learner,
    truth,
)
from tests.losses.every_loss import real_weights
from underdog import Table
from underdog.core import Blocks, Proposal, Stop, Target, weight_per_unit
from underdog.files.plain import Decoder, Encoder
from underdog.files.registry import kind_of
from underdog.kernels import criteria
from underdog.losses import Exponential

# Sums of keys wrap around, which is said of where they are not compiled.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
each_form = pytest.mark.parametrize("form", FORMS)
NOISE = 1e-9
"""Scores that differ by less are equal: sums of floats here, of integers there."""


def test_every_learner_can_be_made():
    assert LEARNERS.made
    assert not LEARNERS.lacking()


def is_foreign(learner):
    return type(learner).__name__ in FOREIGN


def problems(learner, loss, form, **given):
    for n_labels in (1,) if "box" in loss.gives else (1, 3):
        yield Problem(learner, loss, FORMS[form](), n_labels, **given)


def assert_same_proposal(one, other):
    """Bit for bit, wherever the rows are."""
    for found, wanted in zip(one.hypothesis.tests, other.hypothesis.tests, strict=True):
        assert (found.column, found.threshold) == (wanted.column, wanted.threshold)
        np.testing.assert_array_equal(found.inside, wanted.inside)
    np.testing.assert_array_equal(one.hypothesis.values, other.hypothesis.values)
    for found, wanted in zip(one.sums + one.unit, other.sums + other.unit, strict=True):
        np.testing.assert_array_equal(found, wanted)


@each_learner
@each_loss
@each_form
def test_sums_are_those_of_the_rows(learner, loss, form):
    """Also of a second round, for which sums are updated and not counted anew."""
    if is_foreign(learner) and form != "dense":
        return
    for own in problems(learner, loss, form):
        for _ in range(2):
            proposal = own.ask()
            assert isinstance(proposal, Proposal)
            n_blocks = len(proposal.hypothesis.values)
            assert proposal.hypothesis.values.shape == (n_blocks, own.rows.n_labels)
            placed = own.rows.place(proposal.hypothesis)
            for number, signal in enumerate(own.run.state.signals):
                for partition in (placed, proposal.partition):
                    wanted = own.rows.sums(signal, partition, n_blocks)
                    np.testing.assert_array_equal(proposal.sums[number], wanted)
                unit = weight_per_unit(signal, proposal.sums[number].sum(axis=0))
                np.testing.assert_array_equal(proposal.unit[number], unit)
            assert proposal.masses().sum() == pytest.approx(1.0, rel=1e-12)
            own.take(proposal)


@own_learner
@each_loss
@each_form
def test_values_are_those_of_the_criterion(learner, loss, form):
    """Of each block alone; a tied vote of a stump says the opposite of the other block."""
    for own in problems(learner, loss, form):
        for _ in range(2):
            proposal = own.ask()
            wanted = own.criterion.value(proposal.masses(), own.run.smooth)
            if len(wanted) == 2 and not own.criterion.final:
                for label in range(wanted.shape[1]):
                    wanted[::-1, label] = criteria.opposed(*wanted[::-1, label].tolist())
            found = proposal.hypothesis.values
            if type(learner).__name__ in ABSTAINS:
                assert np.count_nonzero(found.any(axis=1)) == 1
                wanted = np.where(found == 0.0, 0.0, wanted)
            abstaining = proposal.hypothesis.abstaining
            if abstaining is not None:
                wanted[abstaining] = 0.0
            np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-13)
            own.take(proposal)


@stump_learner
@each_loss
@each_form
def test_the_choice_is_the_best_of_all_tests(learner, loss, form):
    """Found by trying all; of sets of levels where the order of the levels is known to be enough.

    Beside the levels there are only columns that tell little, and votes by them may all be alike.
    A learner that does not promise the best test is to be listed in FOREIGN.
    """
    for own in problems(learner, loss, form):
        enough = own.criterion.beta == 1.0 and getattr(learner, "kind", "") in NO_BETTER_SET
        sets = own.rows.n_labels == 1 and enough
        for _ in range(2):
            weights = real_weights(own.rows, own.signal)
            proposal = own.ask()
            chosen = own.score(truth(own.encoded, proposal.hypothesis.test), weights)
            scores = [
                own.score(truth(own.encoded, test), weights)
                for test in every_test(own.encoded, sets)
            ]
            assert chosen <= min(scores) + NOISE
            assert form == "levels" or max(scores) > min(scores) + NOISE
            own.take(proposal)


@each_learner
@pytest.mark.parametrize("n_shards", [3])
@each_form
def test_shards_have_the_same_answer(learner, n_shards, form):
    if is_foreign(learner):
        own = Problem(learner, Exponential(), FORMS["dense"](), n_shards=n_shards)
        with pytest.raises(ValueError, match="this needs all rows in one place"):
            own.ask()
        return
    for loss, n_labels in ((Exponential(), 3), (Exponential(3.0), 1)):
        one = Problem(learner, loss, FORMS[form](), n_labels)
        other = Problem(learner, loss, FORMS[form](), n_labels, n_shards=n_shards)
        for _ in range(2):
            proposals = one.ask(), other.ask()
            assert_same_proposal(*proposals)
            assert len(proposals[1].partition) == n_shards
            one.take(proposals[0])
            other.take(proposals[1])


@own_learner
@each_loss
@each_form
def test_rows_in_another_order_have_the_same_answer(learner, loss, form):
    order = np.random.default_rng(0).permutation(len(FORMS[form]()))
    pairs = zip(
        problems(learner, loss, form), problems(learner, loss, form, order=order), strict=True
    )
    for one, other in pairs:
        assert_same_proposal(one.ask(), other.ask())


@stump_learner
@each_loss
def test_columns_in_another_order_have_the_same_answer_up_to_ties(learner, loss):
    table = FORMS["dense"]()
    X = table.matrix()
    order = np.random.default_rng(1).permutation(X.shape[1])
    one, other = (
        Problem(learner, loss, table, seen=Table.from_data(data)) for data in (X, X[:, order])
    )
    weights = real_weights(one.rows, one.signal)
    found = []
    for own in (one, other):
        test = own.ask().hypothesis.test
        found.append((truth(own.encoded, test), test))
    scores = [one.score(true, weights) for true, _ in found]
    assert abs(scores[0] - scores[1]) <= NOISE
    everything = np.array(
        [one.score(truth(one.encoded, t), weights) for t in every_test(one.encoded, 0)]
    )
    if (everything <= everything.min() + NOISE).sum() == 1:
        assert found[0][1].column == order[found[1][1].column]
        np.testing.assert_array_equal(found[0][0], found[1][0])


@stump_learner
@each_loss
def test_missing_values_where_there_were_none_go_with_most_rows(learner, loss):
    """And where there were some, to the side that fits best, as the choice above shows."""
    own = Problem(learner, loss, FORMS["dense"]())
    for _ in range(3):
        proposal = own.ask()
        test, placed = proposal.hypothesis.test, proposal.partition[0]
        assert isinstance(placed, Blocks)
        if not own.encoded.missing[test.column]:
            assert test.inside[-1] == placed.rest
        own.take(proposal)


@own_learner
@each_loss
@pytest.mark.parametrize("name", CONSTANT)
def test_constant_columns_are_nothing_to_split_on(learner, loss, name):
    answer = Problem(learner, loss, CONSTANT[name]()).ask()
    assert isinstance(answer, Stop)
    assert "nothing to split on" in answer.reason


@own_learner
@each_loss
def test_small_blocks_are_not_proposed(learner, loss):
    for least in (0.2, 0.4, 0.51):
        own = Problem(learner, loss, FORMS["mixed"](), least_block=least)
        answer = own.ask()
        changes_root = getattr(learner, "missing", None) == "neither"  # for all rows
        if least > 0.5 and not changes_root:
            assert isinstance(answer, Stop)
            assert "min_weight_fraction_leaf" in answer.reason
        else:
            shares = answer.masses().sum(axis=(1, 2))
            abstains = np.arange(len(shares)) == answer.hypothesis.abstaining
            assert shares[~abstains].min() >= least - 1e-12


@own_learner
def test_repeated_rows_are_whole_weights(learner):
    table = FORMS["mixed"]()
    one = Problem(learner, Exponential(), table)
    again = np.repeat(np.arange(len(table)), one.target.repeats)
    other = Problem(learner, Exponential(), table, order=again, repeated=True)
    assert isinstance(other.target, Target)
    assert (other.target.repeats == 1).all()
    assert_same_proposal(one.ask(), other.ask())


@each_learner
def test_it_is_the_same_as_a_clone_and_from_a_file(learner):
    others = [clone(learner)]
    if kind_of(learner) is None:
        assert is_foreign(learner), f"{learner!r} cannot be stored: list it in files/registry.py"
    else:
        encoder = Encoder()
        text = json.dumps(encoder.encode(learner, ""))
        assert not encoder.left_out
        others.append(Decoder(encoder.arrays).decode(json.loads(text)))
    for other in others:
        assert type(other) is type(learner)
        assert repr(other) == repr(learner)
        other.check()


@each_learner
@each_loss
def test_its_memory_belongs_to_the_run(learner, loss):
    """Two runs of one learner do not know of each other."""
    one, other = (Problem(learner, loss, FORMS["dense"]()) for _ in range(2))
    first = one.ask()
    one.take(first)
    second = other.ask()
    if not is_foreign(learner):
        assert_same_proposal(first, second)
    assert vars(learner) == learner.get_params(deep=False)
