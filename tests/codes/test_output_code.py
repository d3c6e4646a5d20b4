"""Code matrices, and what their columns make of classes and scores."""

import json

import numpy as np
import pytest

from underdog.codes import OutputCode
from underdog.codes.matrices import NAMES, code_matrix, distance, why_not
from underdog.files import BadFile
from underdog.files.plain import Decoder, Encoder

LETTERS = np.array(list("abcdefghij"))


def fitted(code="dense", n_classes=5, **options):
    return OutputCode(code, **options).fit(LETTERS[:n_classes])


def losses(matrix, scores, decoding):
    """(n, K) the loss of every word, entry by entry."""
    found = np.zeros((len(scores), len(matrix)))
    for i, f in enumerate(scores):
        for r, word in enumerate(matrix):
            z = word * f
            each = np.exp(-z) if decoding == "loss" else (1 - np.sign(z)) / 2
            found[i, r] = each.sum()
    return found


@pytest.mark.parametrize("n_classes", [3, 4, 6, 10])
@pytest.mark.parametrize("name", NAMES)
def test_every_code_can_be_learned(name, n_classes):
    matrix = code_matrix(name, n_classes, seed=1)
    assert matrix.dtype == np.int8
    assert set(np.unique(matrix)) <= {-1, 0, 1}
    assert not why_not(matrix, LETTERS)
    words = matrix.astype(float)
    apart = [(1 - words[r] * words[q]).sum() / 2 for r in range(n_classes) for q in range(r)]
    assert distance(matrix) == min(apart) > 0
    has_zeros = name in ("all-pairs", "sparse")
    assert bool((matrix == 0).any()) == has_zeros
    columns = {
        "one-vs-rest": n_classes,
        "all-pairs": n_classes * (n_classes - 1) // 2,
        "exhaustive": 2 ** (n_classes - 1) - 1,
        "dense": {3: 3, 4: 7, 6: 26, 10: 34}[n_classes],
        "sparse": {3: 6, 4: 25, 6: 39, 10: 50}[n_classes],
    }
    assert matrix.shape == (n_classes, columns[name])


def test_random_codes_depend_on_the_seed_only():
    first, again = (code_matrix("dense", 20, seed=7) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, code_matrix("dense", 20, seed=8))
    assert not code_matrix("sparse", 12, seed=3).all()


@pytest.mark.parametrize("decoding", ["loss", "hamming"])
@pytest.mark.parametrize("name", ["all-pairs", "dense"])
def test_the_word_with_the_least_loss_wins(name, decoding):
    labels = fitted(name, decoding=decoding)
    scores = np.random.default_rng(0).normal(size=(40, labels.n_labels))
    scores[0] = 0.0
    wanted = losses(labels.matrix, scores, decoding)
    found = -labels.decision(scores)
    if decoding == "loss":
        found = np.exp(found) * labels.n_labels
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    np.testing.assert_array_equal(labels.predict(scores), labels.classes[wanted.argmin(axis=1)])
    if decoding == "loss":  # exp(-z) overflows: the greatest exponent is all that is left
        far = -labels.decision(6e4 * scores)
        wanted = (-6e4 * labels.matrix * scores[:, np.newaxis]).max(axis=2)
        np.testing.assert_allclose(far, wanted, rtol=1e-9, atol=np.log(labels.n_labels) + 1e-9)


@pytest.mark.parametrize("decoding", ["loss", "hamming"])
def test_a_word_is_decoded_to_its_class(decoding):
    for name in NAMES:
        labels = fitted(name, decoding=decoding)
        np.testing.assert_array_equal(labels.predict(3.0 * labels.matrix), labels.classes)
        signs, mask = labels.sign(labels.classes), labels.mask(labels.classes)
        words = np.where(signs == 1, 1, -1) * (1 if mask is None else mask)
        np.testing.assert_array_equal(words, labels.matrix)
        assert (mask is None) == bool(labels.matrix.all())
        np.testing.assert_array_equal(labels.indicator(labels.classes), np.eye(5))


