"""The paper's settings: four boosters, six weak learners, and every combination of parameters."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from experiments.lpuboost2003.data import Sample, corpus
from experiments.lpuboost2003.printed import PrintedLPUBoostClassifier
from underdog import AdaBoostClassifier, AdaUBoostClassifier, LPUBoostClassifier
from underdog.learners.criteria import criterion

BOOSTERS = {"Ada": "AdaBoost", "U": "AdaUBoost", "LP": "LPBoost", "LPU": "LPUBoost"}
LEARNERS = ("real.mh", "disc.mh", "real.lp", "disc.lp", "real.u", "disc.u")
NUS = (0.1, 0.2)
RATIOS = (0, 10, 50, 100)
BETAS = (2.0, 4.0, 8.0)
ROUNDS = 300
TOL = 0.01
"""LP and LPU have converged when the best edge exceeds the soft margin by no more."""


@dataclass(frozen=True)
class Setting:
    """A booster with a learner and parameters; LP is LPU with beta = 1.

    Attributes
    ----------
    form : {"", "balanced", "printed"}
        Of LP and LPU: "balanced" reads nu as a share of each class, "printed" is without what the
        library adds to the paper (rules of size 1, a tolerance).
    """

    booster: str
    learner: str
    beta: float = 1.0
    nu: float = 0.0
    ratio: int = 0
    form: str = ""

    def __str__(self) -> str:
        numbers = f"beta={self.beta:g} nu={self.nu:g} DLB={self.ratio}"
        return f"{self.booster} {self.learner} {numbers} {self.form}".rstrip()

    @classmethod
    def parse(cls, text: str) -> "Setting":
        """The setting with this name."""
        booster, learner, *numbers = text.split()
        beta, nu, ratio = (number.split("=")[1] for number in numbers[:3])
        return cls(booster, learner, float(beta), float(nu), int(ratio), "".join(numbers[3:]))

    @property
    def column(self) -> str:
        """Of the tables: the booster and its form."""
        return f"{self.booster} {self.form}".rstrip()

    @property
    def twin(self) -> "Setting":
        """The first setting whose learner is the same function under this booster's loss.

        Signs with the greatest edge are signs with the least Z, so "disc.lp" is "disc.mh", and so
        is "disc.u" at beta = 1. What is equal is computed once.
        """
        own = criterion(self.learner, self.beta)
        first = next(name for name in LEARNERS if criterion(name, self.beta) == own)
        return replace(self, learner=first)

    def model(self, examples: int, rounds: int = ROUNDS) -> Any:
        """Ready to fit."""
        common: dict[str, Any] = {
            "learner": self.learner, "n_estimators": rounds, "smoothing": 1 / examples,
        }  # fmt: skip
        if self.booster == "Ada":
            return AdaBoostClassifier(**common)
        if self.booster == "U":
            return AdaUBoostClassifier(beta=self.beta, **common)
        common |= {"nu": self.nu, "beta": self.beta, "lower_bound_ratio": self.ratio}
        if self.form == "printed":
            return PrintedLPUBoostClassifier(tol=0.0, **common)
        # the bounds of the weights are in proportion to the weights at the start
        weights = "balanced" if self.form == "balanced" else None
        return LPUBoostClassifier(tol=TOL, class_weight=weights, **common)


def settings(quick: bool = False) -> Iterator[Setting]:
    """The whole grid, 216 settings; or a corner of it."""
    if quick:
        yield from _product(LEARNERS[:2], NUS[:1], RATIOS[:2], BETAS[:1])
    else:
        yield from _product(LEARNERS, NUS, RATIOS, BETAS)


def few_settings(quick: bool = False) -> Iterator[Setting]:
    """The grid for many topics: 40 settings, two learners and D_LB 0 and 50; or a corner of it."""
    if quick:
        yield from _product(LEARNERS[:1], NUS[:1], RATIOS[:1], BETAS[:1])
    else:
        yield from _product(LEARNERS[:2], NUS, RATIOS[::2], BETAS)


def in_form(settings: Iterable[Setting], form: str) -> list[Setting]:
    """Those of LP and LPU, in this form."""
    return [replace(s, form=form) for s in settings if s.booster in ("LP", "LPU")]


def _product(
    learners: Sequence[str], nus: Sequence[float], ratios: Sequence[int], betas: Sequence[float]
) -> Iterator[Setting]:
    for learner in learners:
        yield Setting("Ada", learner)
        yield from (Setting("U", learner, beta) for beta in betas)
        for nu, ratio in product(nus, ratios):
            yield Setting("LP", learner, 1.0, nu, ratio)
            yield from (Setting("LPU", learner, beta, nu, ratio) for beta in betas)


def name(sample: Sample, setting: Setting) -> str:
    """Of the cell in which this setting, or its twin, is tried on this sample."""
    return f"{sample}/{setting.twin}"


def run(cell: str, documents: int | None = None) -> dict[str, Any]:
    """Fit one setting on one sample and count its mistakes."""
    where, how = cell.rsplit("/", 1)
    sample, setting = Sample.parse(where), Setting.parse(how)
    data = corpus(documents)
    y = data.label(sample.topic)
    rows, held_out = sample.rows(y)
    model = setting.model(len(rows))
    began = time.process_time()
    try:
        model.fit(data.X[rows], y[rows])
    except ValueError as error:
        if "lower_bound_ratio" not in str(error):
            raise
        return {"status": "infeasible"}
    seconds = time.process_time() - began
    result = {
        "status": "ok" if getattr(model, "converged_", True) else "rounds",
        "seconds": round(seconds, 3),
        "rounds": int(model.n_iter_),
        "rules": int(model.certificate_.get("n_hypotheses", model.n_iter_)),
        "train": counts(y[rows], model.predict(data.X[rows])),
        "test": counts(data.label_test(sample.topic), model.predict(data.X_test)),
    }
    if len(held_out):
        result["held out"] = counts(y[held_out], model.predict(data.X[held_out]))
    return result


def counts(y: Any, predicted: Any) -> list[int]:
    """True positives, false positives, false negatives."""
    return [
        int(np.sum((y == 1) & (predicted == 1))),
        int(np.sum((y == 0) & (predicted == 1))),
        int(np.sum((y == 1) & (predicted == 0))),
    ]


def f1(found: list[int]) -> float:
    """2 TP / (2 TP + FP + FN); 0 where nothing is found and nothing is there."""
    true, false, missed = found
    return 2 * true / (2 * true + false + missed) if true else 0.0
