"""What every code promises: labels to signs and back, decisions, probabilities and files."""

import json

import numpy as np
import pytest
from sklearn.base import clone

from tests.discovery import Found
from underdog.codes import Binary, Code, MultiLabel, OneOfK, choose_code
from underdog.files.plain import Decoder, Encoder

PARAMETERS = {"Binary": [{"pos_label": "a"}, {"pos_label": "b"}]}
"""Beside the defaults."""
SHARED = {"OutputCode", "Grades", "RealValues", "ThresholdColumns"}
"""Codes whose columns are not for classes: see test_output_code.py, test_real_values.py,
test_threshold_columns.py and, for ranks, tests/estimators/test_rankboost.py."""
CODES = Found(
    ["underdog.codes"], Code, PARAMETERS, SHARED, "PARAMETERS of tests/codes/test_every_code.py"
)
N = 60
TARGETS = {
    "two": np.array(["a", "b"])[np.arange(N) % 3 % 2],
    "three": np.array(["a", "b", "c"])[np.arange(N) % 7 % 3],
    "numbers": np.arange(N) % 5 - 2,
    "indicators": (np.random.default_rng(0).random((N, 4)) < 0.4).astype(int),
}
"""Names of targets; every code is tried with those that it takes."""


def taken(code):
    """name -> (y, labels), of all targets that a code takes."""
    found = {}
    for name, y in TARGETS.items():
        try:
            found[name] = y, code.fit(y)
        except ValueError:
            continue
    return found


CASES = {
    f"{title}, {name}": (code, *case)
    for title, code in CODES.made.items()
    for name, case in taken(code).items()
}
each_case = pytest.mark.parametrize(("code", "y", "labels"), CASES.values(), ids=CASES)
each_code = pytest.mark.parametrize("code", CODES.made.values(), ids=CODES.made)


def test_every_code_can_be_made_and_takes_some_target():
    assert CODES.made
    assert not CODES.lacking()
    for title, code in CODES.made.items():
        assert taken(code), f"{title} takes none of the targets: add one that it does to TARGETS"


def random_scores(labels, size=2.0, seed=1):
    return np.random.default_rng(seed).normal(size=(N, labels.n_labels)) * size


def one_label(y):
    return np.ndim(y) == 1


@each_case
def test_signs_and_back(code, y, labels):
    sign = labels.sign(y)
    assert sign.dtype == np.uint8
    assert sign.shape == (N, labels.n_labels)
    assert set(np.unique(sign)) == {0, 1}
    np.testing.assert_array_equal(labels.predict(2.0 * sign - 1.0), y)
    classes = labels.classes
    assert (classes[1:] > classes[:-1]).all()
    assert len(classes) == (len(np.unique(y)) if one_label(y) else y.shape[1])


@each_case
def test_decisions_say_what_is_predicted(code, y, labels):
    """As scikit-learn reads them: above zero, or the largest, or each above zero."""
    scores = random_scores(labels)
    decision, predicted = labels.decision(scores), labels.predict(scores)
    assert decision.shape == ((N,) if labels.n_labels == 1 else (N, labels.n_labels))
    if not one_label(y):
        np.testing.assert_array_equal(predicted, decision > 0)
    elif decision.ndim == 1:
        np.testing.assert_array_equal(predicted, labels.classes[(decision > 0).astype(int)])
    else:
        np.testing.assert_array_equal(predicted, labels.classes[decision.argmax(axis=1)])


def no_weight(y, labels):
    return np.zeros(len(labels.classes)) if one_label(y) else np.zeros((2, len(labels.classes)))


@each_case
@pytest.mark.parametrize("scale", [2.0, 1.25])
def test_probabilities(code, y, labels, scale):
    """They sum to one where one label is right, rise with the scores, and agree with predict."""
    scores, nothing = random_scores(labels), no_weight(y, labels)
    found = labels.probability(scores, scale, nothing)
    assert found.shape == (N, len(labels.classes))
    assert ((found >= 0.0) & (found <= 1.0)).all()
    if one_label(y):
        np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
        np.testing.assert_array_equal(labels.classes[found.argmax(axis=1)], labels.predict(scores))
    else:
        np.testing.assert_array_equal((found > 0.5).astype(int), labels.predict(scores))
    sign = labels.sign(y)
    more = labels.probability(scores + 0.1 * (2.0 * sign - 1.0), scale, nothing)
    known = labels.classes == y[:, np.newaxis] if one_label(y) else y == 1
    assert (more[known] > found[known]).all()
    extreme = labels.probability(np.sign(scores) * 6e4, scale, nothing)
    assert np.isfinite(extreme).all()


