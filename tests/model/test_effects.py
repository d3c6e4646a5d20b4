"""Partial dependence from the rows that reach leaves is that of predicting cell by cell."""

import numpy as np
import pytest

from tests.files.models import categorical, classes, frame, labels, numbers, two_classes
from tests.model.hand_made_trees import with_trees
from underdog import AdaBoostClassifier, GradientBoostingClassifier
from underdog.estimators.support.inputs import prediction_table
from underdog.model.effects import Effects
from underdog.workers import Workers

ROWS = frame(numbers())


def fitted(target):
    model = GradientBoostingClassifier(n_estimators=8, max_bins=6, **categorical("categories"))
    return model.fit(ROWS, target(numbers()))


def effects_of(model, rows, workers):
    ensemble = model.model_
    table = prediction_table(model, rows)
    return Effects(ensemble.attributions, ensemble.start, table, workers)


def values_of(schema, column):
    """A value in every bin of a column, the last one missing."""
    if column in schema.categories:
        return [*schema.categories[column], None]
    cuts = schema.cuts_of(column)
    return [*cuts, cuts[-1] + 1.0, np.nan] if len(cuts) else [0.0, np.nan]


def brute_force(model, rows, columns):
    """The mean score with each combination of values, by predicting it."""
    schema = model.model_.schema
    shape = [int(schema.bins[column]) + 1 for column in columns]
    out = np.empty((*shape, model.model_.n_labels))
    for cell in np.ndindex(*shape):
        changed = rows.copy()
        for column, place in zip(columns, cell, strict=True):
            value = values_of(schema, column)[place]
            changed[rows.columns[column]] = [value] * len(rows)
            changed = changed.astype({rows.columns[column]: rows.dtypes.iloc[column]})
        with Workers(1) as workers:
            table = prediction_table(model, changed)
            out[cell] = model.model_.scores(table, workers).mean(axis=0)
    return out


@pytest.mark.parametrize("columns", [(0,), (2,), (6,), (0, 2), (7, 0), (6, 7), (3, 5)], ids=str)
@pytest.mark.parametrize("target", [two_classes, classes, labels])
def test_mean_scores_are_those_of_changed_rows(target, columns):
    model = fitted(target)
    with Workers(2) as workers:
        found = effects_of(model, ROWS[:20], workers).mean_scores(columns)
    np.testing.assert_allclose(found, brute_force(model, ROWS[:20], columns), atol=1e-9)


def test_rules_that_abstain_and_constants():
    booster = AdaBoostClassifier(n_estimators=6, max_bins=6, **categorical("categories"))
    model = with_trees(booster.fit(ROWS, two_classes(numbers())))
    for columns in ((6,), (6, 7), (0, 6)):
        with Workers(1) as workers:
            found = effects_of(model, ROWS, workers).mean_scores(columns)
        expected = brute_force(model, ROWS, columns)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert np.ptp(expected) > 0.01


def test_without_columns_it_is_the_mean_score():
    model = fitted(two_classes)
    with Workers(1) as workers:
        found = effects_of(model, ROWS, workers).mean_scores(())
    np.testing.assert_allclose(found, model.decision_function(ROWS).mean(), atol=1e-9)


@pytest.mark.parametrize("target", [two_classes, classes])
def test_interactions_are_what_is_left_of_the_joint_effect(target):
    """Of all trees: those that do not ask about both columns add nothing."""
    model = fitted(target)
    mean = brute_force(model, ROWS, ())
    with Workers(1) as workers:
        effects = effects_of(model, ROWS, workers)
        for pair in model.model_.attributions.pairs()[:6]:
            first, second = pair.columns
            a, b = effects.bins(first), effects.bins(second)
            joint = brute_force(model, ROWS, pair.columns)[a, b]
            alone = brute_force(model, ROWS, (first,))[a] + brute_force(model, ROWS, (second,))[b]
            expected = np.abs(joint - alone + mean).mean(axis=0)
            found = effects.interaction(pair.columns, np.array(sorted(pair.trees)))
            np.testing.assert_allclose(found, expected, atol=1e-9)
            assert expected.max() > 1e-4
