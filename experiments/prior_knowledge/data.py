"""SMS messages and TREC questions as words, and what a person knows of their classes."""

import hashlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpora import source
from underdog import Table, TermVectorizer
from underdog.datasets import fetch_trec_questions, load_sms_spam

SMS, TREC = "sms-spam", "trec"
SETS = (SMS, TREC)
SIZES = (25, 50, 100, 200, 400, 800, 1600, 3200)
TEST = 1574
"""SMS messages to judge by; the others are drawn from for training."""

RULES = {
    SMS: """
if 'won' in text or 'winner' in text or 'prize' in text or 'claim' in text: spam 0.95
if 'urgent' in text or 'guaranteed' in text or 'cash' in text or 'award' in text: spam 0.9
if 'ringtone' in text or 'www' in text or 'subscription' in text: spam 0.9
if 'free' in text or 'offer' in text or 'txt' in text: spam 0.7
else: spam 0.05
""",
    TREC: """
if 'stand' in text and 'for' in text or 'abbreviation' in text or 'acronym' in text: ABBR 0.8
if 'who' in text or 'whose' in text: HUM 0.9
if 'where' in text: LOC 0.9
if 'when' in text: NUM 0.9
if 'many' in text or 'much' in text or 'far' in text or 'long' in text or 'year' in text: NUM 0.85
if 'city' in text or 'country' in text or 'state' in text: LOC 0.7
if 'why' in text or 'how' in text or 'mean' in text: DESC 0.8
if 'what' in text: ENTY 0.4, DESC 0.35
else: ENTY 0.3, HUM 0.2, DESC 0.15, LOC 0.15, NUM 0.15
""",
}
"""What a person may say of these classes without seeing a label; nothing was tuned."""


class Corpus(NamedTuple):
    """Documents to draw from and documents to judge by, as presence of words."""

    X: Any
    y: NDArray[Any]
    X_test: Any
    y_test: NDArray[Any]


@cache
def _texts(name: str) -> tuple[list[str], NDArray[Any], list[str], NDArray[Any]]:
    """All texts and labels; those of SMS are not divided."""
    if name == SMS:
        messages, labels = load_sms_spam()
        return list(messages), np.asarray(labels), [], np.empty(0)
    archive = source("text/trec_questions.jsonl.gz")
    train, test = (fetch_trec_questions(subset=s, archive=archive) for s in ("train", "test"))
    labels, given = (np.array(part.target_names)[part.target] for part in (train, test))
    return list(train.data), labels, list(test.data), given


@cache
def corpus(name: str, seed: int) -> Corpus:
    """The words of all documents to draw from: their labels are not used for that."""
    texts, labels, new, given = _texts(name)
    if name == SMS:
        order = np.random.default_rng(seed).permutation(len(texts))
        new, given = [texts[row] for row in order[:TEST]], labels[order[:TEST]]
        texts, labels = [texts[row] for row in order[TEST:]], labels[order[TEST:]]
    terms = TermVectorizer(min_df=2).fit(texts)
    names = terms.get_feature_names_out()
    tables = [Table.hstack([terms.transform(each)], names=names) for each in (texts, new)]
    return Corpus(tables[0], labels, tables[1], given)


def draw(name: str, size: int, seed: int) -> Corpus:
    """A training set with some examples of every class: larger ones contain the smaller ones."""
    everything = corpus(name, seed)
    order = np.random.default_rng([seed, 1]).permutation(len(everything.y))
    first = [int(np.flatnonzero(everything.y[order] == c)[0]) for c in np.unique(everything.y)]
    rows = order[np.concatenate([first, np.setdiff1d(np.arange(len(order)), first)])[:size]]
    return everything._replace(X=everything.X[rows], y=everything.y[rows])


def fingerprint(names: tuple[str, ...]) -> str:
    """Of the data and the rules."""
    digest = hashlib.sha256()
    for name in names:
        texts, labels, new, given = _texts(name)
        for part in (*texts, *new, *labels.astype(str), *given.astype(str), RULES[name]):
            digest.update(part.encode())
    return digest.hexdigest()[:16]
