"""Rules as text: a line for each class, numbers with few digits, dates as dates, 80 columns."""

import re
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from underdog import AdaBoostClassifier, AdaBoostMHClassifier, FrameEncoder, LPBoostClassifier
from underdog.data.days import date_text
from underdog.model.writing import WIDTH, broken, flowing, score_format

pytestmark = pytest.mark.filterwarnings("ignore::underdog.UnderdogWarning")


def rows_of(text):
    """rule number -> (question, {class: (yes, no)}), read back from the text."""
    found, number = {}, None
    for line in text.splitlines()[1:]:
        if head := re.match(r" *(\d+)\. (.*)", line):
            number = int(head[1])
            found[number] = (head[2], {})
        elif row := re.fullmatch(r" {10}(\S+) +([+-]\S+)   else ([+-]\S+)", line):
            found[number][1][row[1]] = (float(row[2]), float(row[3]))
    return found


def several(n_classes, rows=400, **parameters):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 3))
    names = np.array([f"c{number:02d}" for number in range(n_classes)])
    y = names[np.digitize(X[:, 0] + 0.3 * X[:, 1], np.linspace(-1, 1, n_classes - 1))]
    return AdaBoostMHClassifier(n_estimators=5, **parameters).fit(X, y)


def test_each_class_has_a_line_in_the_order_of_the_classes():
    model = several(4)
    read = rows_of(model.describe())
    assert list(read) == [1, 2, 3, 4, 5]
    for number, member in enumerate(model.model_.members, start=1):
        question, by_class = read[number]
        assert question == member.hypothesis.words(model.model_.schema)
        assert list(by_class) == model.classes_.tolist()
        told = np.array(list(by_class.values())).T
        np.testing.assert_allclose(told, member.steps[::-1], atol=0.0005)


def test_of_many_classes_those_that_are_moved_most():
    model = several(12)
    text = model.describe(1)
    (_, by_class) = rows_of(text)[1]
    assert "          ... and 4 more" in text
    assert list(by_class) == sorted(by_class)
    size = np.abs(model.model_.members[0].steps).max(axis=0)
    assert set(by_class) == set(model.classes_[np.argsort(-size)[:8]])


@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("by_label", [False, True])
def test_lines_have_80_columns(merged, by_label):
    rng = np.random.default_rng(1)
    towns = np.array([f"a town with a long name, number {number}" for number in range(30)])
    X = pd.DataFrame({
        "the place where somebody has lived for the longest time": rng.choice(towns, 300),
        "x" * 100: rng.normal(size=300),
    })  # fmt: skip
    odd = X.iloc[:, 0].str[-1].isin(["1", "4", "7"]).to_numpy()
    for y in (odd, np.where(odd, "p" * 70, np.where(X.iloc[:, 1] > 0, "q", "r"))):
        model = AdaBoostMHClassifier(n_estimators=6).fit(X, y)
        lines = model.describe(merged=merged, by_label=by_label).splitlines()[1:]
        unbroken = [line for line in lines if "x" * 100 in line or "p" * 70 in line]
        assert max(map(len, (line for line in lines if line not in unbroken))) <= WIDTH
        assert len(lines) > 6


def test_numbers_have_few_digits():
    assert score_format([0.5, 12.3]) == "+z.2f"
    assert f"{-0.0004:{score_format([3.0])}}" == "+0.000"
    assert f"{1234.5:{score_format([1234.5])}}" == "+1234"
    assert score_format([]) == score_format([0.0]) == "+z.3f"
    assert score_format([np.inf, 5.0]) == "+z.3f"
    assert f"{-2.5e300:{score_format([2.5e300])}}" == "-2.500e+300"
    assert f"{2.5e-11:{score_format([2.5e-11])}}" == "+2.50e-11"
    X = np.arange(40.0)[:, np.newaxis]
    model = LPBoostClassifier(nu=0.5).fit(X, X[:, 0] > 19)
    small = [member._replace(steps=member.steps / 1000) for member in model.model_.members]
    model.model_.members = tuple(small)
    assert "+0.00100   else -0.00100" in model.describe()


def dated(moments, n_estimators=3):
    """A model of two classes that changes in the middle of the dates, and the rules as text."""
    frame = pd.DataFrame({"when": moments, "size": np.arange(len(moments)) % 7.0})
    y = np.where(np.arange(len(moments)) < len(moments) // 2, "early", "late")
    learner = AdaBoostClassifier(n_estimators=n_estimators)
    encoder = FrameEncoder(roles={"when": "date", "size": "number"})
    return make_pipeline(encoder, learner).fit(frame, y)


def test_whole_days_are_dates():
    days = [datetime(2020, 5, 1) + timedelta(days=number) for number in range(62)]
    model = dated(days)[-1]
    assert model.model_.members[0].hypothesis.test.threshold == 18413.5
    assert "   1. when > 2020-05-31  +" in model.describe()
    assert "   1. when  <= 2020-05-31 -" in model.describe(merged=True)
    assert "if when > 2020-05-31" in model.describe(by_label=True)


def test_moments_have_times():
    hours = [datetime(2020, 5, 31) + timedelta(hours=number) for number in range(48)]
    assert " when > 2020-05-31 23:30  +" in dated(hours)[-1].describe()
    twice_a_day = [datetime(2020, 5, 1, 6) + timedelta(hours=12 * n) for n in range(40)]
    assert " when > 2020-05-11 00:00  +" in dated(twice_a_day)[-1].describe()
    seconds = [datetime(2020, 5, 31, 12) + timedelta(seconds=number) for number in range(50)]
    assert " when > 2020-05-31 12:00:24.500  +" in dated(seconds)[-1].describe()


def test_other_parts_of_a_date_are_numbers():
    """The month tells the classes apart in every year, and is no date."""
    days = [datetime(2000 + n % 20, 1 + n % 12, 3) for n in range(240)]
    frame = pd.DataFrame({"when": days})
    y = frame["when"].dt.month > 6
    model = make_pipeline(FrameEncoder(), AdaBoostClassifier(n_estimators=1)).fit(frame, y)
    assert "when: month > 6.5" in model[-1].describe()


def test_beyond_the_calendar_days_are_numbers():
    assert date_text(1e9, 0.0, whole=True) is None
    assert date_text(np.inf, 0.0, whole=False) is None
    X = pd.DataFrame({"x: days since 1970": [1e9, 2e9, np.inf, -np.inf] * 5})
    model = AdaBoostClassifier(n_estimators=2).fit(X, [0, 1, 1, 0] * 5)
    assert "   1. x > 1.5e+09" in model.describe()


def test_breaking_lines():
    assert broken("", 30) == [""]
    assert broken("x in {a, b} or missing", 80) == ["x in {a, b} or missing"]
    assert broken("x in {first town, second town} or missing", 24) == [
        "x in {first town,", "second town} or missing"
    ]  # fmt: skip
    assert broken("y" * 50 + " and z", 30) == ["y" * 50, "and z"]
    assert flowing("head ", ["a +1", "b +2"]) == ["head a +1; b +2"]
