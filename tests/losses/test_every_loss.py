"""What every loss promises: weights that are its derivative, and integers that are its weights."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from tests.core.runs import proposal_of, run_of
from tests.hypotheses.trees import full_tree, random_tree
from tests.losses.every_loss import (
    LEAST_BOUND,
    LOSSES,
    NOT_THE_BEST,
    Setting,
    each_loss,
    follows_scores,
    integers,
    real_weights,
    that_give,
    widths,
)
from underdog.combiners import Stagewise
from underdog.core import Parts, weight_per_unit
from underdog.core.components import MEANINGS
from underdog.core.parts import CHANNELS
from underdog.files.plain import Decoder, Encoder
from underdog.hypotheses import Tree
from underdog.kernels.elementary import to_grid
from underdog.learners import StumpLearner
from underdog.losses import Exponential

STEP = 2.0**-12
"""Of finite differences: exact in the scores, and its square is far below what is compared."""
ONE_PLACE = "this needs all rows in one place"


def test_every_loss_can_be_made():
    assert LOSSES.made
    assert not LOSSES.lacking()


# Derivatives.


def derivatives(loss, scores, sign, weight):
    """(n, K) of the loss along every single score."""
    found = np.empty(scores.shape)
    for place in np.ndindex(scores.shape):
        above, below = scores.copy(), scores.copy()
        above[place] += STEP
        below[place] -= STEP
        means = loss.mean(above, sign, weight), loss.mean(below, sign, weight)
        found[place] = (means[0] - means[1]) / (2 * STEP)
    return found


def by_sides(signal, sign, weights):
    """Channels are sides: the loss falls by rate times weight where a score moves to its side."""
    rate = np.asarray(getattr(signal, "rate", np.ones(2)))
    return -(2.0 * sign - 1.0) * rate[sign] * weights


BY_READS = {"sides": by_sides}
"""How the derivative of a loss follows from its integers, by the kind of channels."""


@that_give("mean", "make_signal")
def test_weights_are_the_derivative_of_the_loss(loss):
    """Up to a factor. Where a master sets the weights, they are some within their bounds."""
    assert loss.reads in BY_READS, (
        f"{loss!r} counts {CHANNELS[loss.reads]}: say in BY_READS how its derivative follows"
    )
    for n_labels in widths(loss):
        own = Setting(n_labels)
        sign, weight = own.target.sign, own.weight()
        if not follows_scores(loss):
            weight = weight[:, 0]
        found = derivatives(loss, own.scores, sign, weight)
        rows = own.rows()
        signal = loss.make_signal(rows)
        assert signal.reads == loss.reads
        if not follows_scores(loss):
            weights = -(2.0 * sign - 1.0) * found
            box, share = loss.box, (weight / weight.sum())[:, np.newaxis]
            assert weights.sum() == pytest.approx(1.0, abs=1e-9)
            assert (weights >= box.lower[sign] * share - 1e-9).all()
            assert (weights <= box.upper[sign] * share + 1e-9).all()
            continue
        wanted = BY_READS[loss.reads](signal, sign, real_weights(rows, signal))
        scale = np.abs(found).sum() / np.abs(wanted).sum()
        np.testing.assert_allclose(found, scale * wanted, rtol=1e-5, atol=1e-9 * scale)


@that_give("mean", "constant", "make_signal")
@pytest.mark.parametrize("n_labels", [1, 3])
def test_the_constant_is_the_best(loss, n_labels):
    if n_labels not in widths(loss):
        return
    own = Setting(n_labels)
    rows = own.rows(scores=0.0 * own.scores)
    signal = loss.make_signal(rows)
    totals = rows.totals(signal)
    values = loss.constant(totals[np.newaxis], weight_per_unit(signal, totals), 0.0)
    assert values.shape == (1, n_labels)
    sign, weight = own.target.sign, own.weight() if follows_scores(loss) else own.weight()[:, 0]

    def mean(of):
        return loss.mean(np.broadcast_to(of, own.scores.shape), sign, weight)

    assert mean(values) <= mean(-values)
    if n_labels > 1 and type(loss).__name__ in LEAST_BOUND:
        assert mean(values) < mean(0.0 * values)
    elif follows_scores(loss):
        for move in (-1e-3, 1e-3):
            for label in np.eye(n_labels):
                assert mean(values) < mean(values + move * label)


@that_give("best_coefficient", "mean", "make_signal")
@pytest.mark.parametrize("kind", ["stump", "tree", "rule"])
def test_the_best_coefficient_is_the_best(loss, kind):
    """Of votes, of votes that abstain, and of other values."""
    for n_labels in widths(loss):
        own = Setting(n_labels, weighted=n_labels > 1)
        rows, signal = signal_on(loss, own)
        tree = full_tree(own.rng, own.encoded, n_labels, kind)
        votes = np.sign(tree.values) if kind == "rule" else np.where(tree.values > 0, 1.0, -1.0)
        block = rows.place(tree)[0].of_row(own.encoded.n_rows)
        for values in (votes, tree.values):
            proposal = proposal_of(rows, Tree(tree.leaves, values), [signal])
            best = loss.best_coefficient(proposal, 0.0)
            others = (best - 1e-3, best + 1e-3)
            if type(loss).__name__ in NOT_THE_BEST:
                others = (0.0, 0.5 * best) if abs(best) < 0.1 else (0.0,)
            losses = [
                loss.mean(own.scores + a * values[block], own.target.sign, own.weight())
                for a in (best, *others)
            ]
            assert min(losses) == losses[0]
            assert losses[0] < max(losses)


def signal_on(loss, own, **given):
    rows = own.rows(**given)
    return rows, loss.make_signal(rows)


# What a step makes of the loss.


@that_give("ratio", "mean", "make_signal")
@pytest.mark.parametrize("kind", ["constant", "stump", "rest", "tree"])
@pytest.mark.parametrize("n_shards", [1, 3])
def test_the_ratio_is_that_of_the_loss_after_and_before(loss, kind, n_shards):
    for n_labels in widths(loss):
        own = Setting(n_labels, n_shards)
        rows, signal = signal_on(loss, own)
        tree = random_tree(own.rng, own.encoded, n_labels, kind)
        block = np.empty(own.encoded.n_rows, dtype=int)
        for where, placed in zip(own.where(own.target, n_shards), rows.place(tree), strict=True):
            block[where] = placed.of_row(len(where))
        found = loss.ratio(proposal_of(rows, tree, [signal]), tree.values)
        before, after = (
            loss.mean(scores, own.target.sign, own.weight())
            for scores in (own.scores, own.scores + tree.values[block])
        )
        assert found == pytest.approx(after / before, rel=1e-10)


@that_give("measure", "mean", "make_signal")
@pytest.mark.parametrize("kind", ["stump", "tree"])
def test_what_is_measured_of_steps(loss, kind):
    """Steps on the grid, the facts that it says it has, and the loss of the scores that follow."""
    for n_labels in widths(loss):
        own = Setting(n_labels)
        rows = own.rows()
        for shard in rows.shards:
            shard.scores.restart(0.0)
        run = run_of(Parts(loss, StumpLearner(), Stagewise()), rows)
        for coefficient in (0.7, -1.3, 0.1):
            tree = random_tree(own.rng, own.encoded, n_labels, kind)
            proposal = proposal_of(rows, tree, run.state.signals)
            steps, size, facts = loss.measure(run, proposal, coefficient)
            on_grid = [to_grid(coefficient * value) for value in tree.values.ravel()]
            assert steps.ravel().tolist() == on_grid
            assert size == np.abs(steps).max()
            assert set(facts) == set(loss.facts)
            assert all(type(value) is float for value in facts.values())
            if "ratio" in loss.gives and "z" in facts:
                assert facts["z"] == loss.ratio(proposal, steps)
            rows.move(proposal.partition, steps)
            run.state.signals[0].after_step(proposal.partition, steps, proposal.sums[0])
            run.history.rows.append(facts)
            now = loss.mean(rows.only.scores.full(), own.target.sign, own.weight())
            assert facts["loss"] == pytest.approx(now, rel=1e-9)


# Integers.


@that_give("example_weights", "make_signal")
@pytest.mark.parametrize("costly", [False, True])
@pytest.mark.parametrize("spread_of_scores", [0.0, 1.0, 8.0])
def test_integers_are_the_weights(loss, costly, spread_of_scores):
    for n_labels in widths(loss):
        own = Setting(n_labels, spread_of_scores=spread_of_scores)
        rows = own.rows()
        signal = loss.make_signal(rows, costly)
        target = own.target
        if costly:
            target = replace(target, log_prior=target.log_cost, log_cost=None)
        wanted = loss.example_weights(own.scores, target)
        assert wanted.sum() == pytest.approx(1.0, rel=1e-12)
        found = real_weights(rows, signal)
        assert np.abs(found - wanted).max() <= 2.0**-40
        before = signal.version
        signal.restart()
        assert signal.version > before
        assert signal.change is None
        assert np.abs(real_weights(rows, signal) - wanted).max() <= 2.0**-40


@that_give("make_signal")
def test_shards_have_the_same_integers(loss):
    for n_labels in widths(loss):
        own = Setting(n_labels)
        rows, signal = signal_on(loss, own)
        amounts, channels = integers(rows, signal)
        totals = rows.totals(signal)
        bound = loss.log_bound(rows)
        for n_shards in (2, 3):
            spread = own.rows(n_shards=n_shards)
            if not follows_scores(loss):
                with pytest.raises(ValueError, match=ONE_PLACE):
                    loss.make_signal(spread)
                continue
            other = loss.make_signal(spread)
            found = integers(spread, other, own.where(own.target, n_shards))
            np.testing.assert_array_equal(found[0], amounts)
            np.testing.assert_array_equal(found[1], channels)
            np.testing.assert_array_equal(spread.totals(other), totals)
            one, two = weight_per_unit(signal, totals), weight_per_unit(other, totals)
            np.testing.assert_array_equal(one, two)
            assert loss.log_bound(spread) == bound or math.isnan(bound)


@that_give("make_signal")
def test_repeated_rows_are_whole_weights_and_no_order_matters(loss):
    for n_labels in widths(loss):
        own = Setting(n_labels)
        repeats = own.target.repeats
        amounts, _ = integers(*signal_on(loss, own))
        again = own.rng.permutation(np.repeat(np.arange(len(repeats)), repeats))
        target = replace(own.target.take(again), repeats=np.ones(len(again), dtype=np.int64))
        other = Setting(n_labels)
        other.table, other.encoded = own.table[again], own.encoded
        repeated, _ = integers(*signal_on(loss, other, target=target, scores=own.scores[again]))
        np.testing.assert_array_equal(repeated * repeats[again][:, np.newaxis], amounts[again])
        sums = np.zeros_like(amounts)
        np.add.at(sums, again, repeated)
        np.testing.assert_array_equal(sums, amounts)


@that_give("make_signal")
@pytest.mark.parametrize("score", [6e4, -6e4])
@pytest.mark.parametrize("prior", [0.0, math.log(1e-300)])
def test_extreme_scores_and_weights(loss, score, prior):
    for n_labels in widths(loss):
        own = Setting(n_labels)
        log_prior = np.where(np.arange(own.encoded.n_rows) % 5 == 0, 0.0, prior)
        target = replace(own.target, log_prior=log_prior)
        scores = np.where(own.rng.random(own.scores.shape) < 0.5, score, own.scores)
        rows, signal = signal_on(loss, own, target=target, scores=scores)
        amounts, _ = integers(rows, signal)
        totals = rows.totals(signal)
        unit = weight_per_unit(signal, totals)
        assert (amounts >= 0).all()
        assert (totals >= 0).all()
        assert (totals.sum(axis=0) > 0).all()
        assert np.isfinite(unit).all()
        assert (totals * unit).sum() == pytest.approx(1.0, rel=1e-12)
        assert np.isfinite(loss.constant(totals[np.newaxis], unit, 0.0)).all()
        bound = loss.log_bound(rows)
        assert math.isfinite(bound) or math.isnan(bound)
        weight = own.weight(target) if follows_scores(loss) else own.weight(target)[:, 0]
        assert math.isfinite(loss.mean(scores, target.sign, weight))
        if follows_scores(loss):
            weights = loss.example_weights(scores, target)
            assert weights.sum() == pytest.approx(1.0, rel=1e-9)
            assert (weights >= 0.0).all()


# Bounds, probabilities, and what it says of itself.


@each_loss
def test_the_bound_is_not_below_the_error(loss):
    for n_labels in widths(loss):
        for size in (0.1, 1.0, 10.0):
            own = Setting(n_labels, spread_of_scores=size)
            rows = own.rows()
            parts = Parts(loss, StumpLearner(), Stagewise())
            run = run_of(parts, rows)
            bound = loss.log_bound(rows, costly=True)
            if not math.isnan(bound):
                assert bound >= math.log(run.training_error()) - 1e-12


@that_give("make_signal", "constant")
@pytest.mark.parametrize("share", [0.03, 0.5, 0.8])
def test_the_least_loss_tells_the_probability(loss, share):
    if loss.probability_scale is None:
        return
    own = Setting(weighted=False)
    sign = (np.arange(own.encoded.n_rows) < round(share * own.encoded.n_rows)).astype(np.uint8)
    target = replace(own.target, sign=sign[:, np.newaxis])
    rows, signal = signal_on(loss, own, target=target, scores=0.0 * own.scores)
    totals = rows.totals(signal)
    best = loss.constant(totals[np.newaxis], weight_per_unit(signal, totals), 0.0).item()
    shift = loss.log_odds_shift("minimum")
    found = 1.0 / (1.0 + math.exp(-loss.probability_scale * (best - shift)))
    assert found == pytest.approx(sign.mean(), rel=1e-9)


def ask(loss, name, own, run, proposal):
    """Numbers that it gives under this name."""
    match name:
        case "make_signal":
            return loss.make_signal(run.rows).version
        case "least_squares_signal":
            return loss.least_squares_signal(run.rows).version
        case "best_coefficient":
            return loss.best_coefficient(proposal, 1e-3)
        case "pair_coefficient":
            return loss.pair_coefficient(run.state.signals[0], proposal, 1e-3)
        case "measure":
            return loss.measure(run, proposal, 0.5).size
        case "ratio":
            return loss.ratio(proposal, proposal.hypothesis.values)
        case "guarantee":
            return loss.guarantee(run, proposal, proposal.hypothesis.values)
        case "freeze":
            return loss.freeze(run.rows, 3).version
        case "constant":
            return loss.constant(proposal.sums[0].sum(axis=0)[np.newaxis], proposal.unit[0], 1e-3)
        case "mean":
            return loss.mean(own.scores, own.target.sign, own.weight()[:, 0])
        case "example_weights":
            return loss.example_weights(own.scores, own.target)
        case "place":
            return np.array(loss.place(loss.time))
        case "log_chances":
            return loss.log_chances(3)
        case "forgiven":
            return np.concatenate(loss.forgiven(loss.make_signal(run.rows)))
        case "segment":
            return loss.segment(run, proposal, 2.0)
        case "ray":
            return loss.ray(run, proposal)
        case "box":
            return np.array(loss.box)
    raise AssertionError(f"say in ask() how {name} of a loss is asked for")


@each_loss
@pytest.mark.parametrize("name", MEANINGS)
def test_it_gives_what_it_says_and_nothing_else(loss, name):
    own = Setting()
    rows = own.rows()
    signal_of = loss if "make_signal" in loss.gives else Exponential()
    run = run_of(Parts(signal_of, StumpLearner(), Stagewise()), rows)
    tree = full_tree(own.rng, own.encoded, 1, "stump")
    proposal = proposal_of(rows, tree, run.state.signals)
    if name in loss.gives:
        assert np.isfinite(ask(loss, name, own, run, proposal)).all()
        return
    with pytest.raises((TypeError, AttributeError), match=name):
        ask(loss, name, own, run, proposal)


@each_loss
def test_it_is_the_same_from_a_file_and_as_a_clone(loss):
    encoder = Encoder()
    text = json.dumps(encoder.encode(loss, ""))
    assert not encoder.left_out
    decoder = Decoder(encoder.arrays)
    loaded = decoder.decode(json.loads(text))
    decoder.finish()
    for other in (loaded, clone(loss)):
        assert type(other) is type(loss)
        assert other.get_params() == loss.get_params()
        assert repr(other) == repr(loss)
        other.check()
