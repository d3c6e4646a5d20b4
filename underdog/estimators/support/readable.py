"""What people look at first in a fitted booster: its rules, by scikit-learn's names and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, overload

import numpy as np
from sklearn.utils.validation import check_is_fitted

from underdog.core import Member, not_defined
from underdog.estimators.support import inputs
from underdog.estimators.support.editing import NO_BOUND, edit_notes
from underdog.model import Ensemble, markup, rules_table, used
from underdog.model.writing import counted, rounded, shortened
from underdog.types import Floats
from underdog.workers import Workers

SHOWN_RULES = 10
"""Rules on the page of a model."""


class Rule:
    """One rule of a fitted booster.

    Its scores do not include its coefficient. The score of the booster is the sum of these scores
    times `estimator_weights_`, plus `model_.start`.
    """

    def __init__(self, booster: Any, number: int) -> None:
        self._booster = booster
        self._number = number

    @property
    def _member(self) -> Member:
        member: Member = self._booster.model_.members[self._number]
        return member

    def _scores(self, X: Any) -> Floats:
        """(n, K): the compiled form of a model of one rule looks at the columns it needs only."""
        booster, values = self._booster, self._member.hypothesis.values
        table = inputs.prediction_table(booster, X)
        alone = self._member._replace(coefficient=1.0, steps=values)
        model = Ensemble([alone], booster.model_.schema, booster.model_.n_labels)
        with Workers(booster.n_jobs) as workers:
            return model.scores(table, workers)

    def predict(self, X: Any) -> Any:
        """What the rule predicts."""
        raise not_defined(self, "predict")

    def __repr__(self) -> str:
        question = self._member.hypothesis.words(self._booster.model_.schema)
        return f"Rule({shortened(question, 80)!r})"


class ClassRule(Rule):
    """A rule with the interface of a classifier."""

    @property
    def classes_(self) -> np.ndarray[Any, Any]:
        """Those of the booster."""
        found: np.ndarray[Any, Any] = self._booster.classes_
        return found

    def decision_function(self, X: Any) -> Floats:
        """The scores of the rule, in the form of the booster's `decision_function`."""
        scores: Floats = self._booster._labels.decision(self._scores(X))
        return scores

    def predict(self, X: Any) -> Any:
        """The label with the highest score; for several labels, all with a positive one."""
        return self._booster._labels.predict(self._scores(X))


class RealRule(Rule):
    """A rule with the interface of a regressor."""

    def predict(self, X: Any) -> Floats:
        """(n,) scores of the rule, or (n, K) for several quantiles, which are not sorted.

        They have the unit of the target; with "poisson" they are on the log scale.
        """
        scores = self._scores(X)
        return scores if self._booster._labels.quantiles is not None else scores[:, 0]


class RuleList(Sequence[Rule]):
    """The rules of a booster in the order in which they were found, each created on access.

    It is not part of the model: it takes no time in `fit` and no space in files.
    """

    def __init__(self, booster: Any) -> None:
        self._booster = booster

    def __len__(self) -> int:
        return len(self._booster.model_.members)

    @overload
    def __getitem__(self, number: int) -> Rule: ...
    @overload
    def __getitem__(self, number: slice) -> list[Rule]: ...
    def __getitem__(self, number: int | slice) -> Rule | list[Rule]:
        chosen = range(len(self))[number]
        if isinstance(chosen, range):
            return [self._booster._rule(self._booster, each) for each in chosen]
        rule: Rule = self._booster._rule(self._booster, chosen)
        return rule

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self[:2]))
        return f"[{first}{', ...' if len(self) > 2 else ''}] ({counted(len(self), 'rule')})"


class Readable:
    """A booster's rules under the names of scikit-learn's AdaBoost, and its page in a notebook."""

    _rule: ClassVar[type[Any]] = Rule
    """The kind of `estimators_`."""

    model_: Ensemble
    history_: dict[str, Floats]
    certificate_: dict[str, Any]
    stop_reason_: str
    _labels: Any

    @property
    def estimators_(self) -> RuleList:
        """The rules, each with a `predict` method."""
        check_is_fitted(self, "model_")
        return RuleList(self)

    @property
    def estimator_weights_(self) -> Floats:
        """The coefficient of each rule; 1 for real-valued rules, whose values are final.

        For two classes and rules that vote they are half of those of scikit-learn's AdaBoost.
        """
        check_is_fitted(self, "model_")
        return np.array([member.coefficient for member in self.model_.members])

    def _repr_html_inner(self) -> str:
        """scikit-learn's diagram and, if the booster is fitted, its first rules."""
        diagram: str = super()._repr_html_inner()  # type: ignore[misc]
        return diagram + self._page() if hasattr(self, "model_") else diagram

    def _page(self) -> str:
        """A summary of the fitted booster as HTML."""
        return page(self)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle


def _numbers(booster: Any) -> list[tuple[str, Any]]:
    """What is certified, without bounds that say nothing."""
    found = booster.certificate_
    bounds = getattr(found, "bounds", {})
    return [
        (name, value)
        for name, value in found.items()
        if name not in bounds or bounds[name].says_something
    ]


def page(booster: Any) -> str:
    """A summary of a fitted booster as HTML: what scores mean, why it stopped, the first rules."""
    model, names = booster._shown, booster._labels.names
    count = len(used(model.members))
    known = {"rules": f"{count:,}", "training stopped": booster.stop_reason_}
    if booster.edits_:  # nothing is certified of the changed rules
        known |= {f"change {n}": note for n, note in enumerate(edit_notes(booster.edits_)[:-1], 1)}
        known["bound on the error"] = NO_BOUND
    else:
        known |= {name.replace("_", " "): rounded(value) for name, value in _numbers(booster)}
    return markup.block(
        markup.title(f"{type(booster).__name__}: {booster._labels.headline(names)}"),
        markup.table((), known.items(), 2),
        rules_table(model, model.schema, names, SHOWN_RULES, booster._labels.noun),
        markup.more(count, SHOWN_RULES, "describe(None) prints all rules"),
    )
