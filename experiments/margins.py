"""Boosters that maximise a margin, beside what was published about them.

`python -m experiments.margins` prints the tables of experiments/README.md. Needs the folder with
the data sets (`../shared/data`, or `UNDERDOG_DATA`).
"""

import time
import warnings

import numpy as np
import pandas as pd

from benchmarks import corpora
from underdog import (
    AdaBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    NotConverged,
    TotalBoostClassifier,
    UnderdogWarning,
)
from underdog.games import margins


def main() -> None:
    """Print all tables."""
    ionosphere()
    platinum()


def ionosphere() -> None:
    """Hard margin, discrete stumps: how many rules, and which margin."""
    data = pd.read_csv(corpora.source("uci/ionosphere.csv.gz"))
    X, y = data.iloc[:, :-1].to_numpy(float), data.iloc[:, -1].to_numpy()
    hard = 1 / len(y)
    print(f"Ionosphere, {len(X)} examples, discrete stumps, hard margin\n")
    print("| booster | tol | rules with weight | rounds | training error | minimum margin | s |")
    print("|---|---|---|---|---|---|---|")
    for name, tol, model in [
        ("LPBoost", 0.1, LPBoostClassifier(nu=hard, learner="disc.lp", tol=0.1)),
        ("LPBoost", 1e-6, LPBoostClassifier(nu=hard, learner="disc.lp", tol=1e-6)),
        ("TotalBoost", 0.1, TotalBoostClassifier(tol=0.1)),
        ("TotalBoost", 0.071, TotalBoostClassifier(tol=0.071)),
        ("TotalBoost", 0.01, TotalBoostClassifier(tol=0.01)),
        ("AdaBoost", "", AdaBoostClassifier(learner="discrete", n_estimators=500)),
    ]:
        began = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - began
        used = sum(member.size > 0 for member in model.model_.members)
        smallest = margins(model, X, y).minimum
        print(
            f"| {name} | {tol} | {used} | {model.n_iter_} | {np.mean(model.predict(X) != y):g} "
            f"| {smallest:.4f} | {seconds:.2f} |"
        )


def platinum() -> None:
    """Reuters-21578, the smallest topics: words needed and errors made."""
    train, test = corpora.reuters("train"), corpora.reuters("test")
    print("\nReuters-21578, LPUBoost(nu=0.1, beta=2), its default learner\n")
    print("| topic | positives | rules with weight | errors on 3,299 test documents | of | s |")
    print("|---|---|---|---|---|---|")
    for topic in ("platinum", "potato", "rand", "lumber", "gold"):
        y, wanted = train.label(topic), test.label(topic)
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotConverged)
            warnings.simplefilter("ignore", UnderdogWarning)  # nu is large, as in the paper
            model = LPUBoostClassifier(nu=0.1, beta=2, pos_label=1).fit(train.X, y)
        seconds = time.perf_counter() - began
        errors = int((model.predict(test.X) != wanted).sum())
        used = model.certificate_["n_hypotheses"]
        print(f"| {topic} | {y.sum()} | {used} | {errors} | {wanted.sum()} | {seconds:.2f} |")


if __name__ == "__main__":
    main()
