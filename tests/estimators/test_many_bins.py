"""More bins than a byte can number: the same promises, and every gap may be cut."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.metrics import accuracy_score

import underdog.workers
from tests.estimators import fits
from tests.estimators.fits import given
from tests.estimators.small import assert_same_optimum, rules
from tests.files.damage import NOWHERE
from tests.twins import boosters as twin
from underdog import AdaBoostClassifier, LPBoostClassifier, Table, load
from underdog.core.counts import Counts
from underdog.data import EncodedRows
from underdog.data.storage import SparseBlock
from underdog.files import BadFile
from underdog.files.container import pack, unpack
from underdog.files.store import from_bytes, to_bytes

ROWS, ROUNDS = 1_500, 20
NAMES = ("real", "discrete", "uneven disc.u", "cost and start", "many labels", "classes")
EVERY = pytest.mark.parametrize("name", NAMES)
BINS = pytest.mark.parametrize("bins", [1_000, 65_535])
DENSE_OR_SPARSE = pytest.mark.parametrize("make", [np.asarray, sp.csr_array])


def numbers(rows=ROWS, seed=0):
    """Nothing missing; missing; many zeros and infinite values; few values."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 5))
    X[rng.random(rows) < 0.1, 1] = np.nan
    X[:, 2] = np.where(rng.random(rows) < 0.3, 0.0, X[:, 2])
    X[:4, 2] = -np.inf, np.inf, -np.inf, np.inf
    X[:, 3] = np.rint(X[:, 3] * 2) / 4
    return X


def unseen(X):
    """New values between, beyond and at the old ones; missing in every column."""
    rng = np.random.default_rng(5)
    Z = np.vstack([X, numbers(500, seed=6) * 1.5])
    Z[rng.random(Z.shape) < 0.05] = np.nan
    Z[rng.random(Z.shape) < 0.02] = np.inf
    Z[rng.random(Z.shape) < 0.02] = -np.inf
    return Z


@pytest.fixture(scope="module")
def data():
    """X, and targets that do not depend on which values are infinite."""
    X = numbers()
    known = np.clip(X, -3.0, 3.0)
    return X, fits.targets(known)


@pytest.fixture(scope="module")
def plain(data):
    """(name, bins) -> the model that all others must equal, fitted once."""

    @cache
    def fitted(name, bins):
        return fits.fit(name, *given(data, name), n_estimators=ROUNDS, max_bins=bins, n_jobs=1)

    return fitted


@EVERY
@BINS
def test_columns_with_many_bins_are_used(name, bins, data, plain):
    model = plain(name, bins)
    found = model.model_.schema.bins
    different = [len(np.unique(column[~np.isnan(column)])) for column in data[0].T]
    if bins == 65_535:
        assert found.tolist() == different
    assert found[[0, 1]].tolist() == [min(bins, count) for count in different[:2]]
    assert isinstance(
        EncodedRows(Table.from_data(data[0]), model.model_.schema).blocks[-1], SparseBlock
    )
    asked = [member.hypothesis.test.column for member in model.model_.members]
    assert len(asked) == ROUNDS
    assert sum(int(found[column]) > 255 for column in asked) >= ROUNDS // 2


@EVERY
@BINS
@pytest.mark.parametrize("form", ["csr", "csc", "mixed", "mixed another way", "frame", "columns"])
def test_sparse_and_dense_form(name, bins, form, data, plain):
    X, y, extra = given(data, name)
    other_X = {
        "csr": lambda: sp.csr_array(X),
        "csc": lambda: sp.csc_matrix(X),
        "mixed": lambda: Table.hstack([X[:, :2], sp.csr_array(X[:, 2:])]),
        "mixed another way": lambda: Table.hstack([sp.csr_array(X[:, :2]), X[:, 2:]]),
        "frame": lambda: pd.DataFrame(X),
        "columns": lambda: np.asfortranarray(X),
    }[form]()
    other = fits.fit(name, other_X, y, extra, n_estimators=ROUNDS, max_bins=bins)
    fits.assert_same(plain(name, bins), other, X, other_X)


@EVERY
@BINS
def test_rows_in_another_order(name, bins, data, plain):
    X, y, extra = given(data, name)
    order = np.random.default_rng(1).permutation(ROWS)
    other = fits.fit(name, X, y, extra, order, n_estimators=ROUNDS, max_bins=bins)
    fits.assert_same(plain(name, bins), other, X)


