"""Contributions of columns in models with trees: the credit of the splits on each row's path."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from tests.files.models import FORMS, categorical, classes, labels, numbers, texts, two_classes
from tests.model.hand_made_trees import codes_of, with_trees
from underdog import (
    AdaBoostClassifier,
    AdaBoostMHClassifier,
    ContributionDisplay,
    GradientBoostingClassifier,
    LogitBoostClassifier,
    LPBoostClassifier,
    TermVectorizer,
    load,
)
from underdog.core import with_coefficients
from underdog.estimators.support.inputs import prediction_table
from underdog.hypotheses import REST
from underdog.inspection import contributions
from underdog.learners import TreeLearner
from underdog.model import Ensemble

X = numbers()
TARGETS = {"two classes": two_classes, "classes": classes, "labels": labels}


def fitted(form, target):
    rows = FORMS[form](X)
    model = GradientBoostingClassifier(n_estimators=8, max_bins=8, **categorical(form))
    return model.fit(rows, TARGETS[target](X)), rows


def ways_of(tree):
    """(path, block, weight) for every end of a tree whose rest is the other side of its tests."""
    weights = np.ones(len(tree.leaves)) if tree.examples is None else tree.examples
    known = [(leaf, b) for b, leaf in enumerate(tree.leaves) if leaf != REST]
    ends = [(path, b, weights[b]) for path, b in known]
    if tree.rest is not None:
        starts = {path[:d] for path, _ in known for d in range(len(path) + 1)}
        sides = {(*start[:-1], (start[-1][0], 1 - start[-1][1])) for start in starts if start}
        others = [side for side in sides if side not in starts]
        own = weights[tree.rest] / len(others) if tree.examples is not None else 1.0
        ends += [(path, tree.rest, own) for path in others]
    return ends


def by_path(ensemble, table):
    """(base, credits) of all columns: Saabas' attribution as it is defined."""
    base = ensemble.start.copy()
    out = np.zeros((len(table), ensemble.schema.n_columns, ensemble.n_labels))
    codes = {c: codes_of(table, ensemble.schema, c) for c in range(ensemble.schema.n_columns)}
    for member in ensemble.members:
        ends = ways_of(Keyed(member.hypothesis))
        steps = member.steps

        def expected(start, ends=ends, steps=steps):
            below = [(b, w) for path, b, w in ends if path[: len(start)] == start]
            return np.average(steps[[b for b, _ in below]], axis=0, weights=[w for _, w in below])

        base += expected(())
        for path, _, _ in ends:
            inside = np.ones(len(table), dtype=bool)
            for key, said in path:
                column, flags = key
                inside &= np.frombuffer(flags, np.uint8)[codes[column]] == said
            for depth, ((column, _), _) in enumerate(path, start=1):
                out[inside, column] += expected(path[:depth]) - expected(path[: depth - 1])
    return base, out


class Keyed:
    """A tree whose tests can be compared."""

    def __init__(self, tree):
        self.leaves = tuple(
            leaf
            if isinstance(leaf, str)
            else tuple(((test.column, test.inside.tobytes()), said) for test, said in leaf)
            for leaf in tree.leaves
        )
        self.rest, self.examples = tree.rest, tree.examples


