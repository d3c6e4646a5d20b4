"""Rows are numbered from 0, and the text says so; a frame's index is told beside the number."""

import dataclasses
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline

from tests.inspection.explained import SPAM, TEXTS, forms, targets
from underdog import AdaBoostClassifier, TermVectorizer
from underdog.inspection import contributions, hardest
from underdog.inspection.numbering import RowNumbers

X, Y = forms()["frame"], targets()["two"]
MODEL = AdaBoostClassifier(n_estimators=5).fit(X, Y)
DATED = X.set_index(pd.date_range("2020-01-01", periods=len(X)))


def test_positions_are_enough_without_an_index():
    for rows in (X, pl.from_pandas(X)):
        why = contributions(MODEL, rows)
        assert why.text(3).startswith("row 3 (numbered from 0), score for 'yes':")
        assert why.to_dict(3)["row"] == 3
        assert "index" not in why.to_dict(3)
        assert "index" not in why.to_frame()


def test_an_index_is_told_beside_the_position():
    shuffled = X.sample(frac=1.0, random_state=0)
    why = contributions(MODEL, shuffled)
    label = int(shuffled.index[3])
    assert why.text(3).startswith(f"row 3 (numbered from 0, index {label}), score for 'yes':")
    read = json.loads(json.dumps(why.to_dict(3)))
    assert (read["row"], read["index"]) == (3, label)
    frame = why.to_frame(wide=True)
    assert frame["index"].tolist() == shuffled.index.tolist()
    np.testing.assert_array_equal(
        frame["(score)"], contributions(MODEL, X).scores[shuffled.index, 0]
    )


@pytest.mark.parametrize(
    "index",
    [DATED.index, pd.MultiIndex.from_arrays([np.arange(80), list("ab") * 40])],
    ids=["dates", "pairs"],
)
def test_any_index_can_be_written(index):
    rows = X.set_index(index)
    why = contributions(MODEL, rows)
    assert f"index {rows.index[2]})" in why.text(2)
    assert json.loads(json.dumps(why.to_dict(2)))["index"] == str(rows.index[2])
    assert why.to_frame(backend="polars")["index"][0] == str(rows.index[0])


def test_hard_examples_have_both():
    shuffled = X.sample(frac=1.0, random_state=0)
    found = hardest(MODEL, shuffled, Y[shuffled.index], 4)
    _, head, names, *lines = found.text().splitlines()
    assert head.endswith("; rows are numbered from 0):")
    assert names.split()[:2] == ["row", "index"]
    for line, row in zip(lines, found.rows, strict=True):
        assert line.split()[:2] == [str(row), str(shuffled.index[row])]
    frame = found.to_frame()
    assert frame["index"].tolist() == shuffled.index[found.rows].tolist()
    written = json.loads(json.dumps(found.to_dict()))["examples"]
    assert [example["index"] for example in written] == frame["index"].tolist()
    plain = hardest(MODEL, X, Y, 4)
    assert "index" not in plain.text()
    assert "index" not in plain.to_dict()["examples"][0]


def test_a_series_of_texts_has_an_index_too():
    texts = pd.Series(TEXTS, index=list("abcdef"))
    model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=3)).fit(texts, SPAM)
    assert contributions(model, texts).text(1).startswith("row 1 (numbered from 0, index b), ")
    assert contributions(model, TEXTS).text(1).startswith("row 1 (numbered from 0), ")


def test_other_numbers():
    """As those of a file, which begin at 1."""
    why = contributions(MODEL, X[10:12])
    moved = dataclasses.replace(why, numbering=RowNumbers(first=1, numbers=[11, 12]))
    assert moved.text(0).startswith("row 11 (numbered from 1), score for")
    assert moved.to_dict(1)["row"] == 12
    assert RowNumbers(first=1).number(4) == 5