@EVERY
@BINS
@DENSE_OR_SPARSE
def test_integer_weights_or_repeated_rows(name, bins, make, data):
    X, y, extra = given(data, name)
    repeats = np.random.default_rng(2).integers(0, 4, ROWS)
    weighted = fits.make(name, n_estimators=ROUNDS, max_bins=bins)
    weighted.fit(make(X), y, sample_weight=repeats, **extra)
    rows = np.repeat(np.arange(ROWS), repeats)
    repeated = fits.fit(name, make(X), y, extra, rows, n_estimators=ROUNDS, max_bins=bins)
    fits.assert_same(weighted, repeated, X)


@EVERY
@BINS
@DENSE_OR_SPARSE
def test_threads_and_recounted_tallies(name, bins, make, data, plain, monkeypatch):
    X, y, extra = given(data, name)
    monkeypatch.setattr(underdog.workers, "MIN_WORK", 1)
    other = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS, max_bins=bins, n_jobs=2)
    fits.assert_same(plain(name, bins), other, X)
    update = Counts.update

    def count_anew(self):
        self._version = -2
        return update(self)

    monkeypatch.setattr(Counts, "update", count_anew)
    other = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS, max_bins=bins)
    fits.assert_same(plain(name, bins), other, X)


@EVERY
@DENSE_OR_SPARSE
def test_warm_start(name, make, data, plain):
    """In two halves, of which the second has another form of the data, and asks for other bins."""
    X, y, extra = given(data, name)
    model = fits.fit(
        name, make(X), y, extra, n_estimators=ROUNDS // 2, max_bins=65_535, warm_start=True
    )
    other = sp.csr_array(X) if make is np.asarray else X
    model.set_params(n_estimators=ROUNDS, max_bins=255).fit(other, y, **extra)
    fits.assert_same(plain(name, 65_535), model, X)


def test_warm_start_with_values_that_were_never_missing(data):
    X, y, _ = given(data, "real")
    other = X.copy()
    other[::7, 0] = np.nan
    assert not np.isnan(X[:, 0]).any()
    models = []
    for make in (np.asarray, sp.csr_array):
        model = AdaBoostClassifier(n_estimators=5, max_bins=65_535, warm_start=True)
        model.fit(make(X), y)
        models.append(model.set_params(n_estimators=15).fit(make(other), y))
    fits.assert_same(*models, unseen(X))
    tests = [member.hypothesis.test for member in models[0].model_.members[5:]]
    assert {int(test.inside[-1]) for test in tests if test.column == 0} == {0, 1}


@EVERY
@BINS
def test_staged_sums_equal_compiled_predictions(name, bins, data, plain):
    model, Z = plain(name, bins), unseen(data[0])
    wanted = fits.bits(model.decision_function(Z))
    mixed = Table.hstack([Z[:, :2], sp.csr_array(Z[:, 2:])])
    for form in (Z, np.asfortranarray(Z), sp.csr_array(Z), mixed):
        *_, staged = model.staged_decision_function(form)
        assert fits.bits(staged) == wanted
        assert fits.bits(model.decision_function(form)) == wanted


@BINS
def test_missing_only_at_prediction_goes_with_the_majority(bins, data, plain):
    X, model = data[0], plain("real", bins)
    for member in model.model_.members:
        test = member.hypothesis.test
        if test.column in (0, 4):  # where nothing is missing
            above = np.count_nonzero(X[:, test.column] > test.threshold)
            assert bool(test.inside[-1]) == (above > ROWS - above)


@BINS
@DENSE_OR_SPARSE
def test_validation_data(bins, make, data):
    X, y, _ = given(data, "real")
    Z = unseen(X)
    y_val = np.where(np.nan_to_num(Z[:, 0]) > 0.2, "yes", "no")
    model = AdaBoostClassifier(n_estimators=ROUNDS, max_bins=bins, scoring="accuracy")
    model.fit(make(X), y, X_val=make(Z), y_val=y_val)
    wanted = [accuracy_score(y_val, found) for found in model.staged_predict(Z)]
    assert model.history_["validation_score"].tolist() == wanted
    assert len(set(wanted)) > 3


@pytest.mark.parametrize("cv", [None, 3])
def test_early_stopping(cv, data):
    X, y, _ = given(data, "real")
    models = []
    for form in (X, sp.csr_array(X)):
        model = AdaBoostClassifier(
            n_estimators=60, max_bins=1_000, early_stopping=True, cv=cv, n_iter_no_change=5
        )
        models.append(model.fit(form, y))
    fits.assert_same(*models, X)
    assert models[0].n_iter_ < 60
    assert models[0].model_.schema.bins[0] == 1_000


