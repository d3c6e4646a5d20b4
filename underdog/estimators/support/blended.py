"""The parameters and the fit of boosters that are blended with a linear model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np
from sklearn.base import is_regressor
from threadpoolctl import threadpool_limits

from underdog.checks import check_flag, check_positive
from underdog.core import Member, Run
from underdog.data import Schema
from underdog.data.draws import NEVER, Draw, seed_of
from underdog.engine import ALL_DONE
from underdog.estimators.support.blending import FEW, Blend, blend_members, find_blend, task_of
from underdog.estimators.support.early_stopping import FOLDS, ChosenRounds, has_choice, split
from underdog.estimators.support.task import FitTask, Folds, LabelledRows
from underdog.estimators.support.trees import FOR_TREES, TreeParameters
from underdog.files import Fields
from underdog.model import Ensemble
from underdog.model.linear_part import describe_linear, linear_importances
from underdog.model.writing import counted
from underdog.types import Floats

ENOUGH = 50
"""Examples of a class in the only part that is left out; with fewer, every row is left out once."""

NOTHING_LEFT_OUT = Folds(
    np.empty(0, dtype=np.int64), ", few because no row could be left out", False, 0
)
"""If there are no folds: then there is no choice of rounds."""

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
    _fewest_rounds: ClassVar[int] = 0
    _can_continue: ClassVar[bool] = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flag("linear", self.linear)
        if self.n_estimators == 0 and not (self._has_linear and self.early_stopping):
            raise ValueError(
                "n_estimators=0 is a linear model without trees: it needs linear=True, "
                "early_stopping=True, a loss that linear models have, and no monotonic_cst"
            )
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
            _, folds = split(replace(self, cv=self.cv or FOLDS), examples)
        except ValueError:  # too few different rows
            return examples, None
        found = cast(Folds, folds)
        return examples, found if has_choice(self, examples, found.of_row) else None

    def _check_folds(self, found: Folds | None) -> None:
        pass  # without a choice there are few rounds

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
            if self.early_stopping and task.held_out is None:
                task = replace(task, held_out=NOTHING_LEFT_OUT)
            elif isinstance(task.held_out, Folds):
                boosters = [self, *self._others()]
                self._blend = find_blend(boosters, task, self._has_linear, self.time_budget)
                place = self._blend.trees
                task = task_of(boosters[place], task, place)
            super()._learn(task)

    def _find_rounds(self, task: FitTask) -> ChosenRounds:
        folds = cast(Folds, task.held_out)
        rounds = min(FEW, self.n_estimators) if folds is NOTHING_LEFT_OUT else self._blend.rounds
        return ChosenRounds(rounds, [], ALL_DONE, folds.how)

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
            "of_words": blend.with_words,
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
        trees: Floats = np.zeros(self.n_features_in_)
        if self.n_iter_:
            trees = super().feature_importances_
        if weight == 0.0:
            return trees
        linear = linear_importances(self.linear_members, self.n_features_in_)
        return (1.0 - weight) * trees + weight * linear

    @property
    def linear_members(self) -> Sequence[Member]:
        """The members of the model that are columns of its linear part."""
        self._check_fitted()
        if not self._linear_weight:
            return []
        return [member for member in self.model_.members[self.n_iter_ :] if member.size]

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
        if "of_words" in own:  # not in files of version 0.2.0
            own.flag("of_words")
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
            return f"{rounds}, {self._without_choice}."
        losses = chosen["left_out_loss"]
        weight, alone = chosen["weight"], [f"trees alone {losses['trees']:.4g}"]
        if "linear" in losses and weight < 1.0:
            alone.append(f"the linear model alone {losses['linear']:.4g}")
        if "other_trees" in losses:
            alone.append(f"with other trees {losses['other_trees']:.4g}")
        if chosen["rounds"] == 0 and weight == 0.0:
            return (
                "No trees and no linear model: nothing was better on left-out rows than "
                f"{self._about_constant}, with a loss of {losses['blend']:.4g} "
                f"({', '.join(alone)})."
            )
        model, linear = rounds, "a linear model"
        if chosen.get("of_words"):
            linear += " of words"
        if chosen.get("trees") or self.alternatives:
            model += f" of {self._about_trees(chosen.get('trees', {}))}"
            model += "," if 0.0 < weight < 1.0 else ""
        if chosen["rounds"] == 0:
            model = linear.capitalize() + ("" if weight == 1.0 else f", times {weight:g},")
            model += " and no trees"
        elif weight == 1.0:  # in files of version 0.2.0
            model = f"A weight of 1 for {linear}, and of 0 for {rounds} of trees"
        elif weight > 0.0:
            model += f" and a weight of {weight:g} for {linear}"
        return (
            f"{model}, chosen by the loss of left-out rows: {losses['blend']:.4g} "
            f"({', '.join(alone)})."
        )

    @property
    def _without_choice(self) -> str:
        """Why the rounds were not chosen on left-out rows."""
        if not self.early_stopping:
            return "which were not chosen: early_stopping=False"
        if np.isfinite(self.history_.get("validation_score", np.nan)).any():
            return "chosen on the rows of X_val"
        return "which were not chosen: no row could be left out"

    @property
    def _about_constant(self) -> str:
        """What is predicted without trees and a linear model."""
        if not is_regressor(self):
            return "the shares of the classes"
        return "the mean" if getattr(self, "loss", None) in ("squared", "poisson") else "a constant"

    def _about_trees(self, changes: Mapping[str, Any]) -> str:
        """The trees, of which some parameters differ from the booster's."""
        own = replace(self, alternatives=(), **changes)
        sizes = [] if own.max_depth is None else [f"depth {own.max_depth}"]
        if own.max_leaf_nodes is not None:
            sizes.append(counted(own.max_leaf_nodes, "leaf", "leaves"))
        size = f"of {' and '.join(sizes)} " if sizes else ""
        cuts = "the best" if own.cuts == "all" else "random"
        return f"trees {size}with {cuts} cuts and a learning rate of {own.learning_rate:g}"
