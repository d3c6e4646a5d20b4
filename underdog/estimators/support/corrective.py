"""What boosters share that find all coefficients anew in every round."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import numpy as np
from threadpoolctl import threadpool_limits

from underdog.checks import UnderdogWarning, is_number, notify
from underdog.codes import Labels
from underdog.combiners.corrective import FAILED, NOISE, SILENT, maximises_edge
from underdog.core import Parts, Run, not_defined
from underdog.engine import ALL_DONE, INTERRUPTED
from underdog.estimators.support.base import Booster
from underdog.estimators.support.binary import BinaryBooster
from underdog.estimators.support.convergence import NotConverged
from underdog.estimators.support.early_stopping import Found
from underdog.estimators.support.task import Examples, FitTask
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
    """A booster for two classes whose coefficients have the greatest soft margin."""

    learner: Any = "real.mh"
    n_estimators: int = 300
    tol: float = 0.01

    _remedy: ClassVar[str] = "Try a larger nu, or ERLPBoostClassifier, which does not stall"
    """What to do about a margin of 0."""
    _learns: ClassVar[dict[str, Any]] = {"converged_": bool}
    _certified: ClassVar[tuple[str, ...]] = (
        "primal_value", "dual_value", "gap", "upper_bound", "minimum_margin", "soft_margin",
        "n_hypotheses", "training_error", "stopped",
    )  # fmt: skip

    def _make_loss(self) -> SoftMargin:
        raise not_defined(self, "_make_loss")

    def _least_rise(self) -> float:
        return NOISE  # tol is for the margin

    def _make_weighting(self, examples: Examples, labels: Labels, given: FitArguments) -> Weighting:
        if self.learning_rate != 1.0:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} has no meaning here, where every round "
                "finds all coefficients anew: leave it at 1"
            )
        return super()._make_weighting(examples, labels, given)

    def _adapt(self, parts: Parts, examples: Examples, labels: Labels, own: Weighting) -> Parts:
        sign, repeats = labels.sign(examples.y)[:, 0], examples.counted.repeats
        negative, positive = weight_by_sign(sign, repeats, own.log_prior)
        share = positive / (negative + positive)
        self._settle_nu(share, int(repeats.sum()))
        loss = self._make_loss()
        loss.check_feasible(share)
        if loss.constant_margin(share) > NOISE:
            smaller = min(loss.beta * share, 1.0 - share)
            notify(
                f"nu={loss.nu:.4g} is so large that a constant, the same answer for every row, "
                f"already has a soft margin above 0: a positive margin shows nothing; use nu of at "
                f"most {rounded_down(2.0 * smaller, 2)}"
            )
        return replace(parts, loss=loss)

    def _settle_nu(self, positives: float, examples: int) -> None:
        """Find nu where it is not given; `positives` is their share of the weight."""

    def _learn(self, task: FitTask) -> None:
        # The matrices are small, and more threads would change the last bits of their products.
        with threadpool_limits(1, user_api="blas"):
            super()._learn(task)

    def _keep(self, run: Run, reason: str, validation: Validation | Found | None) -> None:
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
            # The rule that was refused at the end is not asked for again.
            self.converged_, known = before
            self.certificate_ |= {name: known[name] for name in ("gap", "upper_bound")}
        if not self._has_room():
            self._warn(run, reason)

    def _has_room(self) -> bool:
        """Whether the run has found no margin, and will be done again with a larger nu."""
        return False

    def _warn(self, run: Run, reason: str) -> None:
        """Say so if the model is not what was asked for, or means little."""
        name, margin = type(self).__name__, self.certificate_["soft_margin"]
        useless, remedy = margin <= NOISE, f"the coefficients mean little. {self._remedy}"
        state = f"its soft margin is {0.0 if abs(margin) <= NOISE else margin:.4g}"
        state += f": {remedy}" if useless else f", and the gap {self.certificate_['gap']:.3g}"
        kind = UnderdogWarning if self.converged_ else NotConverged
        message = ""
        if self.converged_:
            if useless:
                message = f"{name}: {self.stop_reason_}; {remedy}"
        elif reason == ALL_DONE:
            message = (
                f"{name} ended on n_estimators={self.n_estimators} before it converged to "
                f"tol={float(self.tol):g}; {state}"
            )
        elif reason.startswith((SILENT, FAILED)) or (useless and self.early_stopping):
            message = f"{name}: {self.stop_reason_}; {state}"
        if reason != INTERRUPTED and (constant := self._as_a_constant(run)):
            message = f"{message}. {constant}" if message else f"{name}: {constant}"
        if message:
            notify(message, kind)

    def _as_a_constant(self, run: Run) -> str:
        """What to say if one answer for every row is no worse where both classes matter as much."""
        shard = run.rows.only
        target = shard.target
        own = target.sign[:, 0]
        wrong = (shard.scores.full()[:, 0] > 0.0) != (own == 1)
        every, mistaken = (
            weight_by_sign(own, repeats, target.log_prior)
            for repeats in (target.repeats, np.where(wrong, target.repeats, 0))
        )
        if 0.0 in every:  # beside the other class one weighs nothing
            return ""
        alarms, missed = mistaken[0] / every[0], mistaken[1] / every[1]
        if alarms + missed < 1.0:
            return ""
        said = (
            "The model is no better than the same answer for every row: of the training examples, "
            f"it misses {missed:.3g} of the positives and takes {alarms:.3g} of the negatives for "
            "positives"
        )
        even = self.class_weight == "balanced"
        return said if even else f'{said}. Try class_weight="balanced", for which both count alike'

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
        # The rule that was refused at the end counts, if the model is that of the last round.
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
    """A corrective booster with nu, about the share of the examples below the margin."""

    _learns: ClassVar[dict[str, Any]] = CorrectiveBooster._learns | {
        "nu_": float | None, "_most_nu": float | None,
    }  # fmt: skip

    nu: Any = AUTO

    def _number(self) -> float:
        """nu as it is given or was found; before the first fit 'auto' is any number."""
        if isinstance(self.nu, str) and self.nu == AUTO:
            found: float | None = getattr(self, "nu_", None)
            return FIRST_NU if found is None else found
        if not is_number(self.nu) or not 0.0 < self.nu < 1.0:
            raise ValueError(
                f"nu={self.nu!r} must be between 0 and 1, as it is about the share of the examples "
                f"that may lie below the margin, or {AUTO!r}, which goes by the rarer class"
            )
        return float(self.nu)

    def _settle_nu(self, positives: float, examples: int) -> None:
        if self.nu != AUTO:
            self.nu_ = self._most_nu = self._number()
            return
        first, self._most_nu = self._make_loss().nu_range(positives, examples)
        if not hasattr(self, "nu_"):
            self.nu_ = first

    def _has_room(self) -> bool:
        useless = self.converged_ and self.certificate_["soft_margin"] <= NOISE
        return self.nu == AUTO and useless and self.nu_ < self._most_nu

    def _learn(self, task: FitTask) -> None:
        """Double nu, if it is to be found, until there is a margin."""
        if not task.resumed:
            self.__dict__.pop("nu_", None)
        super()._learn(task)
        while self._has_room():
            with self._as_before_if_it_fails():
                self.nu_, self._finished = min(2.0 * self.nu_, self._most_nu), False
                super()._learn(replace(task, resumed=False))

    @classmethod
    def _from_file(cls, fields: Fields) -> Booster:
        made = super()._from_file(fields)
        if isinstance(made, cls) and hasattr(made, "model_") and made.nu_ is None:
            if made.nu == AUTO:  # which older files, without nu_, never have
                raise fields.wrong("others", f"must have 'nu_' where nu is {AUTO!r}")
            made.nu_ = made._number()
        return made
