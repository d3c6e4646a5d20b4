"""The parameters and the fit of boosters that are blended with a linear model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from threadpoolctl import threadpool_limits

from underdog.checks import check_flag, check_positive
from underdog.core import Member, Run
from underdog.data import Schema
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.engine import ALL_DONE
from underdog.estimators.support.blending import Blend, blend_members, find_blend, task_of
from underdog.estimators.support.early_stopping import FOLDS, ChosenRounds, split
from underdog.estimators.support.task import FitTask, Folds, LabelledRows
from underdog.estimators.support.trees import FOR_TREES, TreeParameters
from underdog.files import Fields
from underdog.model import Ensemble
from underdog.model.linear_part import describe_linear, linear_importances
from underdog.model.writing import counted
from underdog.types import Floats

ENOUGH = 50
"""Examples of a class in the only part that is left out; with fewer, every row is left out once."""

MAY_DIFFER = (*FOR_TREES, "learning_rate", "n_estimators")
"""Parameters in which alternatives may differ from the booster."""


def check_alternatives(alternatives: Any) -> None:
    """Refuse what is not a list of parameters of the trees."""
    if not isinstance(alternatives, list | tuple) or not all(
        isinstance(changes, Mapping) for changes in alternatives
    ):
        raise ValueError(
            f"alternatives={alternatives!r} must be a list of dictionaries with parameters of the "
            'trees, such as [{"cuts": "all", "max_depth": 6}]'
        )
    for changes in alternatives:
        unknown = [name for name in changes if name not in MAY_DIFFER]
        if unknown:
            raise ValueError(
                f"alternatives: {unknown[0]!r} cannot be changed there: only "
                f"{', '.join(MAY_DIFFER)} can"
            )


@dataclass(kw_only=True, eq=False, repr=False)
class Blended(TreeParameters):
    """A booster of trees whose model is a mean of its scores and those of a linear model."""

    _takes_parts: ClassVar[bool] = False

    n_estimators: int = 1000
    learning_rate: float = 0.05
    max_depth: int | None = 4
    l2_regularization: float = 1.0
    cuts: str = "random"
    bootstrap: bool = True
    linear: bool = True
    alternatives: Sequence[Mapping[str, Any]] = ()
    time_budget: float | None = None
    early_stopping: bool = True
    cv: int | None = 5
    validation_fraction: float = 0.2

    _learns: ClassVar[dict[str, Any]] = {"blend_": dict}
    _not_stored: ClassVar[tuple[str, ...]] = ("left_out_scores_",)
    _has_more_members: ClassVar[bool] = True
    _can_continue: ClassVar[bool] = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flag("linear", self.linear)
        check_alternatives(self.alternatives)
        for other in self._others():
            other._check_parameters()
            other._make_parts().check()
        if self.time_budget is not None:
            check_positive("time_budget", self.time_budget)
        if self.warm_start:
            raise ValueError(
                f"warm_start=True is not supported by {type(self).__name__}, whose rounds are "
                "chosen by folds: use warm_start=False, or a booster such as "
                "GradientBoostingClassifier"
            )

    def _others(self) -> list[Self]:
        """A booster for each alternative."""
        return [replace(self, alternatives=(), **changes) for changes in self.alternatives]

    def _hold_out(self, examples: LabelledRows) -> tuple[LabelledRows, LabelledRows | Folds | None]:
        if self.cv is None:
            held_out = self._one_part(examples)
            if held_out is not None:
                return examples, held_out
        try:
            return split(replace(self, cv=self.cv or FOLDS), examples)
        except ValueError:  # too few different rows
            return examples, None

    def _one_part(self, examples: LabelledRows) -> Folds | None:
        """One part of the rows that is left out, if it has enough examples of every class."""
        found, repeats = self._classes_of_rows(examples.y), examples.counted.repeats
        kinds = np.zeros(len(examples.y), dtype=np.int64) if found is None else found[1]
        draw = Draw(examples.table, kinds, repeats, seed_of(self.random_state))
        apart = draw.share(self.validation_fraction)
        if np.bincount(kinds[apart], repeats[apart], int(kinds.max()) + 1).min() < ENOUGH:
            return None
        how = f", chosen on {self.validation_fraction:g} of the rows"
        return Folds(np.where(apart, 0, NEVER), how, False, 1)

    @property
    def _has_linear(self) -> bool:
        return self.linear and self.monotonic_cst is None  # only trees keep constraints

    def _learn(self, task: FitTask) -> None:
        with threadpool_limits(1, user_api="blas"):  # the vectors of L-BFGS are short
            if isinstance(task.held_out, Folds):
                boosters = [self, *self._others()]
                self._blend = find_blend(boosters, task, self._has_linear, self.time_budget)
                place = self._blend.trees
                task = task_of(boosters[place], task, place)
            super()._learn(task)

    def _find_rounds(self, task: FitTask) -> ChosenRounds:
        how = cast(Folds, task.held_out).how
        return ChosenRounds(self._blend.rounds, [], ALL_DONE, how)

    def _make_model(self, run: Run) -> Ensemble:
        blend: Blend | None = self.__dict__.pop("_blend", None)
        self.blend_: dict[str, Any] = {}
        self.left_out_scores_: Floats | None = None
        if blend is None:
            return super()._make_model(run)
        others = [*blend.of_boosters[: blend.trees], *blend.of_boosters[blend.trees + 1 :]]
        names = ("blend", "trees", "linear", "other_trees")
        losses = dict(zip(names, (*blend.losses, min(others, default=np.inf)), strict=True))
        self.blend_ = {
            "rounds": blend.rounds,
            "rounds_tried": blend.rounds_tried,
            "weight": blend.weight,
            "strength": blend.strength,
            "trees": dict(self.alternatives[blend.trees - 1]) if blend.trees else {},
            "left_out_loss": {name: loss for name, loss in losses.items() if np.isfinite(loss)},
        }
        self.left_out_scores_ = blend.left_out
        rows, unit = run.rows, run.rows.shards[0].target.unit
        start, members = blend_members(run, blend)
        return Ensemble(members, rows.layout.schema, rows.n_labels, (), start).in_unit(unit)

    @property
    def feature_importances_(self) -> Floats:
        """Importance of each column: a mean of those of the trees and of the linear model.

        In the trees it is the share in the improvement by their tests, and in the linear model the
        share in the spread (standard deviation) of what its columns add. The weights are those of
        the blend.
        """
        self._check_fitted()
        weight = self._linear_weight
        trees: Floats = super().feature_importances_
        if weight == 0.0:
            return trees
        linear = linear_importances(self.linear_members, self.n_features_in_)
        return (1.0 - weight) * trees + weight * linear

    @property
    def linear_members(self) -> Sequence[Member]:
        """The members of the model that are columns of its linear part."""
        self._check_fitted()
        return self.model_.members[self.n_iter_ :] if self._linear_weight else []

    @property
    def _linear_weight(self) -> float:
        return float(self.blend_["weight"]) if self.blend_ else 0.0

    def _described(
        self,
        schema: Schema,
        names: Sequence[str],
        max_display: int | None,
        merged: bool,
        by_label: bool,
    ) -> str:
        """The linear model first: few lines that may say most."""
        text: str = super()._described(schema, names, max_display, merged, by_label)
        if self._linear_weight == 0.0 or merged or by_label:
            return text
        lines = describe_linear(
            self.linear_members,
            schema,
            names if self.model_.n_labels > 1 else None,
            max_display,
        )
        title, rules = text.split("\n", 1)
        head = f"linear model, with a weight of {self._linear_weight:g} (strongest columns first):"
        indented = "\n".join(f"      {line}" for line in lines)
        last = "rules (the trees, then the columns of the linear model):"
        return f"{title}\n{head}\n{indented}\n{last}\n{rules}"

    def _check_restored(self, fields: Fields) -> None:
        self.left_out_scores_ = None
        if not self.blend_:
            return
        own = Fields("blend_", self.blend_)
        # The trees of all rows may have ended before the rounds that were best for folds.
        rounds = own.integer("rounds", self.n_iter_, 1 << 31)
        own.integer("rounds_tried", rounds, 1 << 31)
        weight, strength = own.number("weight"), own.number("strength")
        losses = own.mapping("left_out_loss")
        if "trees" in own:  # not in files of version 0.1
            check_alternatives([own.mapping("trees")])
        own.done()
        if not 0.0 <= weight <= 1.0 or not strength > 0.0 or "blend" not in losses:
            raise fields.wrong("others", "have a blend that no fit would choose")
        if not all(isinstance(loss, float) for loss in losses.values()) or "trees" not in losses:
            raise fields.wrong("others", "must have losses of the blend and of the trees")

    def about_blend(self) -> str:
        """What was chosen on left-out rows, in one sentence."""
        self._check_fitted()
        chosen: dict[str, Any] = self.blend_
        rounds = counted(self.n_iter_, "round")
        if not chosen:
            return f"{rounds} without a choice, because no row could be left out."
        losses = chosen["left_out_loss"]
        weight, alone = chosen["weight"], [f"trees alone {losses['trees']:.4g}"]
        if "linear" in losses and weight < 1.0:
            alone.append(f"the linear model alone {losses['linear']:.4g}")
        if "other_trees" in losses:
            alone.append(f"with other trees {losses['other_trees']:.4g}")
        model = rounds
        if chosen.get("trees"):
            changes = ", ".join(f"{name}={value!r}" for name, value in chosen["trees"].items())
            model += f" of trees with {changes}"
        if weight > 0.0:
            model += f" and a weight of {weight:g} for a linear model"
        if weight == 1.0:
            model = "The linear model without trees"
        return (
            f"{model}, chosen by the loss of left-out rows: {losses['blend']:.4g} "
            f"({', '.join(alone)})."
        )
