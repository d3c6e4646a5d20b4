"""The base class of all boosting classifiers: how they are fitted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length

from underdog.codes import Code, Labels, choose_code
from underdog.combiners import Stagewise
from underdog.core import (
    Combiner,
    History,
    Learner,
    Loss,
    Parts,
    Rows,
    Run,
    Shard,
    State,
    Target,
)
from underdog.costs import Costs
from underdog.data import EncodedRows, Schema, Table
from underdog.engine import ALL_DONE, INTERRUPTED, ProgressBar, Watch, boost
from underdog.estimators.support import inputs, stored
from underdog.estimators.support.certificates import bound_of, correct_history
from underdog.estimators.support.constraints import constraints_of
from underdog.estimators.support.early_stopping import ChosenRounds, find_rounds, split
from underdog.estimators.support.predictions import Predictions
from underdog.estimators.support.task import FitTask, Folds, LabelledRows
from underdog.estimators.support.validation import (
    BestRound,
    Validation,
    ValidationScore,
    no_validation,
)
from underdog.estimators.support.weights import (
    FitArguments,
    Weighting,
    count_examples,
    count_weightless,
    warn_of_larger_class,
    warn_of_shares,
    weighting_of,
)
from underdog.files import Fields
from underdog.learners import make_learner
from underdog.losses import Exponential
from underdog.model import Ensemble
from underdog.model.writing import counted
from underdog.types import Floats
from underdog.workers import Workers


@dataclass(kw_only=True, eq=False, repr=False)
class Booster(Predictions):
    """Base class of all boosters; `AdaBoostClassifier` documents the shared parameters."""

    learner: Any = "real"
    n_estimators: int = 100
    learning_rate: float = 1.0
    smoothing: float | None = None
    max_bins: int = 255
    min_weight_fraction_leaf: float = 0.0
    pos_label: Any = None
    class_weight: Any = None
    costs: Costs | None = None
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
    _certified: ClassVar[tuple[str, ...]] = ("bound", "training_error")
    """The keys of `certificate_`."""

    _sum_matters: ClassVar[str] = "smoothing is 1 / their sum"
    """What depends on the sum of the sample weights."""

    # The parts of an algorithm, which subclasses override.

    def _make_loss(self) -> Loss:
        return Exponential()

    def _make_combiner(self) -> Combiner:
        return Stagewise(self.learning_rate)

    def _make_learner(self) -> Learner:
        return make_learner(self.learner)

    def _make_code(self, y: Any) -> Code:
        return choose_code(y, self.pos_label)

    def _make_parts(self) -> Parts:
        """All parts of one fit except the code, which depends on y."""
        return Parts(self._make_loss(), self._make_learner(), self._make_combiner())

    def _loss_for(self, labels: Labels, loss: Loss) -> Loss:
        """The loss for labels of this kind, where it depends on them."""
        return loss

    def _adapt(self, parts: Parts, examples: LabelledRows, labels: Labels, own: Weighting) -> Parts:
        """The parts, adapted to the examples and their weights."""
        return parts

    def _smooth(self, examples: float, n_labels: int) -> float:
        """e, which is added to the weights of a block; all weights sum to one."""
        return 1.0 / (examples * n_labels) if self.smoothing is None else float(self.smoothing)

    def _min_improvement(self) -> float:
        """Minimum improvement of the validation score in early stopping."""
        return float(self.tol)

    def _make_weighting(
        self, examples: LabelledRows, labels: Labels, given: FitArguments
    ) -> Weighting:
        """Initial weights and costs of the examples."""
        costs = self._given_costs(given)
        counted, y = examples.counted, examples.y
        weighting = weighting_of(self.class_weight, costs, counted, labels, y)
        reason = self._reason_for_positives(costs)
        if reason is not None and not self._names_positive():
            warn_of_larger_class(reason, counted, labels, y)
        return weighting

    def _reason_for_positives(self, costs: Costs | None) -> str | None:
        """The parameter that gives positives more weight than negatives, if there is one."""
        own = self.costs if costs is None else costs
        if own is not None:
            return f"costs={own!r}" if own.is_pair() and own.ratio() > 1.0 else None
        beta = self._make_loss().beta
        return f"beta={beta:g}" if beta > 1.0 else None

    def _names_positive(self) -> bool:
        """Whether the user has named the positive class."""
        return self.pos_label is not None

    def _given_costs(self, given: FitArguments) -> Costs | None:
        """The costs of mistakes, from the constructor or from fit."""
        inputs.check_costs(given.costs)
        if given.costs is not None and self.costs is not None:
            raise ValueError("costs were given both to the constructor and to fit: give them once")
        return self.costs if given.costs is None else given.costs

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        costs: Costs | None = None,
        X_val: Any = None,
        y_val: Any = None,
    ) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : array, sparse matrix, data frame or Table of shape (n, d)
            NaN is a missing value, and goes to the better side of each test. An absent entry of a
            sparse matrix is zero.
        y : array of shape (n,), or an indicator matrix for a multilabel problem
            The labels.
        sample_weight : array of shape (n,), optional
            How many examples each row stands for. If all weights are whole numbers,
            `min_samples_leaf` counts a row as many times, otherwise once.
        costs : Costs, optional
            Costs of mistakes per row. Costs shared by all rows are the parameter `costs`.
        X_val, y_val : optional
            Validation data for early stopping, used instead of `validation_fraction`.

        Returns
        -------
        self
        """
        return self._fit(X, y, FitArguments(sample_weight, X_val, y_val, costs=costs))

    def _fit(self, X: Any, y: Any, given: FitArguments) -> Any:
        with self._unchanged_on_error():
            self._check_and_learn(X, y, given)
        return self

    @contextmanager
    def _unchanged_on_error(self) -> Iterator[None]:
        """Restore all attributes if an error occurs before the model is replaced."""
        own = self.__dict__
        before = dict(own)
        try:
            yield
        except BaseException:
            if "model_" in before and self.model_ is before["model_"]:
                own.clear()
                own.update(before)
            raise

    def _check_and_learn(self, X: Any, y: Any, given: FitArguments) -> None:
        inputs.check_parameters(self)
        parts = self._make_parts()
        parts.check()
        table = inputs.training_table(self, X, y)
        y = inputs.checked_target(y)
        check_consistent_length(table, y)
        counted = count_examples(given.sample_weight, len(table))
        warn_of_shares(given.sample_weight, counted.examples, self._smooth, self._sum_matters)
        examples = LabelledRows(table, y, counted)
        if len(counted.kept) < len(table):
            examples = LabelledRows(table[counted.kept], y[counted.kept], counted)
        code = self._make_code(examples.y)
        code.check()
        labels = code.fit(examples.y)
        resumed = self.warm_start and hasattr(self, "model_")
        if resumed:
            inputs.check_resumed(self, labels)
        held_out: LabelledRows | Folds | None = None
        validation_data = inputs.validation_data(self, table, labels, given)
        if validation_data is not None:
            held_out = LabelledRows(*validation_data, count_examples(None, len(validation_data[0])))
        elif self.early_stopping:
            examples, held_out = split(self, examples)
        with Workers(self.n_jobs) as workers:
            parts = replace(parts, code=code)
            self._learn(FitTask(parts, examples, held_out, labels, given, resumed, workers))

    def _learn(self, task: FitTask) -> None:
        examples, labels = task.examples, task.labels
        if task.resumed:
            schema = self.model_.schema
        else:
            repeats, max_bins = examples.counted.repeats, self.max_bins
            schema = Schema.learn(examples.table, repeats, max_bins, task.workers)
        weighting = self._make_weighting(examples, labels, task.given)
        start = self.model_.start if task.resumed else None
        run = self._make_run(task, schema, weighting, start)
        validation: Validation | ChosenRounds | None = None
        if isinstance(task.held_out, LabelledRows):
            patience = self.n_iter_no_change if self.early_stopping else None
            log_class = weighting.log_class
            score = self._make_score(run.parts, task.held_out, labels, log_class, self.scoring)
            validation = Validation(score, BestRound(patience, self._min_improvement()))
        reason = ALL_DONE
        if task.resumed:
            run.history = History.from_columns(self.history_, self.n_iter_)
            run.parts.combiner.resume(run, self.model_.members, self.model_.path)
            reason = self.stop_reason_ if self._finished else ALL_DONE
        interrupt = None
        if reason == ALL_DONE:
            if isinstance(task.held_out, Folds):
                validation = find_rounds(self, task)
            try:
                reason = self._boost(run, validation)
            except KeyboardInterrupt as error:
                if not len(run.history):
                    raise
                reason, interrupt = INTERRUPTED, error
                run.state.restore()
        self._labels, self._link = labels, run.parts.loss
        self._log_class_weight = weighting.log_class
        self._log_odds_shift = run.parts.log_odds_shift
        self.classes_ = labels.classes
        self._keep(run, reason, validation)
        if interrupt is not None:
            raise interrupt

    def _make_score(
        self,
        parts: Parts,
        held_out: LabelledRows,
        labels: Labels,
        log_class: Floats,
        scoring: Any,
    ) -> ValidationScore:
        """The function that measures the scores of held-out rows."""
        return ValidationScore(
            held_out.table,
            held_out.y,
            held_out.counted.weights(),
            labels,
            parts.loss,
            log_class,
            parts.log_odds_shift,
            "loss" if isinstance(scoring, str) and scoring == "auto" else scoring,
        )

    def _make_run(
        self, task: FitTask, schema: Schema, weighting: Weighting, start: Floats | None = None
    ) -> Run:
        examples, labels = task.examples, task.labels
        parts = replace(task.parts, loss=self._loss_for(labels, task.parts.loss))
        parts.check_code()
        parts = self._adapt(parts, examples, labels, weighting)
        constraints = constraints_of(self, parts.learner, schema, labels)
        counted = examples.counted
        target = Target(
            labels.sign(examples.y),
            counted.repeats,
            weighting.log_prior,
            weighting.log_cost,
            weighting.log_label,
        )
        rows = place_rows(examples.table, schema, target, task.workers)
        rows.start_from(parts.loss.start(rows) if start is None else start)
        state = State(rows, parts.combiner.make_signals(parts.loss, rows))
        run = Run(
            parts,
            rows,
            state,
            History(),
            smooth=self._smooth(counted.examples, labels.n_labels),
            least_block=float(self.min_weight_fraction_leaf),
            weightless=count_weightless(rows, state.signals[0]) if target.log_prior.any() else 0,
            workers=task.workers,
            random=check_random_state(self.random_state),
            random_state=self.random_state,
            constraints=constraints,
        )
        run.memory = parts.combiner.start(run)
        return run

    def _boost(self, run: Run, validation: Validation | ChosenRounds | None) -> str:
        watches: list[Watch] = []
        rounds = self.n_estimators
        if validation is not None:
            validation.start(run.rows.layout.schema, run.state, run.history)
            watches.append(validation)
        elif run.history.rows and "validation_score" in run.history.rows[0]:
            watches.append(no_validation)
        if isinstance(validation, ChosenRounds):
            rounds = validation.best_round
        bar = ProgressBar(rounds) if self.verbose else None
        if bar is not None:
            watches.append(bar)
        try:
            reason = boost(run, rounds, tuple(watches))
        finally:
            if bar is not None:
                bar.close()
        return (
            validation.reason
            if isinstance(validation, ChosenRounds) and reason == ALL_DONE
            else reason
        )

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
        schema, n_labels = run.rows.layout.schema, run.rows.n_labels
        model = Ensemble(run.state.members, schema, n_labels, run.state.path, run.rows.start)
        self.history_ = history.arrays()
        self.stop_reason_ = reason
        self.n_iter_ = kept
        self.certificate_ = self._certify(run)
        self.model_ = model  # last: if there is a model, all other attributes are set

    def _certify(self, run: Run) -> dict[str, Any]:
        """The contents of `certificate_`."""
        return {"bound": bound_of(run), "training_error": run.training_error()}

    def _to_file(self) -> dict[str, Any]:
        return stored.state_of(self)

    @classmethod
    def _from_file(cls, fields: Fields) -> Booster:
        return stored.booster_of(cls, fields)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = replace(tags.input_tags, allow_nan=True, sparse=True, categorical=True)
        return tags


def place_rows(table: Table, schema: Schema, target: Target, workers: Workers) -> Rows:
    """The encoded rows of a fit, as one shard."""
    return Rows([Shard(EncodedRows(table, schema, target.repeats, workers), target, workers)])
