"""`python -m underdog.cli.spam_demo`: learn to tell spam from ham, and read what was learned."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import average_precision_score, precision_recall_fscore_support
from sklearn.model_selection import train_test_split

from underdog import AdaBoostClassifier, AdaUBoostClassifier, Table, TermVectorizer, __version__
from underdog.datasets import load_sms_spam

ROUNDS = 300
SHOWN = 12
SEED = 0


@dataclass(frozen=True)
class Messages:
    """Words of messages, and which of them are spam, to learn from and to test with."""

    learn: Table
    learn_labels: Any
    test: Table
    test_labels: Any


def prepare() -> Messages:
    """One yes/no column per word that occurs in at least two of the messages to learn from."""
    messages, labels = load_sms_spam()
    learn, test, learn_labels, test_labels = train_test_split(
        messages, labels, test_size=0.3, stratify=labels, random_state=SEED
    )
    vectorizer = TermVectorizer(min_df=2)
    learn_words = vectorizer.fit_transform(learn)
    names = vectorizer.get_feature_names_out()
    return Messages(
        Table.hstack([learn_words], names=names),
        learn_labels,
        Table.hstack([vectorizer.transform(test)], names=names),
        test_labels,
    )


def result_line(name: str, model: Any, data: Messages, seconds: float) -> str:
    """One line of the table of results."""
    spam = data.test_labels == "spam"
    precision, recall, f1, _ = precision_recall_fscore_support(
        spam, model.predict(data.test) == "spam", average="binary"
    )
    ranking = average_precision_score(spam, model.predict_proba(data.test)[:, 1])
    words = int(np.count_nonzero(model.feature_importances_))
    return (
        f"  {name:<29}{precision:9.3f} {recall:7.3f} {f1:6.3f} {ranking:8.3f} "
        f"{words:6d} {seconds:7.2f}"
    )


def main() -> None:
    """Train on the messages that ship with the package and print rules and scores."""
    data = prepare()
    boosters = {
        "AdaBoostClassifier()": AdaBoostClassifier(n_estimators=ROUNDS),
        "AdaUBoostClassifier(beta=4)": AdaUBoostClassifier(beta=4, n_estimators=ROUNDS),
    }
    print(f"underdog {__version__}: which text messages are spam?\n")
    for task, labels in (("Learn from", data.learn_labels), ("Test with ", data.test_labels)):
        print(f"  {task} {len(labels)} messages, {np.mean(labels == 'spam'):.1%} of them spam")
    print(f"  One yes/no column for each of {data.learn.n_columns} words")
    print("  Data: SMS Spam Collection, Almeida and Hidalgo, CC BY 4.0\n")
    print("Compiling: some seconds on first use, then kept on disk ... ", end="", flush=True)
    began = time.perf_counter()
    for booster in boosters.values():
        clone(booster).set_params(n_estimators=2).fit(data.learn, data.learn_labels)
    print(f"{time.perf_counter() - began:.1f} s\n")

    lines = []
    for name, booster in boosters.items():
        began = time.perf_counter()
        booster.fit(data.learn, data.learn_labels)
        seconds = time.perf_counter() - began
        lines.append(result_line(name, booster, data, seconds))

    to_python = boosters["AdaBoostClassifier()"]
    print("AdaBoost's first rules: the number is added to the score if the word occurs,")
    print("else the second one. Above 0 means spam.\n")
    print("\n".join(to_python.describe(SHOWN).splitlines()[1:]))
    bound, error = to_python.certificate_["bound"], to_python.certificate_["training_error"]
    print(f"\nProved: at most {bound:.2%} wrong where it learned. Measured: {error:.2%}.\n")

    print(f"On the test messages, {ROUNDS} rules each:\n")
    print(f"  {'':<29}precision  recall     F1  ranking  words  fit (s)")
    print("\n".join(lines))
    print("\n  ranking: average precision, the area under the precision-recall curve")
    print("  beta=4: each spam counts as four hams, so fewer spams are missed")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
