"""Alternating trees beside published runs, where the data are at hand."""

import pytest

from experiments.adtree import __main__ as command
from experiments.adtree import published, runs
from tests.experiments.corpus import DATA

with_uci = pytest.mark.skipif(not (DATA / "uci").exists(), reason="the data are not here")


def test_differences_by_hand():
    known = {2: published.Split("b", 1.5, 0.25, None)}
    splits = [("a", 0.5, 1.0, -1.0), ("b", 1.5, 0.5, -0.5)]
    assert command.differences(0.1, splits, known, 0.1) == ([], 2, 0.25)
    assert command.differences(0.1, splits, {1: known[2]}, 0.3)[0] == [1]


@with_uci
def test_spambase_is_the_published_tree():
    found = runs.spambase()
    known = dict(enumerate(published.SPAMBASE, 1))
    others, count, gap = command.differences(
        found["root"], found["splits"], known, published.SPAMBASE_ROOT
    )
    assert (others, count) == ([], 21)
    assert gap <= 1e-9
    for name, wanted in (
        ("bound", published.BOUND),
        ("train", published.TRAIN),
        ("test", published.TEST),
    ):
        assert [round(each, 4) for each in found[name]] == list(wanted)
    binned = runs.spambase(runs.DEFAULT)["splits"]
    pairs = enumerate(zip(found["splits"], binned, strict=True), 1)
    assert [number for number, (one, other) in pairs if one[:2] != other[:2]] == [5, 10]


@with_uci
@pytest.mark.slow
def test_letter_is_the_published_tree():
    found = runs.letter()
    others, count, gap = command.differences(
        found["root"], found["splits"], published.LETTER, published.LETTER_ROOT
    )
    assert (others, count) == ([], 31)
    assert gap <= 1e-9