@EVERY
@BINS
def test_files(name, bins, data, plain, tmp_path):
    model, Z = plain(name, bins), unseen(data[0])
    model.save(tmp_path / "model.udg")
    back = load(tmp_path / "model.udg")
    fits.assert_same(model, back, Z)
    X, y, extra = given(data, name)
    back.set_params(n_estimators=ROUNDS + 3, warm_start=True).fit(X, y, **extra)
    whole = fits.fit(name, X, y, extra, n_estimators=ROUNDS + 3, max_bins=bins)
    fits.assert_same(whole, back, Z)


def test_a_file_with_too_many_cuts_is_refused():
    X = np.arange(65_535.0)[:, np.newaxis]
    y = (X[:, 0] % 1_000 < 300).astype(int)
    model = AdaBoostClassifier(n_estimators=2, max_bins=65_535).fit(X, y)
    data, _ = to_bytes(model)
    assert len(from_bytes(data, NOWHERE).model_.schema.cuts) == 65_534
    header, arrays = unpack(NOWHERE, data)
    arrays["model.schema.cuts"] = np.append(arrays["model.schema.cuts"], 1e9)
    arrays["model.schema.cut_pointers"][-1] += 1
    inside = arrays["model.inside"].reshape(2, -1)
    arrays["model.inside"] = np.insert(inside, -1, 1, axis=1).ravel()
    with pytest.raises(BadFile, match="cuts of Schema are too many for a column"):
        from_bytes(pack(header, arrays), NOWHERE)


@EVERY
@DENSE_OR_SPARSE
@pytest.mark.parametrize("distinct", [254, 255])
def test_the_model_of_255_bins_where_there_are_no_more_values(name, make, distinct):
    rng = np.random.default_rng(3)
    X = rng.integers(0, distinct, (ROWS, 4)).astype(float) - 100
    X[:distinct] = np.arange(distinct)[:, np.newaxis] - 100
    X[rng.random(ROWS) < 0.1, 1] = np.nan
    y, extra = fits.targets(X / 100)[fits.BOOSTERS[name][2]]
    wanted = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS)
    for bins in (256, 65_535):
        other = fits.fit(name, make(X), y, extra, n_estimators=ROUNDS, max_bins=bins)
        fits.assert_same(wanted, other, unseen(np.hstack([X, X[:, :1]]))[:, :4])


@pytest.mark.parametrize("learner", ["real", "discrete"])
@DENSE_OR_SPARSE
def test_cuts_are_those_of_a_search_over_all_gaps(learner, make):
    """One column of 2,000 different values, of which no 255 cuts would do."""
    rng = np.random.default_rng(8)
    values = np.sort(rng.normal(size=2_000))
    y = np.where((np.sin(6 * values) + rng.normal(size=2_000)) > 0.3, 1, -1)
    X = values[:, np.newaxis]
    _, records = twin.adaboost(X, y, learner=learner, rounds=15)
    wanted = [record["stump"].threshold for record in records]
    for bins in (2_000, 2_001, 65_535):
        model = AdaBoostClassifier(learner=learner, n_estimators=15, max_bins=bins).fit(make(X), y)
        np.testing.assert_allclose([asked[1] for asked, _ in rules(model)], wanted, rtol=1e-14)
        np.testing.assert_allclose(model.history_["z"], [r["z"] for r in records], rtol=1e-9)
    coarse = AdaBoostClassifier(learner=learner, n_estimators=15).fit(make(X), y)
    assert coarse.model_.schema.bins.tolist() == [255]
    assert [asked[1] for asked, _ in rules(coarse)] != wanted


@pytest.mark.filterwarnings("ignore::underdog.NotConverged")
def test_coefficients_that_are_found_anew(data):
    """Ties are decided by keys of rows, which the form of storage must not change."""
    X, y, _ = given(data, "real")
    X, y = np.vstack([X[:400], X[:20]]), np.append(y[:400], y[:20])
    models = [
        LPBoostClassifier(n_estimators=15, nu=0.4, max_bins=bins).fit(form, y)
        for bins in (400, 65_535)
        for form in (X, sp.csr_array(X))
    ]
    assert models[0].model_.schema.bins.max() > 255
    for other in models[1:]:
        assert_same_optimum(models[0], other)
