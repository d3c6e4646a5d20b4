"""Columns of a frame that are categories by their type, but identify the rows or are texts."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from underdog import AdaBoostClassifier, FrameEncoder, Table, UnderdogWarning

ROWS = 400
each_form = pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])


def frame(**columns):
    rng = np.random.default_rng(0)
    size = rng.normal(size=ROWS)
    y = (size + rng.normal(size=ROWS) > 0).astype(int)
    return {"size": size, **columns}, y


def numbered(levels, rows=ROWS):
    return [f"customer-{number % levels}" for number in range(rows)]


@each_form
def test_identifier(form):
    columns, y = frame(customer=numbered(ROWS))
    message = (
        "column 'customer' is used as categories, but has 400 different values in 400 rows: rules "
        "on it memorise single rows. If it identifies the rows, drop it. If it is text, use "
        r"make_pipeline\(FrameEncoder\(roles={'customer': 'text'}\), ...\), which splits it into "
        "words. To keep it, list all columns of categories in categorical_features"
    )
    with pytest.warns(UnderdogWarning, match=message) as caught:
        AdaBoostClassifier(n_estimators=2).fit(form(columns), y)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_what_the_warning_suggests():
    """Each of these fits without a warning, which would be an error here."""
    texts = [f"order {number} of {number % 7} boxes" for number in range(ROWS)]
    columns, y = frame(order=texts, town=numbered(5))
    X = pd.DataFrame(columns)
    model = AdaBoostClassifier(n_estimators=2)
    with pytest.warns(UnderdogWarning, match="'order' .* has 400 different values"):
        model.fit(X, y)
    model.fit(X.drop(columns="order"), y)
    make_pipeline(FrameEncoder(roles={"order": "text"}), model).fit(X, y)
    model.set_params(categorical_features=["order", "town"]).fit(X, y)


def test_type_category():
    columns, y = frame(customer=numbered(ROWS))
    X = pd.DataFrame(columns).astype({"customer": "category"})
    with pytest.warns(UnderdogWarning, match="400 different values in 400 rows"):
        AdaBoostClassifier(n_estimators=2).fit(X, y)


@pytest.mark.parametrize(("levels", "warns"), [(200, False), (201, True)])
def test_two_rows_per_value_are_enough(levels, warns):
    columns, y = frame(customer=numbered(levels))
    model = AdaBoostClassifier(n_estimators=2)
    if warns:
        with pytest.warns(UnderdogWarning, match="201 different values in 400 rows"):
            model.fit(pd.DataFrame(columns), y)
    else:
        model.fit(pd.DataFrame(columns), y)


@pytest.mark.parametrize("gap", [None, np.nan])
def test_missing_values_do_not_count(gap):
    cabins = [name if row % 4 else gap for row, name in enumerate(numbered(300))]
    columns, y = frame(cabin=cabins)
    with pytest.warns(UnderdogWarning, match="225 different values in 300 rows"):
        AdaBoostClassifier(n_estimators=2).fit(pd.DataFrame(columns), y)


def test_few_rows_may_differ_by_chance():
    X = pd.DataFrame({"town": list("abcdefghi"), "x": range(9)})
    AdaBoostClassifier(n_estimators=2).fit(X, [0, 1, 0, 1, 1, 0, 1, 0, 0])


def test_a_table_is_made_on_purpose():
    columns, y = frame(customer=numbered(ROWS))
    AdaBoostClassifier(n_estimators=2).fit(Table.from_data(pd.DataFrame(columns)), y)


def test_numbers_as_text_are_said_once():
    amounts = ["?" if row % 50 == 0 else str(row) for row in range(ROWS)]
    columns, y = frame(amount=amounts)
    with pytest.warns(UnderdogWarning, match="most of its values are numbers") as caught:
        AdaBoostClassifier(n_estimators=2).fit(pd.DataFrame(columns), y)
    assert len(caught) == 1
