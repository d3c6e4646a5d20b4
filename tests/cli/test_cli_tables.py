"""Tables for the width of a terminal."""

import io

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from underdog import AdaBoostClassifier
from underdog.cli.model_tables import columns_tables, rules_tables, steps_of
from underdog.cli.tables import confusion_table, stacked, table
from underdog.inspection import rules, shapes


def shown(*parts, width=80):
    console = Console(file=io.StringIO(), width=width, markup=False, highlight=False)
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]
    assert max(map(len, lines)) <= width
    return lines


def test_texts_are_broken_and_numbers_are_not():
    rows = [["a text that is too long for the width that there is", "+1.000", "-1.000"]]
    lines = shown(table(["rule", "if true", "if false"], rows), width=40)
    assert lines[0].split() == ["rule", "if", "true", "if", "false"]
    assert lines[1].endswith("+1.000    -1.000")
    assert len(lines) > 2


def test_a_broken_text_keeps_its_indent():
    rows = [["a > 1", ""], ["    colour in {red, green, blue}", "+1.000"]]
    assert shown(table(["rule", "adds"], rows), width=28) == [
        "rule                    adds",
        "a > 1",
        "    colour in {red,   +1.000",
        "        green, blue}",
    ]


def test_columns_that_do_not_fit_go_below():
    head, rows = ["model", "one measure", "two", "three"], [["x", "1.00", "2.00", "3.00"]]
    assert shown(*stacked(head, rows, 80)) == [
        "model  one measure   two  three",
        "x             1.00  2.00   3.00",
    ]
    assert shown(*stacked(head, rows, 24), width=24) == [
        "model  one measure   two",
        "x             1.00  2.00",
        "model  three",
        "x       3.00",
    ]
    assert len(stacked(head, rows, 1)) == 3


def test_a_confusion_matrix():
    assert shown(confusion_table(["ham", "spam"], [[4827, 0], [84, 663]], 80)) == [
        "        ham  spam",
        "ham   4,827     0",
        "spam     84   663",
    ]


def test_predicted_classes_have_numbers_where_names_are_too_long():
    names = [f"a class with the long name {name}" for name in "pqr"]
    assert shown(confusion_table(names, np.eye(3, dtype=int).tolist(), 60), width=60) == [
        "                                 1  2  3",
        *(
            f"{n + 1}  {name}  {'  '.join('1' if n == c else '0' for c in range(3))}"
            for n, name in enumerate(names)
        ),
    ]


@pytest.fixture
def three_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(["p", "q", "r"], 30)
    X = rng.normal(size=(90, 3)) + np.searchsorted(["p", "q", "r"], y)[:, None]
    return AdaBoostClassifier(n_estimators=6).fit(X, y)


def test_a_row_for_each_class_in_a_fixed_order(three_classes):
    lines = shown(*rules_tables(rules(three_classes), 2))
    assert lines[0].split() == ["rule", "class", "if", "true", "if", "false"]
    assert [line.split()[-3] for line in lines[1:-1]] == ["p", "q", "r"] * 2
    assert lines[-1] == "... and 4 more (--max-display shows them)"


def test_an_interval_on_each_line(three_classes):
    found = shapes(three_classes)
    lines = shown(*columns_tables(found, 20, 80))
    assert lines[0].split() == ["column", "value", "p", "q", "r"]
    intervals = sum(len(steps_of(shape)) for shape in found)
    assert len(lines) == 2 + intervals
    assert sum(line[:2].strip() != "" for line in lines[2:]) == len(found)


def test_classes_have_numbers_where_their_names_are_too_long(three_classes):
    names = [f"a class with the long name {name}" for name in "pqr"]
    found = shapes(three_classes, label_names=names)
    lines = shown(*columns_tables(found, 20, 60), width=60)
    assert lines[:3] == [f"class {number}: {name}" for number, name in enumerate(names, start=1)]
    assert lines[3].split() == ["column", "value", "1", "2", "3"]
    assert lines[4:] == shown(*columns_tables(shapes(three_classes), 20, 60), width=60)[1:]


def test_of_many_classes_those_are_shown_that_matter_most():
    rng = np.random.default_rng(0)
    y = np.repeat(list("abcdefghijkl"), 20)
    X = rng.normal(size=(240, 2)) + np.searchsorted(list("abcdefghijkl"), y)[:, None]
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    for parts in (columns_tables(shapes(model), 1, 80), rules_tables(rules(model), 1)):
        lines = shown(*parts)
        assert "class" in lines[0].split()
        number = lines[0].index("class")
        classes = [line[number] for line in lines[1:-1]]
        assert len(classes) % 8 == 0
        for place in range(0, len(classes), 8):
            assert classes[place : place + 8] == sorted(classes[place : place + 8])


@pytest.fixture
def eight_classes():
    names = [f"a class with the name {letter * 12}" for letter in "abcdefgh"]
    rng = np.random.default_rng(0)
    y = np.repeat(names, 20)
    X = rng.normal(size=(160, 2)) + np.searchsorted(names, y)[:, None]
    X = pd.DataFrame(X, columns=["a column with a long name", "another column with a long name"])
    return names, AdaBoostClassifier(n_estimators=3).fit(X, y)


def test_numbers_stand_beside_the_class_that_they_are_of(eight_classes):
    names, model = eight_classes
    short = [f"a class with the...{name[-9:]}" for name in names]
    lines = shown(*rules_tables(rules(model), 1))
    assert [line[line.index("a class") :].split("  ")[0] for line in lines[1:9]] == short
    assert all(line.split()[-1][0] in "+-" for line in lines[1:9])


def test_each_class_has_its_line_where_texts_would_be_too_narrow(eight_classes):
    _, model = eight_classes
    lines = shown(*columns_tables(shapes(model), 2, 80))
    assert lines[0].split() == ["column", "value", "class", "adds"]
    assert sum("a column" in line for line in lines) == 1
    wide = shown(*columns_tables(shapes(model), 2, 160), width=160)
    assert wide[8].split() == ["column", "value", *"12345678"]


@pytest.mark.parametrize("n_classes", [2, 12])
def test_days_since_1970_are_a_date(n_classes):
    """With few classes and with one line per class."""
    days = np.arange(18000, 18000 + 20 * n_classes)
    X = pd.DataFrame({"signed: days since 1970": days, "age": np.tile([1, 2], len(days) // 2)})
    model = AdaBoostClassifier(n_estimators=3).fit(X, np.repeat(np.arange(n_classes), 20))
    text = "\n".join(shown(*columns_tables(shapes(model), 20, 80)))
    assert "1.  signed  " in text
    assert "<= 2019-0" in text
    assert "days since 1970" not in text


def test_steps_are_what_the_column_adds(three_classes):
    """Neighbours that add the same to every class are one, and no others."""
    for shape in shapes(three_classes):
        steps = steps_of(shape)
        added = np.array([values for _, values in steps])
        changes = (np.diff(shape.values, axis=0) != 0).any(axis=1).sum()
        assert len(steps) == changes + 1
        assert {tuple(row) for row in added} == {tuple(row) for row in shape.values}
