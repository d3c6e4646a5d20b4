"""The base classes of boosters that compute all coefficients again in every round."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
from threadpoolctl import threadpool_limits

from underdog.checks import UnderdogWarning, is_number, notify
from underdog.codes import Labels
from underdog.combiners.corrective import (
    FAILED,
    NO_BETTER_TREE,
    NO_OUTPUT,
    NOISE,
    maximises_edge,
)
from underdog.core import Parts, Run, not_defined
from underdog.engine import ALL_DONE, INTERRUPTED
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.classifier import Classifier
from underdog.estimators.support.convergence import NotConverged
from underdog.estimators.support.early_stopping import ChosenRounds
from underdog.estimators.support.restoring import unchanged_on_error
from underdog.estimators.support.task import FitTask, LabelledRows
from underdog.estimators.support.validation import Validation
from underdog.estimators.support.weights import FitArguments, Weighting, weight_by_sign
from underdog.files import Fields
from underdog.kernels.sums import exact_sum
from underdog.losses import SoftMargin
from underdog.losses.soft_margin import FIRST_NU, rounded_down
from underdog.masters.groups import soft_margin

AUTO = "auto"


@dataclass(kw_only=True, eq=False, repr=False)
class CorrectiveBooster(BinaryBooster):
    """A binary booster that maximises the soft margin over all coefficients in every round."""

    learner: Any = "real.mh"
    n_estimators: int = 300
    tol: float = 0.01

    _advice: ClassVar[str] = "Try a larger nu, or ERLPBoostClassifier, which does not stall"
    """What to do if the margin is 0."""
    _learns: ClassVar[dict[str, Any]] = {"converged_": bool}
    _certified: ClassVar[tuple[str, ...]] = (
        "primal_value", "dual_value", "gap", "upper_bound", "minimum_margin", "soft_margin",
        "n_hypotheses", "training_error", "stopped",
    )  # fmt: skip

    def _make_loss(self) -> SoftMargin:
        raise not_defined(self, "_make_loss")

    def _min_improvement(self) -> float:
        return NOISE  # tol is for the margin

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        if self.learning_rate != 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} is not supported, because every round "
                "computes all coefficients again: leave it at 1"
            )
        return super()._make_weighting(examples, labels, given)

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Labels, own: Weighting) -> Parts:
        sign, repeats = labels.sign(examples.y)[:, 0], examples.counted.repeats
        negative, positive = weight_by_sign(sign, repeats, own.log_prior)
        share = positive / (negative + positive)
        self._choose_nu(share, int(repeats.sum()))
        loss = self._make_loss()
        loss.check_feasible(share)
        if loss.constant_margin(share) > NOISE:
            smaller = min(loss.beta * share, 1.0 - share)
            notify(
                f"nu={loss.nu:.4g} is so large that a constant prediction already has a soft "
                "margin above 0, so a positive margin does not show that anything was learned; use "
                f"nu of at most {rounded_down(2.0 * smaller, 2)}"
            )
        return replace(parts, loss=loss)

    def _choose_nu(self, positives: float, examples: int) -> None:
        """Choose nu if it is "auto"; `positives` is their share of the weight."""

    def _learn(self, task: FitTask) -> None:
        # Several BLAS threads could change the last bits of the products; the matrices are small.
        with threadpool_limits(1, user_api="blas"):
            super()._learn(task)

    def _keep(self, run: Run, reason: str, validation: Validation | ChosenRounds | None) -> None:
        before = None
        if self.warm_start and getattr(self, "_finished", False):  # no round was added
            before = self.converged_, self.certificate_
        super()._keep(run, reason, validation)
        self.converged_ = (
            bool(run.memory.converged)
            and not run.parts.learner.greedy
            and self.n_iter_ == len(run.history)
        )
        if before is not None:
            # The last, rejected rule is not searched for again, so its edge is kept.
            self.converged_, known = before
            self.certificate_ |= {name: known[name] for name in ("gap", "upper_bound")}
        if not self._retries_with_larger_nu():
            self._warn(run, reason)

    @property
    def _has_ended(self) -> bool:
        """Whether more rounds would change nothing: converged, or no better tree was found."""
        no_tree = self.stop_reason_.startswith(NO_BETTER_TREE)
        return self.converged_ or (no_tree and self.n_iter_ == len(self.history_["loss"]))

    def _retries_with_larger_nu(self) -> bool:
        """Whether the run found no margin and will be repeated with a larger nu."""
        return False

    def _warn(self, run: Run, reason: str) -> None:
        """Warn if the run has not converged, or the model is of little use."""
        name, margin = type(self).__name__, self.certificate_["soft_margin"]
        useless, advice = margin <= NOISE, f"the coefficients mean little. {self._advice}"
        state = f"its soft margin is {0.0 if abs(margin) <= NOISE else margin:.4g}"
        state += f": {advice}" if useless else f", and the gap {self.certificate_['gap']:.3g}"
        kind = UnderdogWarning if self._has_ended else NotConverged
        message = ""
        if self._has_ended:
            if useless:
                message = f"{name}: {self.stop_reason_}; {advice}"
        elif reason == ALL_DONE:
            end = f"before it converged to tol={float(self.tol):g}"
            if run.parts.learner.greedy:
                end = f"while trees were still better by more than tol={float(self.tol):g}"
            message = f"{name} reached n_estimators={self.n_estimators} {end}; {state}"
        elif reason.startswith((NO_OUTPUT, FAILED)) or (useless and self.early_stopping):
            message = f"{name}: {self.stop_reason_}; {state}"
        if reason != INTERRUPTED and (constant := self._no_better_than_constant(run)):
            message = f"{message}. {constant}" if message else f"{name}: {constant}"
        if message:
            notify(message, kind)

    def _no_better_than_constant(self, run: Run) -> str:
        """A warning if the mean of both error rates is 1/2 or more, as for a constant."""
        shard = run.rows.only
        target = shard.target
        own = target.sign[:, 0]
        wrong = (shard.scores.full()[:, 0] > 0.0) != (own == 1)
        every, mistaken = (
            weight_by_sign(own, repeats, target.log_prior)
            for repeats in (target.repeats, np.where(wrong, target.repeats, 0))
        )
        if 0.0 in every:  # the weight of one class is negligible
            return ""
        alarms, missed = mistaken[0] / every[0], mistaken[1] / every[1]
        if alarms + missed < 1.0:
            return ""
        message = (
            "The model is no better than a constant prediction: on the training data its false "
            f"negative rate is {missed:.3g} and its false positive rate {alarms:.3g}"
        )
        if self.class_weight == "balanced":
            return message
        return f'{message}. Try class_weight="balanced", which gives both classes the same weight'

    def _certify(self, run: Run) -> dict[str, Any]:
        last = run.history.rows[self.n_iter_ - 1]
        shard, exact = run.rows.only, maximises_edge(run)
        loss, target = cast(SoftMargin, run.parts.loss), shard.target
        own = target.sign[:, 0]
        margins = (2.0 * own - 1.0) * shard.scores.full()[:, 0]
        coefficients = np.array([member.coefficient for member in run.state.members])
        weight = np.exp(target.log_prior - target.log_prior.max())
        share = target.repeats * weight / exact_sum(weight, target.repeats)
        box = loss.box
        soft = soft_margin(margins, box.lower[own] * share, box.upper[own] * share)
        # The last, rejected rule counts only if the model is that of the last round.
        final = self.n_iter_ == len(run.history)
        best = run.memory.best_edge if final else last["best_edge"]
        edge = best if exact else (run.memory.last_edge if final else last["edge"])
        return {
            "primal_value": last["primal_value"],
            "dual_value": last["dual_value"],
            "gap": edge - last["primal_value"],
            "upper_bound": best if exact else math.nan,
            "minimum_margin": float(margins.min()),
            "soft_margin": soft,
            "n_hypotheses": int(np.count_nonzero(coefficients)),
            "training_error": run.training_error(),
            "stopped": self.stop_reason_,
        }


@dataclass(kw_only=True, eq=False, repr=False)
class SoftMarginBooster(CorrectiveBooster):
    """A corrective booster with nu, approximately the share of the examples below the margin."""

    _learns: ClassVar[dict[str, Any]] = CorrectiveBooster._learns | {
        "nu_": float | None, "_most_nu": float | None,
    }  # fmt: skip

    nu: Any = AUTO

    def _nu_value(self) -> float:
        """nu as a number; before the first fit "auto" is any valid number."""
        if isinstance(self.nu, str) and self.nu == AUTO:
            found: float | None = getattr(self, "nu_", None)
            return FIRST_NU if found is None else found
        if not is_number(self.nu) or not 0.0 < self.nu < 1.0:
            raise ValueError(
                f"nu={self.nu!r} must be {AUTO!r} or a number between 0 and 1, approximately the "
                "share of the examples that may lie below the margin"
            )
        return float(self.nu)

    def _choose_nu(self, positives: float, examples: int) -> None:
        if self.nu != AUTO:
            self.nu_ = self._most_nu = self._nu_value()
            return
        first, self._most_nu = self._make_loss().nu_range(positives, examples)
        if not hasattr(self, "nu_"):
            self.nu_ = first

    def _retries_with_larger_nu(self) -> bool:
        useless = self._has_ended and self.certificate_["soft_margin"] <= NOISE
        return self.nu == AUTO and useless and self.nu_ < self._most_nu

    def _learn(self, task: FitTask) -> None:
        """If nu is "auto", double it until there is a positive margin."""
        if not task.resumed:
            self.__dict__.pop("nu_", None)
        super()._learn(task)
        while self._retries_with_larger_nu():
            with unchanged_on_error(self):
                self.nu_, self._finished = min(2.0 * self.nu_, self._most_nu), False
                super()._learn(replace(task, resumed=False))

    @classmethod
    def _from_file(cls, fields: Fields) -> Classifier:
        made = super()._from_file(fields)
        if isinstance(made, cls) and hasattr(made, "model_") and made.nu_ is None:
            if made.nu == AUTO:  # did not exist when files had no nu_
                raise fields.wrong("others", f"must have 'nu_' where nu is {AUTO!r}")
            made.nu_ = made._nu_value()
        return made
