"""`python -m underdog.cli.spam_demo`: train on spam and other messages, and read the rules."""

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
from underdog.kernels.quiet import QUIET

ROUNDS = 300
SHOWN = 12
SEED = 0


@dataclass(frozen=True)
class Messages:
    """Words of messages and their labels, for training and for testing."""

    train: Table
    train_labels: Any
    test: Table
    test_labels: Any


def prepare() -> Messages:
    """One yes/no column per word that occurs in at least two of the training messages."""
    messages, labels = load_sms_spam()
    train, test, train_labels, test_labels = train_test_split(
        messages, labels, test_size=0.3, stratify=labels, random_state=SEED
    )
    vectorizer = TermVectorizer(min_df=2)
    train_words = vectorizer.fit_transform(train)
    names = vectorizer.get_feature_names_out()
    return Messages(
        Table.hstack([train_words], names=names),
        train_labels,
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
    """Train on the messages that ship with the package and print rules and measures."""
    os.environ[QUIET] = "1"  # it says itself that it compiles
    data = prepare()
    boosters = {
        "AdaBoostClassifier()": AdaBoostClassifier(n_estimators=ROUNDS),
        "AdaUBoostClassifier(beta=4)": AdaUBoostClassifier(beta=4, n_estimators=ROUNDS),
    }
    print(f"underdog {__version__}: which text messages are spam?\n")
    for task, labels in (("Train on", data.train_labels), ("Test on ", data.test_labels)):
        print(f"  {task} {len(labels):,} messages, {np.mean(labels == 'spam'):.1%} of them spam")
    print(f"  One yes/no column for each of {data.train.n_columns:,} words")
    print("  Data: SMS Spam Collection, Almeida and Hidalgo, CC BY 4.0\n")
    print("Compiling (some seconds on first use, then cached) ... ", end="", flush=True)
    began = time.perf_counter()
    for booster in boosters.values():
        clone(booster).set_params(n_estimators=2).fit(data.train, data.train_labels)
    print(f"{time.perf_counter() - began:.1f} s\n")

    lines = []
    for name, booster in boosters.items():
        began = time.perf_counter()
        booster.fit(data.train, data.train_labels)
        seconds = time.perf_counter() - began
        lines.append(result_line(name, booster, data, seconds))

    first = boosters["AdaBoostClassifier()"]
    print("The first rules of AdaBoost. If the word occurs, the first number is added to")
    print("the score, else the second. A score above 0 means spam.\n")
    rules = first.describe(SHOWN).splitlines()[1:-1]  # without the headline and the certificate
    print("\n".join(rules))
    bound, error = first.certificate_["bound"], first.certificate_["training_error"]
    print(f"\nTraining error: {error:.2%}, proved to be at most {bound:.2%}.\n")

    print(f"Results on the test messages, with {ROUNDS} rules each:\n")
    print(f"  {'':<29}precision  recall     F1   avg. p  words  fit (s)")
    print("\n".join(lines))
    print("\n  avg. p: average precision, the area under the precision-recall curve")
    print("  words: words that the rules use")
    print("  beta=4: each spam message counts four times, so fewer are missed")


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader stopped early, as in ... | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
