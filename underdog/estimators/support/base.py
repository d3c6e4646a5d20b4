"""The base class of all boosters: how they are fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length

from underdog.codes import Code
from underdog.codes.base import Classes
from underdog.combiners import Stagewise
from underdog.core import (
    Combiner,
    History,
    Learner,
    Loss,
    Member,
    Parts,
    Rows,
    Run,
    State,
    Target,
    not_defined,
)
from underdog.data import Schema
from underdog.engine import ALL_DONE, INTERRUPTED, ProgressBar, Watch, boost
from underdog.estimators.support import inputs, stored
from underdog.estimators.support.certificates import correct_history
from underdog.estimators.support.constraints import constraints_of
from underdog.estimators.support.early_stopping import ChosenRounds, find_rounds, split
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.restoring import unchanged_on_error
from underdog.estimators.support.soft_labels import members_in, soften
from underdog.estimators.support.task import FitTask, Folds, LabelledRows, place_rows
from underdog.estimators.support.validation import (
    BestRound,
    HeldOut,
    Score,
    Validation,
    no_validation,
)
from underdog.estimators.support.weights import (
    Counted,
    FitArguments,
    Weighting,
    count_examples,
    count_weightless,
    warn_of_shares,
)
from underdog.files import Fields
from underdog.learners import make_learner
from underdog.model import Ensemble
from underdog.model.writing import counted
from underdog.types import Floats, Integers
from underdog.workers import Workers


@dataclass(kw_only=True, eq=False, repr=False)
class Booster(Predictions):
    """Base class of all boosters; `AdaBoostClassifier` documents the shared parameters.

    `Classifier` and `Regressor` define what depends on the target.
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
    """Types of further attributes that fit sets, for files; with None if older files have none."""
    _not_stored: ClassVar[tuple[str, ...]] = ()
    """Attributes that fit sets and files do not keep."""
    _has_more_members: ClassVar[bool] = False
    """Whether the model may have other members than one for each round."""
    _can_continue: ClassVar[bool] = True
    """Whether a fitted model can be continued by `warm_start`."""
    _certified: ClassVar[tuple[str, ...]] = ()
    """The keys of `certificate_`."""
    _model_class: ClassVar[type[Ensemble]] = Ensemble
    """The class of `model_`."""
    _held_out: ClassVar[type[HeldOut]] = HeldOut
    """Follows the predictions of held-out rows."""
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
        return combiner  # or another one for labels of this kind

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

    def _count_examples(self, sample_weight: Any, y: Any) -> Counted:
        """The rows that are learned from, and how many examples each of them is."""
        return count_examples(sample_weight, len(y))

    def _resumed_labels(self, labels: Any) -> Any:
        """The labels of a warm start; refuses another kind of target."""
        return labels

    def _classes_of_rows(self, y: Any) -> tuple[Classes, Integers] | None:
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

    def _fit(self, X: Any, y: Any, given: FitArguments) -> Any:
        with unchanged_on_error(self):
            self._check_and_learn(X, y, given)
        return self

    def _check_and_learn(self, X: Any, y: Any, given: FitArguments) -> None:
        self._check_parameters()
        parts = self._make_parts()
        parts.check()
        table = inputs.training_table(self, X, y)
        y = self._checked_target(y)
        check_consistent_length(table, y)
        counted = self._count_examples(given.sample_weight, y)
        warn_of_shares(given.sample_weight, counted.examples, self._smooth, self._sum_matters)
        examples = LabelledRows(table, y, counted)
        if len(counted.kept) < len(table):
            examples = LabelledRows(table[counted.kept], y[counted.kept], counted)
        code = self._make_code(examples.y)
        code.check()
        labels = self._fit_code(code, examples)
        resumed = self.warm_start and hasattr(self, "model_")
        if resumed:
            inputs.check_resumed_rounds(self)
            labels = self._resumed_labels(labels)
        examples = self._informed(examples, X, labels, parts)
        held_out: LabelledRows | Folds | None = None
        validation_data = inputs.validation_data(self, table, labels, given)
        if validation_data is not None:
            held_out = LabelledRows(*validation_data, count_examples(None, len(validation_data[0])))
            held_out = self._informed(held_out, given.X_val, labels, parts)
        elif self.early_stopping:
            examples, held_out = self._hold_out(examples)
        with Workers(self.n_jobs) as workers:
            parts = replace(parts, code=code)
            self._learn(FitTask(parts, examples, held_out, labels, given, resumed, workers))

    def _learn(self, task: FitTask) -> None:
        examples, labels = task.examples, task.labels
        schema = self.model_.schema if task.resumed else self._learn_schema(task)
        weighting = self._make_weighting(examples, labels, task.given)
        start = self._start_scores() if task.resumed else None
        run = self._make_run(task, schema, weighting, start)
        validation: Validation | ChosenRounds | None = None
        if isinstance(task.held_out, LabelledRows):
            waits = self.n_iter_no_change * self._turns(labels.n_labels)
            patience = waits if self.early_stopping else None
            score = self._make_score(run.parts, task.held_out, labels, weighting, self.scoring)
            best = BestRound(patience, self._min_improvement())
            validation = Validation(score, best, task.held_out.known)
        reason = ALL_DONE
        if task.resumed:
            run.history = History.from_columns(self.history_, self.n_iter_)
            run.parts.combiner.resume(run, self._members(), self.model_.path)
            reason = self.stop_reason_ if self._finished else ALL_DONE
        interrupt = None
        if reason == ALL_DONE:
            if isinstance(task.held_out, Folds):
                validation = self._find_rounds(task)
            try:
                reason = self._boost(run, validation)
            except KeyboardInterrupt as error:
                if not len(run.history):
                    raise
                reason, interrupt = INTERRUPTED, error
                run.state.restore()
        self._remember(run, labels, weighting)
        self._keep(run, reason, validation)
        if interrupt is not None:
            raise interrupt

    def _learn_schema(self, task: FitTask) -> Schema:
        """The cuts and levels of the training rows, and those that given rules ask about."""
        schema = task.examples.learn_schema(self.max_bins, task.workers)
        return task.parts.learner.widen(schema, task.examples.table)

    def _informed(self, rows: LabelledRows, X: Any, labels: Any, parts: Parts) -> LabelledRows:
        """The rows of X with what is known of them beforehand."""
        return rows

    def _hold_out(self, examples: LabelledRows) -> tuple[LabelledRows, LabelledRows | Folds | None]:
        """Training rows, and what early stopping is decided by."""
        return split(self, examples)

    def _find_rounds(self, task: FitTask) -> ChosenRounds:
        """The number of rounds, by folds."""
        return find_rounds(self, task)

    def _make_run(
        self, task: FitTask, schema: Schema, weighting: Weighting, start: Floats | None = None
    ) -> Run:
        examples, labels = task.examples, task.labels
        parts = replace(task.parts, loss=self._loss_for(labels, task.parts.loss))
        parts.check_code()
        parts = self._adapt(parts, examples, labels, weighting)
        constraints = constraints_of(self, parts, schema, labels)
        target = soften(self._make_target(examples, labels, weighting), examples.known, parts.loss)
        parts.check_target(target)
        rows = place_rows(examples.table, schema, target, task.workers)
        smooth = self._smooth_for(examples, labels)
        if examples.known is None:  # else the scores start from what is known
            rows.start_from(self._start(parts, rows, smooth) if start is None else start)
        state = State(rows, parts.combiner.make_signals(parts.loss, rows))
        run = Run(
            parts,
            rows,
            state,
            History(),
            smooth=smooth,
            least_block=float(self.min_weight_fraction_leaf),
            weightless=count_weightless(rows, state.signals),
            workers=task.workers,
            random=check_random_state(self.random_state),
            random_state=self.random_state,
            constraints=constraints,
            labels=labels,
            knowledge=members_in(examples.known, rows, constraints),
        )
        run.memory = parts.combiner.start(run)
        return run

    def _boost(self, run: Run, validation: Validation | ChosenRounds | None) -> str:
        watches: list[Watch] = []
        rounds = self.n_estimators * self._turns(run.rows.n_labels)
        if validation is not None:
            validation.start(run.rows.layout.schema, run.state, run.history, self._held_out)
            watches.append(validation)
        elif run.history.rows and "validation_score" in run.history.rows[0]:
            watches.append(no_validation)
        if isinstance(validation, ChosenRounds):
            rounds = validation.best_round
        bar = ProgressBar(rounds) if self.verbose else None
        watches += [] if bar is None else [bar]
        try:
            reason = boost(run, rounds, tuple(watches))
        finally:
            if bar is not None:
                bar.close()
        if isinstance(validation, ChosenRounds) and reason == ALL_DONE:
            return validation.reason
        return reason

    def _keep(self, run: Run, reason: str, validation: Validation | ChosenRounds | None) -> None:
        """Keep the model and the history of a run, but none of the data."""
        correct_history(run)
        history, kept = run.history, len(run.history)
        self._finished = reason not in (ALL_DONE, INTERRUPTED)
        if validation is not None and self.early_stopping and reason != INTERRUPTED:
            best, how = validation.best_round, validation.how
            if 0 < best < kept or (how and best == kept):
                kept, reason = best, f"{reason}: kept {counted(best, 'round')}{how}"
        run.state.undo(kept)
        run.parts.combiner.after_last_round(run)
        self._link = run.parts.combiner.final_loss(run, kept)
        model = self._make_model(run)
        self.history_ = history.arrays()
        self.stop_reason_ = reason
        self.n_iter_ = kept
        self.certificate_ = self._certify(run)
        self.__dict__.pop("edits_", None)
        self.model_ = model  # last: if there is a model, all other attributes are set

    def _check_restored(self, fields: Fields) -> None:
        """Refuse learned attributes of a file that fit would not set."""

    def _to_file(self) -> dict[str, Any]:
        return stored.state_of(self)

    @classmethod
    def _from_file(cls, fields: Fields) -> Booster:
        return stored.booster_of(cls, fields)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = replace(tags.input_tags, allow_nan=True, sparse=True, categorical=True)
        return tags