@each_case
def test_weights_of_classes_are_taken_out_of_probabilities(code, y, labels):
    """A class that was given more weight is as much less likely."""
    scores, nothing = random_scores(labels), no_weight(y, labels)
    plain = labels.probability(scores, 2.0, nothing)
    for place in np.ndindex(nothing.shape):
        heavier = nothing.copy()
        heavier[place] = np.log(3.0)
        found = labels.probability(scores, 2.0, heavier)
        label = place[-1]
        if one_label(y):
            odds = plain[:, label] / 3.0
            wanted = odds / (odds + 1.0 - plain[:, label])
        else:
            factor = 1.0 / 3.0 if place[0] == 1 else 3.0
            odds = factor * plain[:, label] / (1.0 - plain[:, label])
            wanted = odds / (1.0 + odds)
        np.testing.assert_allclose(found[:, label], wanted, rtol=1e-9)


def test_two_classes_are_the_same_in_one_column_or_two():
    y = TARGETS["two"]
    one, two = Binary().fit(y), OneOfK().fit(y)
    np.testing.assert_array_equal(two.sign(y)[:, 1:], one.sign(y))
    scores = random_scores(one)
    both = np.hstack([-scores, scores])
    np.testing.assert_array_equal(one.predict(scores), two.predict(both))
    for weight in (np.zeros(2), np.log([1.0, 4.0])):
        np.testing.assert_allclose(
            one.probability(scores, 2.0, weight), two.probability(both, 2.0, weight), rtol=1e-9
        )


def test_the_positive_class_only_turns_the_scores():
    y = TARGETS["two"]
    last, first = Binary("b").fit(y), Binary("a").fit(y)
    np.testing.assert_array_equal(first.sign(y), 1 - last.sign(y))
    scores = random_scores(last)
    np.testing.assert_array_equal(first.decision(-scores), last.decision(scores))
    np.testing.assert_array_equal(first.predict(-scores), last.predict(scores))
    weight = np.log([1.0, 4.0])
    np.testing.assert_allclose(
        first.probability(-scores, 2.0, weight), last.probability(scores, 2.0, weight), rtol=1e-12
    )


@each_case
def test_labels_that_are_not_known_are_refused(code, y, labels):
    labels.check(y, "y_val")
    labels.check(y[:1], "y_val")
    other = TARGETS["indicators"] if one_label(y) else TARGETS["two"]
    with pytest.raises(ValueError, match=r"^y_val has "):
        labels.check(other, "y_val")
    unknown = np.append(y, "zebra") if one_label(y) else np.hstack([y, y])
    with pytest.raises(ValueError, match=r"^y_val has "):
        labels.check(unknown, "y_val")


@each_case
def test_labels_are_the_same_from_a_file(code, y, labels):
    encoder = Encoder()
    text = json.dumps(encoder.encode(labels, "labels"))
    decoder = Decoder(encoder.arrays)
    loaded = decoder.decode(json.loads(text))
    decoder.finish()
    assert type(loaded) is type(labels)
    assert loaded.n_labels == labels.n_labels
    np.testing.assert_array_equal(loaded.classes, labels.classes)
    scores = random_scores(labels)
    np.testing.assert_array_equal(loaded.predict(scores), labels.predict(scores))
    np.testing.assert_array_equal(loaded.decision(scores), labels.decision(scores))
    np.testing.assert_array_equal(loaded.sign(y), labels.sign(y))


@each_code
def test_it_is_the_same_as_a_clone_and_from_a_file(code):
    encoder = Encoder()
    text = json.dumps(encoder.encode(code, ""))
    assert not encoder.left_out
    for other in (Decoder(encoder.arrays).decode(json.loads(text)), clone(code)):
        assert type(other) is type(code)
        assert other.get_params() == code.get_params()
        other.check()


@each_case
def test_the_headline_has_the_names(code, y, labels):
    names = [f"name {number}" for number in range(len(labels.classes))]
    said = labels.headline(names)
    assert all(name in said for name in names)


def test_what_is_chosen_by_the_target():
    chosen = {name: type(choose_code(y, None)) for name, y in TARGETS.items()}
    wanted = {"two": Binary, "three": OneOfK, "numbers": OneOfK, "indicators": MultiLabel}
    assert chosen == wanted
    assert choose_code(TARGETS["two"], "a").pos_label == "a"


@each_code
def test_one_class_is_refused(code):
    if "indicators" not in taken(code):
        with pytest.raises(ValueError, match="only one class, 'a'"):
            code.fit(np.array(["a"] * 5))