def test_one_against_the_rest_decodes_to_the_highest_score():
    labels = fitted("one-vs-rest", 10)
    scores = np.random.default_rng(1).normal(size=(500, 10)) * 3
    np.testing.assert_array_equal(labels.predict(scores), LETTERS[scores.argmax(axis=1)])


def test_decisions_do_not_depend_on_the_other_rows():
    labels = fitted("sparse", 10)
    scores = np.random.default_rng(2).normal(size=(333, labels.n_labels))
    together = labels.decision(scores)
    np.testing.assert_array_equal(together[100:117], labels.decision(scores[100:117]))


def test_columns_have_names():
    assert fitted("one-vs-rest", 3).names == ["a", "b", "c"]
    assert fitted("all-pairs", 3).names == ["a / b", "a / c", "b / c"]
    assert fitted([[1, 1], [1, -1], [-1, 1], [-1, -1]], 4).names == ["a, b / c, d", "a, c / b, d"]
    assert fitted("dense", 10).names[0] == "column 1"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("pairs", "code='pairs' must be 'one-vs-rest' or 'all-pairs'"),
        ([[1, 2], [0, 1], [1, 1]], "must be 'one-vs-rest', .* or a matrix of -1, 0 and 1"),
        ([1, -1, 1], "or a matrix of -1, 0 and 1"),
        ([[1, -1], [-1, 1]], r"2 rows, but y has 3 classes: .* order \['a', 'b', 'c'\]"),
        ([[1, 1], [-1, 1], [-1, 1]], "column 1 has no -1 or no 1"),
        ([[1, 1], [-1, 0], [0, 1]], "column 1 has no -1 or no 1"),
        ([[1, 1], [-1, -1], [1, 1]], "column 1 is equal to column 0"),
        ([[1, -1], [-1, 1], [1, -1]], "column 1 is the complement of column 0"),
        ([[1, -1], [-1, 1], [0, 0]], "column 1 is the complement of column 0"),
        ([[1], [-1], [0]], "the word of class 'c' has only zeros"),
        ([[1], [-1], [-1]], "classes 'b' and 'c' have the same word"),
    ],
)
def test_codes_with_which_nothing_can_be_learned_are_refused(code, message):
    with pytest.raises(ValueError, match=message):
        refused(OutputCode(code))


def refused(made):
    made.check()
    made.fit(LETTERS[:3])


def test_other_mistakes_are_refused():
    with pytest.raises(ValueError, match="too many for K=12 classes: use 'dense'"):
        code_matrix("exhaustive", 12)
    with pytest.raises(ValueError, match="decoding='euclid' must be"):
        OutputCode(decoding="euclid").check()
    with pytest.raises(ValueError, match="three classes or more, but y has two"):
        OutputCode().fit(["a", "b"])


def from_file(labels, **changes):
    encoder = Encoder()
    text = json.dumps(encoder.encode(labels, "labels"))
    decoder = Decoder({name: changes.get(name, array) for name, array in encoder.arrays.items()})
    return decoder.decode(json.loads(text))


def test_labels_are_the_same_from_a_file():
    labels = fitted("sparse", 6, decoding="hamming")
    loaded = from_file(labels)
    np.testing.assert_array_equal(loaded.matrix, labels.matrix)
    scores = np.random.default_rng(0).normal(size=(9, labels.n_labels))
    np.testing.assert_array_equal(loaded.decision(scores), labels.decision(scores))
    for entry in (-128, 2):
        wrong = labels.matrix.copy()
        wrong[0, 0] = entry
        with pytest.raises(BadFile, match="entries -1, 0 and 1"):
            from_file(labels, **{"labels.matrix": wrong})
    with pytest.raises(BadFile, match="no code"):
        from_file(labels, **{"labels.matrix": np.abs(labels.matrix)})
