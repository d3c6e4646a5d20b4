"""Bit for bit the same model, whatever the form of the data and the way to it."""

import json
import os
import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import underdog.workers
from tests.estimators import fits
from tests.estimators.fits import given
from underdog import Table
from underdog.core import Rows, Shard, State, every_row
from underdog.core.counts import Counts
from underdog.learners import StumpLearner

ROWS, ROUNDS = 300, 40
EVERY = pytest.mark.parametrize("name", fits.BOOSTERS)


@pytest.fixture(scope="module")
def data():
    X = fits.numbers(ROWS)
    return X, fits.targets(X)


@pytest.fixture(scope="module")
def plain(data):
    """name -> the model that all others must equal, fitted once."""

    @cache
    def fitted(name):
        return fits.fit(name, *given(data, name), n_estimators=ROUNDS, n_jobs=1)

    return fitted


@EVERY
def test_fits_are_long_enough_to_mean_something(name, plain):
    assert plain(name).n_iter_ == ROUNDS
    columns = {member.hypothesis.test.column for member in plain(name).model_.members}
    assert len(columns) >= 4


@EVERY
def test_rows_in_another_order(name, data, plain):
    X, y, extra = given(data, name)
    order = np.random.default_rng(1).permutation(ROWS)
    other = fits.fit(name, X, y, extra, order, n_estimators=ROUNDS)
    fits.assert_same(plain(name), other, X)


@EVERY
@pytest.mark.parametrize("form", ["csr", "csc", "mixed", "mixed another way", "frame", "polars"])
def test_sparse_and_dense_form(name, form, data, plain):
    X, y, extra = given(data, name)
    other_X = {
        "csr": lambda: sp.csr_array(X),
        "csc": lambda: sp.csc_matrix(X),
        "mixed": lambda: Table.hstack([X[:, :3], sp.csr_array(X[:, 3:])]),
        "mixed another way": lambda: Table.hstack([sp.csr_array(X[:, :5]), X[:, 5:]]),
        "frame": lambda: pd.DataFrame(X),
        "polars": lambda: pl.DataFrame(X),
    }[form]()
    other = fits.fit(name, other_X, y, extra, n_estimators=ROUNDS)
    fits.assert_same(plain(name), other, X, other_X)


@pytest.mark.parametrize("name", ["uneven disc.u", "uneven real", "real", "many labels"])
@pytest.mark.parametrize("value", [1.0, -1.0, -np.inf])
def test_presence_and_dense_form_with_many_ties(name, value, data):
    """Columns and their opposites: every test has a twin that is exactly as good."""
    X, y, extra = given(data, name)
    half = np.nan_to_num(X) > 0
    there = np.where(np.hstack([half, ~half, half]), value, 0.0)
    one = fits.fit(name, there, y, extra, n_estimators=ROUNDS)
    other_X = sp.csr_array(there)
    other = fits.fit(name, other_X, y, extra, n_estimators=ROUNDS)
    fits.assert_same(one, other, there, other_X)


def count_threads(monkeypatch):
    """Count what is handed to threads."""
    handed = []

    class Counting(underdog.workers.ThreadPoolExecutor):
        def submit(self, *args, **kwargs):
            handed.append(args[0])
            return super().submit(*args, **kwargs)

    monkeypatch.setattr(underdog.workers, "ThreadPoolExecutor", Counting)
    return handed


@EVERY
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_one_or_two_threads_for_every_piece_of_work(name, make, data, plain, monkeypatch):
    X, y, extra = given(data, name)
    handed = count_threads(monkeypatch)
    monkeypatch.setattr(underdog.workers, "MIN_WORK", 1)
    other = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS, n_jobs=2)
    fits.assert_same(plain(name), other, X)
    assert len(handed) > ROUNDS


@pytest.mark.parametrize(
    ("name", "make", "rows", "columns"),
    [
        ("real", np.asarray, 20_000, 30),
        ("uneven disc.u", np.asarray, 20_000, 30),
        ("many labels", np.asarray, 6_000, 30),
        ("many labels", sp.csr_array, 12_000, 30),
    ],
)
def test_one_or_two_threads_on_data_that_is_worth_them(name, make, rows, columns, monkeypatch):
    handed = count_threads(monkeypatch)
    X = fits.numbers(rows, columns=columns)
    y, extra = fits.targets(X)[fits.BOOSTERS[name][2]]
    X = make(X)
    one = fits.fit(name, X, y, extra, n_estimators=6, n_jobs=1)
    assert not handed
    two = fits.fit(name, X, y, extra, n_estimators=6, n_jobs=2)
    assert handed
    fits.assert_same(one, two, X)


@EVERY
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_updated_or_recounted_tallies(name, make, data, plain, monkeypatch):
    X, y, extra = given(data, name)
    update, counts = Counts.update, []

    def count_anew(self):
        counts.append(self.signal.change is not None)
        self._version = -2
        return update(self)

    monkeypatch.setattr(Counts, "update", count_anew)
    other = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS)
    fits.assert_same(plain(name), other, X)
    assert any(counts)  # else nothing was ever updated


