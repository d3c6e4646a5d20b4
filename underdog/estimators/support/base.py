"""The base class of all boosters: how they are fitted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length

from underdog.core import History, Parts, Run, State
from underdog.data import Schema, Table
from underdog.data.disk import limited
from underdog.engine import ALL_DONE, INTERRUPTED, ProgressBar, Watch, boost
from underdog.estimators.support import inputs, stored
from underdog.estimators.support.algorithm import Algorithm
from underdog.estimators.support.certificates import correct_history
from underdog.estimators.support.constraints import constraints_of
from underdog.estimators.support.early_stopping import (
    ChosenRounds,
    find_rounds,
    given_folds,
    split,
)
from underdog.estimators.support.lazy import is_dask
from underdog.estimators.support.restoring import unchanged_on_error
from underdog.estimators.support.soft_labels import members_in, soften
from underdog.estimators.support.task import (
    FitTask,
    Folds,
    LabelledRows,
    Progress,
    UnfinishedFitError,
    place_rows,
)
from underdog.estimators.support.theory import LOST
from underdog.estimators.support.together import (
    agree_on_rows,
    check_on_disk,
    check_supported,
    keeping_progress,
    outline,
)
from underdog.estimators.support.validation import (
    BestRound,
    Validation,
    no_validation,
)
from underdog.estimators.support.weights import (
    FitArguments,
    Weighting,
    count_examples,
    count_weightless,
    warn_of_shares,
)
from underdog.files import Fields
from underdog.model import Ensemble
from underdog.model.writing import counted
from underdog.types import Floats
from underdog.workers import Workers
from underdog.workers.collective import ALONE


@dataclass(kw_only=True, eq=False, repr=False)
class Booster(Algorithm):
    """Base class of all boosters: the steps of a fit."""

    def _fit(self, X: Any, y: Any, given: FitArguments) -> Any:
        if is_dask(X) and given.collective is ALONE:
            from underdog.estimators.support.cluster import fit  # which needs Dask

            fit(self, X, y, given)
            return self
        if given.client is not None and given.collective is ALONE:
            raise ValueError(
                f"client was given, but X is a {type(X).__name__}, which is fitted here: give X "
                "and y as Dask collections, or leave client out"
            )
        with unchanged_on_error(self), limited(X):
            self._check_and_learn(X, y, given)
        return self

    def _check_and_learn(self, X: Any, y: Any, given: FitArguments) -> None:
        self._check_parameters()
        parts = self._make_parts()
        parts.check()
        collective = given.collective
        if collective is ALONE:
            check_on_disk(self, parts, X)
            table, y = self._checked_rows(X, y)
        else:
            check_supported(self, parts, given)
            own = None if X is None else self._checked_rows(X, y)
            table, y = agree_on_rows(self, own, collective)
        counted = self._count_examples(given.sample_weight, y, collective)
        warn_of_shares(given.sample_weight, counted.examples, self._smooth, self._sum_matters)
        examples = LabelledRows(table, y, counted)
        if len(counted.kept) < len(table):
            examples = LabelledRows(table[counted.kept], y[counted.kept], counted)
        known = outline(self, examples.y, collective)
        code = self._make_code(known)
        code.check()
        labels = self._fit_code(code, replace(examples, y=known))
        resumed = self.warm_start and hasattr(self, "model_")
        if resumed:
            inputs.check_resumed_rounds(self)
            labels = self._resumed_labels(labels)
        examples = self._informed(examples, X, labels, parts)
        held_out: LabelledRows | Folds | None = None
        validation_data = inputs.validation_data(self, table, labels, given)
        if validation_data is not None:
            if given.folds is not None:
                raise ValueError("folds and X_val are both for early stopping: give only one")
            held_out = LabelledRows(*validation_data, count_examples(None, len(validation_data[0])))
            held_out = self._informed(held_out, given.X_val, labels, parts)
        elif given.folds is not None:
            held_out = given_folds(self, examples, given.folds, len(table))
            self._check_folds(held_out)
        elif self.early_stopping:
            examples, held_out = self._hold_out(examples)
        with Workers(self.n_jobs, collective) as workers:
            parts = replace(parts, code=code)
            self._learn(FitTask(parts, examples, held_out, labels, given, resumed, workers))

    def _checked_rows(self, X: Any, y: Any) -> tuple[Table, Any]:
        """X and y as a table and an array."""
        table = inputs.training_table(self, X, y)
        y = self._checked_target(y)
        check_consistent_length(table, y)
        return table, y

    def _learn(self, task: FitTask) -> None:
        examples, labels, progress = task.examples, task.labels, task.given.progress
        if progress is None and task.resumed:
            progress = self._progress()
        schema = self._learn_schema(task) if progress is None else progress.schema
        weighting = self._make_weighting(examples, labels, task.given)
        run = self._make_run(task, schema, weighting, None if progress is None else progress.start)
        validation: Validation | ChosenRounds | None = None
        if isinstance(task.held_out, LabelledRows):
            waits = self.n_iter_no_change * self._turns(labels.n_labels)
            patience = waits if self.early_stopping else None
            score = self._make_score(run.parts, task.held_out, labels, weighting, self.scoring)
            best = BestRound(patience, self._min_improvement())
            validation = Validation(score, best, task.held_out.known)
        reason = ALL_DONE
        if progress is not None:
            run.history = History([dict(row) for row in progress.history])
            run.parts.combiner.resume(run, progress.members, progress.path)
            if task.given.progress is None and self._finished:
                reason = self.stop_reason_
            elif progress.interrupted:
                reason = INTERRUPTED
        interrupt = None
        if reason == ALL_DONE and isinstance(task.held_out, Folds):
            chosen = None if progress is None else progress.chosen
            validation = chosen or self._find_rounds(task)
        with keeping_progress(run, labels, weighting, validation):
            if reason == ALL_DONE:
                try:
                    reason = self._boost(run, validation, progress)
                except KeyboardInterrupt as error:
                    if not len(run.history) or task.given.collective is not ALONE:
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

    def _progress(self) -> Progress:
        """The rounds of the fitted model."""
        history = History.from_columns(self.history_, self.n_iter_).rows
        model = self.model_
        return Progress(model.schema, self._start_scores(), self._members(), model.path, history)

    def _hold_out(self, examples: LabelledRows) -> tuple[LabelledRows, LabelledRows | Folds | None]:
        """Training rows, and what early stopping is decided by."""
        return split(self, examples)

    def _check_folds(self, found: Folds | None) -> None:
        """Refuse given folds that leave nothing to choose by."""
        if found is None:
            raise ValueError(
                "folds leave out no rows, or rows of one class only: give the rows of each class "
                "at least two different folds, or leave folds out"
            )

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
        if examples.known is not None:  # the scores start from what is known
            rows.restart()
        else:
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

    def _boost(
        self,
        run: Run,
        validation: Validation | ChosenRounds | None,
        progress: Progress | None = None,
    ) -> str:
        watches: list[Watch] = []
        rounds = self.n_estimators * self._turns(run.rows.n_labels)
        if validation is not None:
            best = None if progress is None else progress.best
            validation.start(run.rows.layout.schema, run.state, run.history, self._held_out, best)
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
        self.certificate_ = self._certified_by(run, model)
        self.__dict__.pop("edits_", None)
        self.model_ = model  # last: if there is a model, all other attributes are set

    def _keep_unfinished(self, unfinished: UnfinishedFitError, reason: str) -> None:
        """Keep the complete rounds of a run whose rows are lost; nothing is certified."""
        run, rounds = unfinished.run, len(unfinished.progress.members)
        run.history.rows = run.history.rows[:rounds]
        run.state.members, run.state.path = run.state.members[:rounds], run.state.path[:rounds]
        self._remember(run, unfinished.labels, unfinished.weighting)
        self._finished = False
        self.history_, self.n_iter_, self.stop_reason_ = run.history.arrays(), rounds, reason
        self.certificate_ = self._nothing_certified(LOST)
        self.model_ = self._make_model(run)

    def _certified_by(self, run: Run, model: Ensemble) -> dict[str, Any]:
        """What is proved about the model of a run: `certificate_`."""
        return self._certify(run)

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
