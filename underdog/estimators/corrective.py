"""What boosters share that find all coefficients anew in every round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import threadpool_limits

from underdog.checks import NotConverged, notify
from underdog.codes import Labels
from underdog.combiners.corrective import FAILED, NOISE, SILENT
from underdog.core import Run
from underdog.engine import ALL_DONE
from underdog.estimators.base import Examples
from underdog.estimators.binary import BinaryBooster
from underdog.estimators.early_stopping import Found
from underdog.estimators.validation import Validation
from underdog.estimators.weights import Given, Weighting
from underdog.kernels.sums import exact_sum
from underdog.losses import SoftMargin
from underdog.losses.soft_margin import rounded_down
from underdog.masters.groups import soft_margin


@dataclass(kw_only=True, eq=False, repr=False)
class CorrectiveBooster(BinaryBooster):
    """A booster for two classes whose coefficients have the greatest soft margin."""

    learner: Any = "real.mh"
    n_estimators: int = 300
    tol: float = 0.01

    _remedy: ClassVar[str] = "Try another nu, or ERLPBoostClassifier, which does not stall"
    """What to do about a margin of 0."""
    _learns: ClassVar[dict[str, Any]] = {"converged_": bool}
    _certified: ClassVar[tuple[str, ...]] = (
        "primal_value", "dual_value", "gap", "upper_bound", "minimum_margin", "soft_margin",
        "n_hypotheses", "training_error", "stopped",
    )  # fmt: skip

    def _make_loss(self) -> SoftMargin:
        raise TypeError(f"{type(self).__name__} does not define _make_loss()")

    def _least_rise(self) -> float:
        return NOISE  # tol is for the margin

    def _make_weighting(self, examples: Examples, labels: Labels, given: Given) -> Weighting:
        if self.learning_rate != 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} has no meaning here, where every round "
                "finds all coefficients anew: leave it at 1"
            )
        weighting = super()._make_weighting(examples, labels, given)
        weight = np.exp(weighting.log_prior - weighting.log_prior.max())
        positive, times = labels.sign(examples.y)[:, 0] == 1, examples.counted.times
        share = exact_sum(weight[positive], times[positive]) / exact_sum(weight, times)
        loss = self._make_loss()
        loss.check_feasible(share)
        if loss.constant_margin(share) > NOISE:
            smaller = min(loss.beta * share, 1.0 - share)
            notify(
                f"nu={loss.nu:.4g} is so large that a constant, the same answer for every row, "
                f"already has a soft margin above 0: a positive margin shows nothing; use nu of at "
                f"most {rounded_down(2.0 * smaller, 2)}"
            )
        return weighting

    def _learn(self, *args: Any) -> None:
        # The matrices are small, and more threads would change the last bits of their products.
        with threadpool_limits(1, user_api="blas"):
            super()._learn(*args)

    def _keep(self, run: Run, reason: str, validation: Validation | Found | None) -> None:
        before = None
        if self.warm_start and getattr(self, "_finished", False):  # no round was added
            before = self.converged_, self.certificate_
        super()._keep(run, reason, validation)
        self.converged_ = bool(run.memory.converged) and self.n_iter_ == len(run.history)
        if before is not None:
            # The rule that was refused at the end is not asked for again.
            self.converged_, known = before
            self.certificate_ |= {name: known[name] for name in ("gap", "upper_bound")}
        self._warn(reason)

    def _warn(self, reason: str) -> None:
        """Say so if the model is not what was asked for, or means little."""
        name, margin = type(self).__name__, self.certificate_["soft_margin"]
        useless, remedy = margin <= NOISE, f"the coefficients mean little. {self._remedy}"
        state = f"its soft margin is {0.0 if abs(margin) <= NOISE else margin:.4g}"
        state += f": {remedy}" if useless else f", and the gap {self.certificate_['gap']:.3g}"
        if self.converged_:
            if useless:
                notify(f"{name}: {self.stop_reason_}; {remedy}")
        elif reason == ALL_DONE:
            notify(
                f"{name} ended on n_estimators={self.n_estimators} before it converged to "
                f"tol={float(self.tol):g}; {state}",
                NotConverged,
            )
        elif reason.startswith((SILENT, FAILED)) or (useless and self.early_stopping):
            notify(f"{name}: {self.stop_reason_}; {state}", NotConverged)

    def _certify(self, run: Run) -> dict[str, Any]:
        last = run.history.rows[self.n_iter_ - 1]
        loss, target = self._make_loss(), run.target
        own = target.sign[:, 0]
        margins = (2.0 * own - 1.0) * run.state.scores.full()[:, 0]
        coefficients = np.array([member.coefficient for member in run.state.members])
        weight = np.exp(target.log_prior - target.log_prior.max())
        share = target.times * weight / exact_sum(weight, target.times)
        box = loss.box
        soft = soft_margin(margins, box.lower[own] * share, box.upper[own] * share)
        # The rule that was refused at the end counts, if the model is that of the last round.
        final = self.n_iter_ == len(run.history)
        best = run.memory.best_edge if final else last["best_edge"]
        edge = best if run.exact else (run.memory.last_edge if final else last["edge"])
        return {
            "primal_value": last["primal_value"],
            "dual_value": last["dual_value"],
            "gap": edge - last["primal_value"],
            "upper_bound": best if run.exact else math.nan,
            "minimum_margin": float(margins.min()),
            "soft_margin": soft,
            "n_hypotheses": int(np.count_nonzero(coefficients)),
            "training_error": run.training_error(),
            "stopped": self.stop_reason_,
        }