def assert_credits(model, rows):
    found = contributions(model, rows)
    np.testing.assert_array_equal(found.decision, model.decision_function(rows))  # bit for bit
    base, expected = by_path(model.model_, prediction_table(model, rows))
    columns = [part.column for part in found._parts]
    np.testing.assert_allclose(found.base, base, atol=1e-8)
    np.testing.assert_allclose(found.values, expected[:, columns], atol=1e-8)
    assert np.abs(expected).sum() > 0.1
    assert not np.delete(expected, columns, axis=1).any()
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("form", FORMS)
def test_credits_are_those_of_the_definition_and_add_up(form, target):
    assert_credits(*fitted(form, target))


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("target", [two_classes, labels])
def test_trees_among_stumps_constants_and_rules_that_abstain(target, counted):
    made = AdaBoostClassifier if target is two_classes else AdaBoostMHClassifier
    rows = FORMS["categories"](X)
    model = with_trees(
        made(n_estimators=6, max_bins=8, **categorical("categories")).fit(rows, target(X))
    )
    if counted:
        before = model.model_
        rules = [
            type(one.hypothesis)(
                one.hypothesis.leaves, one.hypothesis.values, np.arange(len(one.steps)) * 3 + 1
            )
            for one in before.members
        ]
        coefficients = np.array([one.coefficient for one in before.members])
        members = with_coefficients(rules, coefficients)
        model.model_ = Ensemble(members, before.schema, before.n_labels)
    assert_credits(model, rows)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=5, learner="tree"),
        AdaBoostClassifier(n_estimators=5, learner=TreeLearner(max_depth=None, max_leaf_nodes=9)),
        LogitBoostClassifier(n_estimators=5, learner="tree"),
        LPBoostClassifier(n_estimators=5, nu=0.4, learner="tree"),
    ],
    ids=repr,
)
def test_every_booster_of_trees(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # LPBoost is not done after so few rounds
        model.fit(X, two_classes(X))
    assert_credits(model, X)


def test_rows_with_values_that_were_never_missing_and_new_levels():
    rows = FORMS["categories"](X)
    model, _ = fitted("categories", "two classes")
    rows = rows.copy()
    rows.loc[::2, "c0"] = np.nan
    rows.loc[::3, "town"] = "Rom"
    found = assert_credits(model, rows)
    words = {found.words(0, u) for u in range(len(found.names))}
    assert "c0 is missing" in words
    assert "town is missing or new" in words


def test_all_leaves_count_the_same_in_models_without_examples():
    model, rows = fitted("dense", "two classes")
    before = model.model_
    rules = [type(one.hypothesis)(one.hypothesis.leaves, one.hypothesis.values)
             for one in before.members]  # fmt: skip
    members = [
        one._replace(hypothesis=rule) for one, rule in zip(before.members, rules, strict=True)
    ]
    with_counts = contributions(model, rows)
    model.model_ = Ensemble(members, before.schema, 1, start=before.start)
    without = assert_credits(model, rows)
    assert np.abs(without.base - with_counts.base).max() > 0.01


def test_the_base_is_the_mean_score_of_the_training_data():
    """Of equal leaves and examples: the mean over all training examples."""
    repeats = np.arange(len(X)) % 3 + 1
    model = GradientBoostingClassifier(n_estimators=8)
    model.fit(X, two_classes(X), sample_weight=repeats)
    mean = np.average(model.decision_function(X), weights=repeats)
    assert contributions(model, X).base[0] == pytest.approx(mean, abs=1e-8)


def test_words_of_texts():
    documents, subject = texts()
    rng = np.random.default_rng(0)
    subject = np.where(rng.random(len(subject)) < 0.2, "wheat", subject)
    model = make_pipeline(TermVectorizer(), GradientBoostingClassifier(n_estimators=4))
    model.fit(documents, subject)
    found = contributions(model, documents)
    np.testing.assert_array_equal(found.decision, model.decision_function(documents))
    said = {found.words(i, u) for i in range(len(found)) for u in range(len(found.names))}
    assert {words.rsplit(" ", 1)[1] for words in said} == {"present", "absent"}


def test_dense_and_sparse_rows_have_the_same_credits():
    full = np.nan_to_num(X)
    model = GradientBoostingClassifier(n_estimators=8).fit(full, classes(X))
    dense, sparse = contributions(model, full), contributions(model, sp.csr_array(full))
    np.testing.assert_array_equal(dense.values, sparse.values)
    np.testing.assert_array_equal(dense.base, sparse.base)


def test_a_file_keeps_the_examples(tmp_path):
    model, rows = fitted("categories", "classes")
    model.save(tmp_path / "model.udg")
    found, again = contributions(model, rows), contributions(load(tmp_path / "model.udg"), rows)
    np.testing.assert_array_equal(found.values, again.values)
    np.testing.assert_array_equal(found.base, again.base)


def test_texts_frames_and_pictures():
    model, rows = fitted("categories", "classes")
    found = contributions(model, rows)
    assert found.by == "column"
    assert "baseline" in found.text(0)
    wide = found.to_frame(wide=True)
    assert isinstance(wide, pd.DataFrame)
    parts = wide.drop(columns=["row", "label", "(score)"]).sum(axis=1)
    np.testing.assert_allclose(parts, wide["(score)"], atol=1e-12)
    display = ContributionDisplay.from_estimator(model, rows, row=3)
    assert display.bars_[-1].get_width() == pytest.approx(found.scores[3].max())


def test_rules_of_another_library_have_no_columns():
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = AdaBoostClassifier(n_estimators=2, learner=learner).fit(X[:, :2], two_classes(X))
    with pytest.raises(ValueError, match=r"of another library.*by='rule'"):
        contributions(model, X[:, :2])
