"""Documents with classes: rare topics, each against all others, and a few sets with all classes."""

import gzip
import json
from functools import cache, partial

import numpy as np
import pandas as pd

from benchmarks.corpora import glosses, reuters_texts, source
from experiments.defaults.kinds import BINARY, MULTICLASS, Entry, Loaded, codes, sample
from underdog.datasets import load_sms_spam

DOCUMENTS = {"reuters": 5_000, "wordnet": 10_000}
"""At most; the other corpora have about 6,000."""
FEWEST = 10
"""Documents of a class where all classes are told apart; those of rarer ones are left out."""
FEW_SPAM = 60
"""Messages of the rarer form of the spam set."""
TOPICS = {
    "reuters": ("soy-meal", "fuel", "silver", "alum", "yen", "cocoa", "gold", "wheat", "crude"),
    "trec": (
        "NUM:ord", "NUM:temp", "LOC:mount", "ENTY:color", "ABBR:exp", "LOC:city", "NUM:date",
    ),
    "atis": ("restriction", "flight_no", "capacity", "quantity", "aircraft", "airline"),
    "wordnet": (
        "adj.ppl", "noun.shape", "verb.cognition", "noun.time", "noun.body", "noun.cognition",
    ),
}  # fmt: skip
"""From the rarest with five documents to some hundred."""


@cache
def corpus(name: str) -> tuple[list[str], list[list[str]]]:
    """Documents, and the topics of each."""
    if name == "sms":
        messages, labels = load_sms_spam()
        return messages, [[str(label)] for label in labels]
    if name == "reuters":
        train = reuters_texts("train")
        rows = sample(len(train.data), DOCUMENTS[name])
        topics = np.asarray(train.target_names)
        return [train.data[row] for row in rows], [
            topics[train.target[[row]].indices].tolist() for row in rows
        ]
    if name == "wordnet":
        texts, labels = glosses()
        return texts[: DOCUMENTS[name]], [[label] for label in labels[: DOCUMENTS[name]]]
    if name == "trec":
        lines = _lines("trec_questions")
        return [line["text"] for line in lines], [[line["label"], line["fine"]] for line in lines]
    lines = _lines("atis_intent")
    return [line["text"] for line in lines], [
        line["label"].replace("atis_", "").split("#") for line in lines
    ]


def topic(name: str, positive: str) -> Loaded:
    """One topic against all others."""
    documents, topics = corpus(name)
    y = np.array([positive in own for own in topics], dtype=np.int64)
    return pd.DataFrame({"text": documents}), y


def rare_spam() -> Loaded:
    """All messages that are no spam, and a few that are."""
    X, y = topic("sms", "spam")
    keep = np.flatnonzero(y == 1)[:: y.sum() // FEW_SPAM][:FEW_SPAM]
    rows = np.sort(np.concatenate([np.flatnonzero(y == 0), keep]))
    return X.iloc[rows].reset_index(drop=True), y[rows]


def first_topics(name: str) -> Loaded:
    """The first topic of each document."""
    documents, topics = corpus(name)
    rows = sample(len(documents), DOCUMENTS["reuters"])
    labels = pd.Series([topics[row][0] for row in rows])
    often = (labels.map(labels.value_counts()) >= FEWEST).to_numpy()
    frame = pd.DataFrame({"text": [documents[row] for row in rows[often]]})
    return frame, codes(labels[often])


def _lines(name: str) -> list[dict[str, str]]:
    with gzip.open(source(f"text/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


ENTRIES = {
    **{
        f"text/{name}-{each.replace(':', '-')}": Entry(BINARY, name, partial(topic, name, each))
        for name, topics in TOPICS.items()
        for each in topics
    },
    "text/sms-spam": Entry(BINARY, "sms", partial(topic, "sms", "spam")),
    "text/sms-few": Entry(BINARY, "sms", rare_spam),
    "text/trec": Entry(MULTICLASS, "trec", partial(first_topics, "trec")),
    "text/atis": Entry(MULTICLASS, "atis", partial(first_topics, "atis")),
}
