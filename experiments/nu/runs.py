"""One cell: one booster with every nu, on every fold of one table or on one topic."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from experiments.costs.runs import counts
from experiments.nu.data import splits
from underdog import (
    ERLPBoostClassifier,
    LPBoostClassifier,
    LPUBoostClassifier,
    SoftBoostClassifier,
)
from underdog.combiners.corrective import NOISE

ROUNDS = 300
"""At most, as by default."""
BOOSTERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "LPBoost": (LPBoostClassifier, {}),
    "LPBoost, disc.lp": (LPBoostClassifier, {"learner": "disc.lp"}),
    "LPUBoost": (LPUBoostClassifier, {}),
    "ERLPBoost": (ERLPBoostClassifier, {}),
    "SoftBoost": (SoftBoostClassifier, {}),
}
"""With their default learners if none is named."""
DEFAULTS = [name for name, (_, own) in BOOSTERS.items() if not own]


@dataclass(frozen=True)
class Setting:
    """How nu is found: `most`, or `part` of the share of the lighter class if that is less."""

    part: float | None = None
    most: float = 0.1
    balanced: bool = False
    auto: bool = False

    def parameters(self, booster: Any, y: Any) -> dict[str, Any]:
        """nu and class_weight for these labels."""
        if self.auto:
            return {"nu": "auto", "class_weight": "balanced" if self.balanced else None}
        share = 0.5 if self.balanced else float(y.mean())
        lighter = min(getattr(booster, "beta", 1.0) * share, 1.0 - share)
        nu = self.most if self.part is None else min(self.most, self.part * lighter)
        return {"nu": nu, "class_weight": "balanced" if self.balanced else None}


SETTINGS = {
    "auto": Setting(auto=True),
    "nu = 0.1": Setting(),
    "nu = share / 4": Setting(0.25),
    "nu = share / 2": Setting(0.5),
    "nu = share": Setting(1.0),
    "balanced, auto": Setting(balanced=True, auto=True),
    "balanced, nu = 0.1": Setting(balanced=True),
    "balanced, nu = 0.3": Setting(most=0.3, balanced=True),
}
"""The share is that of the lighter class, beta times as much for the positives; at most 0.1."""


def names(kinds: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Of all cells."""
    for kind, members in kinds.items():
        for member in members:
            yield from (f"{kind}/{member}/{booster}" for booster in BOOSTERS)


def run(cell: str, rounds: int = ROUNDS) -> dict[str, Any]:
    """Fit with each setting and judge by what was left out.

    Returns
    -------
    dict
        By setting a list with an entry for each fold: counts (true alarms, false alarms, missed,
        rightly quiet) of the test and of the training examples, average precision, rules, and
        whether the soft margin is above 0.
    """
    kind, member, name = cell.split("/")
    make, own = BOOSTERS[name]
    found: dict[str, Any] = {setting: [] for setting in SETTINGS}
    for split in splits(kind, member):
        for setting, how in SETTINGS.items():
            booster = make(pos_label=1, n_estimators=rounds, **own)
            booster.set_params(**how.parameters(booster, split.y))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what they warn of is what is measured
                booster.fit(split.X, split.y)
            scores = booster.decision_function(split.X_test)
            found[setting].append(
                {
                    "test": counts(split.y_test, (scores > 0).astype(np.int8)),
                    "training": counts(split.y, booster.predict(split.X)),
                    "precision": round(float(average_precision_score(split.y_test, scores)), 4),
                    "rules": booster.certificate_["n_hypotheses"],
                    "margin": bool(booster.certificate_["soft_margin"] > NOISE),
                }
            )
    return found
