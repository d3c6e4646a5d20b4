"""All rules about a column as one, the strongest first."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.tree import DecisionTreeClassifier

from underdog import AdaBoostClassifier, AdaBoostMHClassifier


def clinic():
    """Age matters up and down, the ward too, and both have holes."""
    rng = np.random.default_rng(0)
    age = rng.integers(20, 80, 200).astype(float)
    ward = rng.choice(["A", "B", "C"], 200).astype(object)
    y = np.where((age > 40) & (age <= 60) | (ward == "C"), "ill", "well")
    age[::10], ward[::7] = np.nan, None
    return pd.DataFrame({"age": age, "ward": ward}), y


def test_a_column_is_one_entry():
    X, y = clinic()
    model = AdaBoostClassifier(n_estimators=30, pos_label="ill").fit(X, y)
    head, start, *lines = model.describe(merged=True).splitlines()
    assert head == model.describe().splitlines()[0]
    assert start == "baseline +0.000"
    assert [line.split()[1] for line in lines if line[4:5] == "."] == ["ward", "age"]
    ward, age = (entry(lines, column) for column in ("ward", "age"))
    assert set(ward) == {"A", "B", "C", "missing or new"}
    for row, place in (
        ((30.0, "A"), "20.5 to 40.5"),
        ((50.0, "B"), "40.5 to 60.5"),
        ((79.0, "C"), "> 76.5"),
        ((np.nan, None), "missing"),
    ):
        told = age[place] + ward[row[1] or "missing or new"]
        frame = pd.DataFrame([row], columns=X.columns).astype(X.dtypes)
        score = -model.decision_function(frame)[0]  # the positive class is the first
        assert told == pytest.approx(score, abs=0.002)


def entry(lines, column):
    """What the text says about one column: words -> what they add."""
    text = " ".join(line.strip() for line in lines)
    text = text.split(f". {column} ", 1)[1].split(" 2. ")[0]
    pieces = [piece.rsplit(None, 1) for piece in text.split(";")]
    return {words.strip(): float(number) for words, number in pieces}


def test_a_word_that_is_absent_is_part_of_the_start():
    X = sp.csr_array(np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]], dtype=float))
    model = AdaBoostClassifier(n_estimators=9).fit(X, [1, 1, 0, 0, 0, 0])
    names = {"feature_names": ["free", "home"]}
    _, start, *entries = model.describe(merged=True, **names).splitlines()
    empty, free, home = model.decision_function(sp.csr_array([[0.0, 0], [1, 0], [0, 1]]))
    assert start == f"baseline {empty:+.3f}"
    assert entries == [
        f"   1. free  present {free - empty:+.3f}",
        f"   2. home  present {home - empty:+.3f}",
    ]
    assert model.describe(1, merged=True, **names).splitlines()[-1] == "      ... and 1 more"


def test_labels():
    X, _ = clinic()
    Y = np.column_stack([X["age"] > 40, X["ward"] == "C", X["ward"] == "A"]).astype(int)
    names = {"label_names": ["old", "third", "first"]}
    model = AdaBoostMHClassifier(n_estimators=12).fit(X, Y)
    together = model.describe(merged=True, **names).splitlines()
    assert [line.split()[1] for line in together if line[4:5] == "."] == ["ward", "age"]
    age = together.index("   2. age")
    assert together[age + 1].startswith("          old:   <= ")
    apart = model.describe(merged=True, by_label=True, **names).splitlines()
    heads = [line.split(":")[0] for line in apart[1:] if not line.startswith(" ")]
    assert heads == ["old", "third", "first"]
    third = apart[apart.index(next(line for line in apart if line.startswith("third"))) + 1]
    assert third.split()[0] == "ward"
    binary = AdaBoostClassifier(n_estimators=3).fit(X, Y[:, 0])
    assert binary.describe(merged=True, by_label=True).splitlines()[1] == "score: baseline +0.000"
    short = model.describe(1, merged=True, by_label=True, **names)
    assert "    ... and 1 more" in short.splitlines()


def test_steps_of_the_same_height_are_one():
    """A label for which nothing changes at a cut does not show the cut."""
    X = np.arange(30.0).reshape(-1, 1)
    Y = np.column_stack([X[:, 0] > 9, X[:, 0] > 19]).astype(int)
    model = AdaBoostMHClassifier(n_estimators=2, learner="discrete").fit(X, Y)
    text = model.describe(merged=True)
    assert "<= 9.5" in text or "<= 19.5" in text
    for line in text.splitlines()[3:]:
        numbers = [piece.split()[-1] for piece in line.split(":")[-1].split(";")]
        assert all(a != b for a, b in itertools.pairwise(numbers))


def test_long_entries_are_broken_between_steps():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 1)).round(3)
    y = np.sin(6 * X[:, 0]) + rng.normal(size=300) > 0
    text = AdaBoostClassifier(n_estimators=60).fit(X, y).describe(merged=True)
    lines = text.splitlines()[2:]
    assert len(lines) > 3
    assert max(map(len, lines)) <= 101
    assert all(line.endswith(";") for line in lines[:-1])


def test_many_levels_of_the_same_value():
    levels = [f"town {number:02d}" for number in range(30)]
    X = pd.DataFrame({"town": levels * 4})
    y = np.array([number < 12 for number in range(30)] * 4)
    text = AdaBoostClassifier(n_estimators=1).fit(X, y).describe(merged=True)
    assert "town 07 and 4 more +" in text
    assert "town 19 and 10 more -" in text


def test_rules_about_several_columns_stand_for_themselves():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    learner = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = AdaBoostClassifier(learner=learner, n_estimators=3).fit(X, y)
    lines = model.describe(merged=True).splitlines()[2:]
    sizes = [abs(float(line.split("yes ")[1].split(";")[0])) for line in lines]
    assert len(sizes) == 3
    assert sizes == sorted(sizes, reverse=True)


def test_large_numbers_are_told_apart():
    """Dates as numbers, by rule, by label and by column."""
    values = 20200101 + np.arange(200.0)
    y = np.isin(np.arange(200) // 25, [1, 2, 5])
    model = AdaBoostClassifier(n_estimators=5).fit(values[:, np.newaxis], y)
    cuts = {member.hypothesis.test.threshold for member in model.model_.members}
    for text in (model.describe(), model.describe(by_label=True), model.describe(merged=True)):
        assert all(f"{cut:.10g}" in text for cut in cuts)


def test_rules_that_read_the_same_are_not_one():
    X, y = np.arange(60.0)[:, np.newaxis], np.tile([0, 0, 1], 20)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = AdaBoostClassifier(learner=tree, n_estimators=3).fit(X, y)
    assert model.describe(by_label=True).count("if DecisionTreeClassifier") == 3


@pytest.mark.parametrize("most", ["x", -1, 2.0])
def test_how_many_to_show_is_a_whole_number(most):
    model = AdaBoostClassifier(n_estimators=3).fit(*clinic())
    with pytest.raises(
        ValueError, match=f"max_display={most!r} must be a whole number, at least 0"
    ):
        model.describe(most)