@EVERY
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_integer_weights_or_repeated_rows(name, make, data):
    X, y, extra = given(data, name)
    repeats = np.random.default_rng(2).integers(0, 4, ROWS)  # some rows count nothing
    weighted = fits.make(name, n_estimators=ROUNDS)
    weighted.fit(make(X), y, sample_weight=repeats, **extra)
    rows = np.repeat(np.arange(ROWS), repeats)
    repeated = fits.fit(name, make(X), y, extra, rows, n_estimators=ROUNDS)
    fits.assert_same(weighted, repeated, X)
    floats = fits.make(name, n_estimators=ROUNDS)
    floats.fit(make(X), y, sample_weight=repeats.astype(np.float32), **extra)
    fits.assert_same(weighted, floats, X)


def scaled(name, data, factor):
    """Two fits, one with all weights times a factor; whole numbers if the factor is one.

    Smoothing is given: by default it is one over the number of examples.
    """
    X, y, extra = given(data, name)
    rng = np.random.default_rng(2)
    weight = rng.integers(1, 4, ROWS) if isinstance(factor, int) else rng.uniform(0.5, 2.0, ROWS)
    return [
        fits.make(name, n_estimators=ROUNDS, smoothing=1e-3).fit(X, y, sample_weight=w, **extra)
        for w in (weight, weight * factor)
    ]


@EVERY
@pytest.mark.parametrize("factor", [2, 3, 0.25, 2.0**40])
def test_weights_times_a_factor_give_the_same_questions_steps_and_scores(name, factor, data):
    fits.assert_same(*scaled(name, data, factor), data[0], only=fits.SCALED)


@EVERY
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_warm_start_in_two_halves(name, make, data):
    X, y, extra = given(data, name)
    X = make(X)
    whole = fits.fit(name, X, y, extra, n_estimators=100)
    halves = fits.fit(name, X, y, extra, n_estimators=50, warm_start=True)
    assert halves.n_iter_ <= 50
    halves.set_params(n_estimators=100).fit(X, y, **extra)
    fits.assert_same(whole, halves, X)
    for key in ("z", "edge", "coefficient", "log_loss"):
        np.testing.assert_array_equal(whole.history_[key], halves.history_[key])


@EVERY
def test_pickle_and_clone(name, data, plain):
    X, y, extra = given(data, name)
    back = pickle.loads(pickle.dumps(plain(name)))
    fits.assert_same(plain(name), back, X)
    again = clone(plain(name)).fit(X, y, **extra)
    fits.assert_same(plain(name), again, X)


class Remembering(StumpLearner):
    """A learner that keeps its run."""

    def start(self, run):
        self.run = run
        return super().start(run)


@EVERY
def test_replay_gives_the_scores(name, data, plain):
    """The state is a function of rows and members: scores, and the weights that follow them."""
    X, y, extra = given(data, name)
    learner = Remembering(fits.BOOSTERS[name][1]["learner"])
    model = fits.fit(name, X, y, extra, n_estimators=ROUNDS, learner=learner)
    fits.assert_same(plain(name), model, X)
    run = learner.run
    shard = run.rows.only
    other = Shard(shard.encoded, shard.target)
    rows = Rows([other])
    state = State(rows, model._make_combiner().make_signals(run.parts.loss, rows))
    state.replay(model.model_.members)
    assert bits_of(state) == bits_of(run.state)
    assert state.score_bound == run.state.score_bound
    every = every_row(shard.encoded.n_rows)
    for old, new in zip(run.state.signals, state.signals, strict=True):
        units = [np.empty((len(every), shard.n_labels), dtype=np.int64) for _ in range(2)]
        old.amounts(shard, every, 0, 0, units[0])
        new.amounts(other, every, 0, 0, units[1])
        np.testing.assert_array_equal(*units)
        np.testing.assert_array_equal(old.offset, new.offset)
        np.testing.assert_array_equal(old.exponent, new.exponent)
    labels = model._labels
    full = labels.decision(shard.scores.full())
    assert fits.bits(full) == fits.bits(model.decision_function(X))


def bits_of(state):
    scores = state.rows.only.scores
    return fits.bits(scores.base), fits.bits(scores.relative)


def new_rows(seed=9):
    """Rows that the model has not seen: missing where none were, beyond the cuts, infinite."""
    rng = np.random.default_rng(seed)
    X = fits.numbers(200, seed) * rng.uniform(0.5, 2.0, (200, 1))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[rng.random(X.shape) < 0.02] = np.inf
    X[rng.random(X.shape) < 0.02] = -np.inf
    return X


