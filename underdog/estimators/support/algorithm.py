"""What subclasses of a booster define: parameters, parts, and what depends on the target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from underdog.certificates import Certificates
from underdog.codes import Code
from underdog.codes.base import Classes
from underdog.combiners import Stagewise
from underdog.core import Combiner, Learner, Loss, Member, Parts, Rows, Run, Target, not_defined
from underdog.estimators.support import inputs
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.task import LabelledRows
from underdog.estimators.support.validation import HeldOut, Score
from underdog.estimators.support.weights import Counted, FitArguments, Weighting, count_examples
from underdog.learners import make_learner
from underdog.model import Ensemble
from underdog.types import Floats, Integers
from underdog.workers.collective import ALONE, Collective


@dataclass(kw_only=True, eq=False, repr=False)
class Algorithm(Predictions):
    """The parameters and the parts of a booster; `AdaBoostClassifier` documents the parameters.

    `Classifier` and `Regressor` define what depends on the target: how it is checked and weighted,
    what a prediction is, and how it is scored.
    """

    learner: Any = "real"
    n_estimators: int = 100
    learning_rate: float = 1.0
    max_bins: int = 255
    min_weight_fraction_leaf: float = 0.0
    categorical_features: Any = "from_dtype"
    monotonic_cst: Any = None
    interaction_cst: Any = None
    early_stopping: bool = False
    cv: int | None = None
    validation_fraction: float = 0.1
    scoring: Any = "auto"
    n_iter_no_change: int = 10
    tol: float = 1e-7
    warm_start: bool = False
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    _learns: ClassVar[dict[str, Any]] = {}
    """Attributes that fit sets in addition to those of every booster, and their types, for files.

    The type of an attribute that was added later includes None, the value in older files.
    """
    _not_stored: ClassVar[tuple[str, ...]] = ()
    """Attributes that fit sets and files do not keep."""
    _has_more_members: ClassVar[bool] = False
    """Whether the model may have other members than one for each round."""
    _fewest_rounds: ClassVar[int] = 1
    """The least `n_estimators`."""
    _can_continue: ClassVar[bool] = True
    """Whether a fitted model can be continued by `warm_start`."""
    _certified: ClassVar[tuple[str, ...]] = ()
    """The keys of `certificate_`."""
    _model_class: ClassVar[type[Ensemble]] = Ensemble
    """The class of `model_`."""
    _held_out: ClassVar[type[HeldOut]] = HeldOut
    """Follows the predictions of held-out rows."""

    _takes_parts: ClassVar[bool] = False
    """Whether the rows may be in several processes."""
    _sum_matters: ClassVar[str] = "smoothing is 1 / their sum"
    """What depends on the sum of the sample weights."""

    # The parts of an algorithm, which subclasses override.

    def _make_loss(self) -> Loss:
        raise not_defined(self, "_make_loss")

    def _make_combiner(self) -> Combiner:
        return Stagewise(self.learning_rate)

    def _make_learner(self) -> Learner:
        return make_learner(self.learner)

    def _make_code(self, y: Any) -> Code:
        raise not_defined(self, "_make_code")

    def _fit_code(self, code: Code, examples: LabelledRows) -> Any:
        """The labels that a code makes of the target."""
        return code.fit(examples.y)

    def _make_parts(self) -> Parts:
        """All parts of one fit except the code, which depends on y."""
        return Parts(self._make_loss(), self._make_learner(), self._make_combiner())

    def _loss_for(self, labels: Any, loss: Loss) -> Loss:
        """The loss for labels of this kind, where it depends on them."""
        return loss

    def _combiner_for(self, labels: Any, combiner: Combiner) -> Combiner:
        """The combiner for labels of this kind, where it depends on them."""
        return combiner

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Any, own: Weighting) -> Parts:
        """The parts, adapted to the examples and their weights."""
        return parts

    def _smooth(self, examples: float, n_labels: int) -> float:
        """e, which is added to the weights of a block; all weights sum to one."""
        raise not_defined(self, "_smooth")

    def _smooth_for(self, examples: LabelledRows, labels: Any) -> float:
        """The smoothing of a run on these examples."""
        return self._smooth(examples.total, labels.n_labels)

    def _start(self, parts: Parts, rows: Rows, smooth: float) -> Floats:
        """(K,) the scores of all rows before the first round, on the score grid."""
        return parts.loss.start(rows)

    def _turns(self, n_labels: int) -> int:
        """How many rules one of `n_estimators` stands for: more if label columns take turns."""
        return 1

    def _min_improvement(self) -> float:
        """Minimum improvement of the validation score in early stopping."""
        return float(self.tol)

    # What depends on the target.

    def _check_parameters(self) -> None:
        """Refuse parameters of the wrong type or outside their range."""
        inputs.check_parameters(self)

    def _checked_target(self, y: Any) -> Any:
        """y as an array, if it can be learned."""
        raise not_defined(self, "_checked_target")

    def _count_examples(
        self, sample_weight: Any, y: Any, collective: Collective = ALONE
    ) -> Counted:
        """The rows that are learned from, and how many examples each of them is."""
        return count_examples(sample_weight, len(y), collective)

    def _why_in_memory(self) -> str | None:
        """What needs all rows in one place with these parameters; None if nothing does."""
        return None

    def _resumed_labels(self, labels: Any) -> Any:
        """The labels of a warm start; refuses another kind of target."""
        return labels

    def _outline(self, y: Any) -> Any:
        """What a code learns from: the distinct labels or the range of y, but no row."""
        raise not_defined(self, "_outline")

    def _classes_of_rows(
        self, y: Any, collective: Collective = ALONE
    ) -> tuple[Classes, Integers] | None:
        """The classes and the class of each row, which held-out rows keep in proportion, if any."""
        return None

    def _groups_of_rows(self, y: Any) -> Integers | None:
        """The group of each row, if rows of a group are held out together."""
        return None

    def _make_weighting(
        self, examples: LabelledRows, labels: Any, given: FitArguments
    ) -> Weighting:
        """Initial weights and costs of the examples."""
        raise not_defined(self, "_make_weighting")

    def _make_target(self, examples: LabelledRows, labels: Any, weighting: Weighting) -> Target:
        """Target and weights of the training rows."""
        raise not_defined(self, "_make_target")

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: Any,
        weighting: Weighting,
        scoring: Any,
    ) -> Score:
        """The function that measures the scores of held-out rows."""
        raise not_defined(self, "_make_score")

    def _make_model(self, run: Run) -> Ensemble:
        """The model that a run has found."""
        state, schema, start = run.state, run.rows.layout.schema, run.rows.start
        members, known = (*run.knowledge, *state.members), len(run.knowledge)
        return Ensemble(members, schema, len(start), state.path, start, n_known=known)

    def _members(self) -> Sequence[Member]:
        """The members of the fitted model, as a run takes steps with them."""
        return self.model_.found

    def _start_scores(self) -> Floats:
        """(K,) the scores from which the run of the fitted model started."""
        return self.model_.start

    def _remember(self, run: Run, labels: Any, weighting: Weighting) -> None:
        """Set the attributes that turn scores into predictions."""
        self._labels, self._link = labels, run.parts.loss

    def _certify(self, run: Run) -> dict[str, Any]:
        """The contents of `certificate_`."""
        raise not_defined(self, "_certify")

    def _nothing_certified(self, why: str) -> dict[str, Any]:
        """`certificate_` of a model of which nothing is known."""
        own: dict[str, Any] = dict.fromkeys(self._certified, math.nan)
        return Certificates(own, {}, why)