@EVERY
def test_staged_sum_equals_compiled_prediction_for_all_forms(name, plain):
    model, X = plain(name), new_rows()
    readonly = X.copy()
    readonly.setflags(write=False)
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    forms = [
        X,
        np.asfortranarray(X),
        readonly,
        X.tolist(),
        sp.csr_array(X),
        sp.csc_matrix(X),
        sp.coo_array(X),
        wide,
        Table.hstack([X[:, :4], sp.csr_array(X[:, 4:])]),
        Table.hstack([sp.csr_matrix(X[:, :2]), X[:, 2:6], sp.csr_array(X[:, 6:])]),
        pd.DataFrame(X),
    ]
    wanted = None
    for form in forms:
        compiled = model.decision_function(form)
        *_, staged = model.staged_decision_function(form)
        assert fits.bits(compiled) == fits.bits(staged)
        wanted = compiled if wanted is None else wanted
        assert fits.bits(compiled) == fits.bits(wanted)
    rounded = X.astype(np.float32)
    assert fits.bits(model.decision_function(rounded)) == fits.bits(
        model.decision_function(rounded.astype(np.float64))
    )


@EVERY
def test_the_sum_of_the_members_is_the_score(name, plain):
    """Steps added in any order, by values and thresholds alone."""
    model, X = plain(name), new_rows()
    total = np.zeros((len(X), model.model_.n_labels))
    for member in reversed(model.model_.members):
        test = member.hypothesis.test
        value = X[:, test.column]
        missing = np.isnan(value)
        true = np.zeros(len(X), dtype=bool) if test.threshold is None else value > test.threshold
        true = np.where(missing, test.inside[-1] == 1, true)
        total += member.steps[true.astype(int)]
    assert fits.bits(model._labels.decision(total)) == fits.bits(model.decision_function(X))


@pytest.mark.parametrize(
    "name", ["real", "uneven real", "cost and start", "many labels", "classes"]
)
def test_categories(name, data):
    """Permuted, weighted or repeated, one thread or two, in one frame or stacked."""
    X, y, extra = given(data, name)
    frame = pd.concat([fits.text(ROWS), pd.DataFrame(X).rename(columns=str)], axis=1)
    rng = np.random.default_rng(4)
    repeats = rng.integers(1, 4, ROWS)
    one = fits.make(name, n_estimators=ROUNDS).fit(frame, y, sample_weight=repeats, **extra)
    used = {member.hypothesis.test.column for member in one.model_.members}
    assert used & {0, 1}
    rows = rng.permutation(np.repeat(np.arange(ROWS), repeats))
    moved = {key: value[rows] for key, value in extra.items()}
    other = fits.make(name, n_estimators=ROUNDS).fit(frame.iloc[rows], y[rows], **moved)
    fits.assert_same(one, other, frame)
    polars = pl.DataFrame(
        {c: [None if v != v else v for v in frame[c].to_list()] for c in frame.columns}
    )
    other = fits.make(name, n_estimators=ROUNDS, n_jobs=2)
    other.fit(polars, y, sample_weight=repeats, **extra)
    fits.assert_same(one, other, frame, polars)
    stacked = Table.hstack([frame.iloc[:, :2], sp.csr_array(X)], names=list(frame.columns))
    other = fits.make(name, n_estimators=ROUNDS)
    other.fit(stacked, y, sample_weight=repeats, **extra)
    fits.assert_same(one, other, frame, stacked)
    new = frame.copy()
    new.loc[:20, "colour"] = "unseen"
    for form in (new, pl.from_pandas(new), new.astype({"colour": "category"})):
        *_, staged = one.staged_decision_function(form)
        assert fits.bits(staged) == fits.bits(one.decision_function(form))
        assert fits.bits(staged) == fits.bits(one.decision_function(new))


def in_a_fresh_process(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.estimators.fits", *arguments],
        env={**os.environ, **environment},
        cwd=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_with_and_without_the_compiler():
    interpreted = in_a_fresh_process("digests", NUMBA_DISABLE_JIT="1")
    compiled = in_a_fresh_process("digests", NUMBA_DISABLE_JIT="0")
    assert len(compiled) == 3 * len(fits.BOOSTERS)
    different = [case for case in compiled if compiled[case] != interpreted[case]]
    assert not different


def test_infinite_values_with_and_without_the_compiler():
    """Without a warning too: the tests of interpreted kernels would make it an error."""
    interpreted, compiled = (
        in_a_fresh_process("infinite", NUMBA_DISABLE_JIT=off) for off in ("1", "0")
    )
    assert interpreted == compiled
    assert len(compiled) == 2


def test_one_signature_per_kernel(tmp_path):
    """Read-only, int64-index and float32 data must not compile a kernel a second time.

    Without a cache, so that kernels which only other kernels call are seen too.
    """
    found = in_a_fresh_process("signatures", NUMBA_CACHE_DIR=str(tmp_path))
    assert sum(map(len, found.values())) > 20
    twice = {name: signatures for name, signatures in found.items() if len(signatures) > 1}
    assert not twice
