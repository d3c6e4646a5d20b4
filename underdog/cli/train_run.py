"""Training from the options to a saved model; it can be stopped and continued."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import typer

from underdog.cli.algorithms import (
    BLENDED,
    Default,
    algorithm,
    check_classes,
    checked_settings,
    class_algorithm,
    default_classifier,
    default_regressor,
    make,
    rankers,
    settings_by_size,
)
from underdog.cli.checkpoint import KEY, TrainingCheckpoint
from underdog.cli.class_plan import ClassPlan
from underdog.cli.division import divide, parts_of
from underdog.cli.drift import class_score
from underdog.cli.held_out import measured_baselines
from underdog.cli.loading import PROFILE
from underdog.cli.opening import open_data
from underdog.cli.options import FileLayout, RowDivision
from underdog.cli.plan import CrossValidation, Plan
from underdog.cli.report import show_data, show_training, summary_of
from underdog.cli.saving import writing
from underdog.cli.screen import Screen, Stopped
from underdog.cli.suspicion import questions
from underdog.cli.target import CLASSES, RANKS
from underdog.cli.task import (
    Task,
    costs_of,
    has_rare_class,
    positive_of,
    read_task,
    repeated_rows,
)
from underdog.cli.training import trials
from underdog.comparison.class_evaluator import Evaluator
from underdog.data.folds import Fold
from underdog.decisions.base import Decider
from underdog.engine import INTERRUPTED
from underdog.files import save
from underdog.frames import FrameEncoder
from underdog.frames.profile import DataProfile
from underdog.inspection.unwrap import unwrap


@dataclass(frozen=True, eq=False)
class TrainOptions:
    """The options of `underdog train`."""

    data: str
    layout: FileLayout
    target: str | None
    output: Path
    model: str | None
    task: str
    loss: str | None
    quantiles: tuple[float, ...] | None
    positive: str | None
    costs: dict[str, float] | None
    threshold: Any
    cv: int
    settings: dict[str, Any]
    roles: dict[str, str]
    ignored: tuple[str, ...]
    weight: str | None
    division: RowDivision
    seed: int
    baselines: bool
    resume: bool
    force: bool
    query: str | None = None

    @property
    def with_baselines(self) -> bool:
        """Whether baselines are measured: beside the default model, if there are folds."""
        return self.baselines and self.model is None and self.cv > 0


def train_model(options: TrainOptions, screen: Screen) -> None:
    """Read the data, make a plan and carry it out."""
    texts = [name for name, role in options.roles.items() if role in ("category", "text")]
    found = open_data(options.data, options.layout, screen, texts)
    # The column of the time is a feature only if it is given a role.
    apart = [name for name in options.division.columns if name not in options.roles]
    ignored = list(dict.fromkeys([*options.ignored, *apart]))
    task, notes = read_task(found, options.target, ignored, options.weight, options.task)
    if options.query is not None:
        task = replace(task, kind=RANKS)
    divided = divide(task, found, options.division)
    task, held_out, more = parts_of(divided, options.cv > 0)
    for note in [*repeated_rows(found), *notes, *more]:
        screen.note(note)
    which = divided.which
    del found, divided  # a frame with the target, which the task does not need
    plan = make_plan(options, task)
    # After the data were checked: a mistake there is more important than an existing model.
    checkpoint = TrainingCheckpoint(options.output, options.resume, options.force)
    with checkpoint:
        try:
            run(plan, task, checkpoint, screen, held_out, which)
        except KeyboardInterrupt as error:
            if isinstance(error, Stopped) or not checkpoint.begun:
                raise
            raise Stopped(f"stopped: {checkpoint.message()}") from None
        except Exception:
            if checkpoint.begun and checkpoint.finished:
                screen.note(checkpoint.message(failed=True))
            raise


def make_plan(options: TrainOptions, task: Task) -> Plan:
    """What to do with these data."""
    plan = {CLASSES: _class_plan, RANKS: _rank_plan}.get(task.kind, _number_plan)
    return plan(options, task, FrameEncoder(options.roles or None) if task.is_frame else None)


def _class_plan(options: TrainOptions, task: Task, encoder: FrameEncoder | None) -> Plan:
    label = positive_of(task, options.positive)
    if options.threshold is not None and label is None:
        raise typer.BadParameter("--threshold is for two classes")
    positive = 1 if label is None else task.place_of(label)
    costs = costs_of(options.costs, task.classes, positive)
    if options.model is None:
        chosen = default_classifier(len(task.classes), options.settings.get("learner"))
    else:
        chosen = Default(class_algorithm(options.model))
    settings, reasons = settings_by_size(chosen.name, options.settings, task.X.shape, task.weights)
    automatic = chosen.name == BLENDED
    # Blended trees decide by rows that they leave out themselves.
    inside = automatic and settings.get("early_stopping", True)
    # Without folds no probabilities are calibrated: then the booster is trained with the costs.
    booster = make(chosen.name, settings, label, costs, always=options.cv == 0 and not inside)
    check_classes(chosen.name, booster, len(task.classes))
    judge = Evaluator(task.classes, positive, costs)
    baselines = {}
    if options.with_baselines:
        from underdog.comparison.baselines import class_baselines

        baselines = class_baselines(options.seed)
    return ClassPlan(
        chosen.name,
        booster,
        encoder,
        options.cv,
        options.seed,
        judge,
        options.threshold,
        has_rare_class(task),
        automatic=automatic,
        inside=inside,
        baselines=baselines,
        choices=_told(chosen, reasons),
    )


def _number_plan(options: TrainOptions, task: Task, encoder: FrameEncoder | None) -> Plan:
    from underdog.cli.number_plan import NumberPlan
    from underdog.cli.regressors import check_loss, refuse_class_options, regressor_name
    from underdog.comparison.number_evaluator import NumberEvaluator

    class_options = {
        "--positive": options.positive,
        "--cost": options.costs,
        "--threshold": options.threshold,
    }
    refuse_class_options(class_options, task.target)
    if options.model is None:
        chosen = default_regressor(options.settings.get("learner"))
    else:
        chosen = Default(regressor_name(options.model))
    settings = dict(options.settings)
    if options.loss is not None:
        settings["loss"] = options.loss
    if options.quantiles is not None:
        several = len(options.quantiles) > 1
        settings["quantiles"] = options.quantiles if several else options.quantiles[0]
    loss = settings.get("loss")
    check_loss(loss, task)
    settings, reasons = settings_by_size(chosen.name, settings, task.X.shape, task.weights)
    booster = algorithm(chosen.name)(**checked_settings(chosen.name, settings))
    judge = NumberEvaluator.from_loss(loss, options.quantiles)
    baselines = {}
    if options.with_baselines:
        from underdog.comparison.baselines import number_baselines

        baselines = number_baselines(judge.main, options.seed)
    return NumberPlan(
        chosen.name,
        booster,
        encoder,
        options.cv,
        options.seed,
        judge,
        baselines=baselines,
        choices=_told(chosen, reasons),
    )


def _rank_plan(options: TrainOptions, task: Task, encoder: FrameEncoder | None) -> Plan:
    from underdog.cli.rank_plan import RankPlan
    from underdog.comparison.rank_evaluator import RankEvaluator

    name = "rankboost" if options.model is None else options.model
    if name not in rankers():
        raise typer.BadParameter(
            f"--model {name} does not rank: give {', '.join(rankers())}, or leave --query out"
        )
    booster = algorithm(name)(**checked_settings(name, options.settings))
    judge = RankEvaluator.from_grades(task.y)
    query = options.query or ""
    return RankPlan(name, booster, encoder, options.cv, options.seed, judge, query)


def _told(chosen: Default, reasons: list[str]) -> tuple[str, ...]:
    """Why this algorithm, and why these parameters, as far as there are reasons."""
    return (*([chosen.reason] if chosen.reason else []), *reasons)


def run(
    plan: Plan,
    task: Task,
    checkpoint: TrainingCheckpoint,
    screen: Screen,
    held_out: Task | None = None,
    which: str = "",
) -> None:
    """Cross-validate, fit, save and report.

    `held_out` are rows that only measure the final model; `which` says which ones these are.
    """
    began = time.perf_counter()
    checkpoint.begin(plan, task)
    before = checkpoint.model()
    if checkpoint.resume and before is None and not checkpoint.trials:
        screen.note(
            f"nothing to resume: neither {checkpoint.output} nor {checkpoint.part} is of a "
            "training run that was stopped; starting from the beginning"
        )
    encoder, X, roles = plan.encoder, task.X, {}
    profile: DataProfile | None = None
    if encoder is not None:
        X = task.naming_file(lambda: encoder.fit_transform(task.X))
        roles = {name: role.kind for name, role in encoder.roles_.items()}
        profile = DataProfile.from_frame(task.X, encoder.roles_)
        if not plan.folds:
            task.forget_rows()
    apart = "" if held_out is None else f" to train on, {len(held_out.y):,} held out ({which})"
    show_data(screen, task, encoder, plan, apart)
    for note in [] if encoder is None else questions(encoder):
        screen.note(note)
    folds = plan.make_folds(task, X)
    baselines = _cross_validate(plan, task, folds, roles, checkpoint, screen)
    result = baselines.pop(plan.name, None)
    booster = _fit(plan, before, X, task, screen)
    model = plan.assemble(task, encoder, booster, result)
    stopped = booster.stop_reason_ == INTERRUPTED
    summary = summary_of(plan, task, model, booster, result, baselines)
    if folds:
        summary["folds_by"] = plan.fold_rows(task, X).how(task.fold_column)
    if task.fold_column is not None:
        summary["fold_column"] = task.fold_column
    if held_out is not None and not stopped:
        others = measured_baselines(plan, task, X, held_out, baselines)
        last = plan.evaluate(held_out, model) | ({"baselines": others} if others else {})
        summary["held_out"] = {"which": which, **last}
    if result is not None and not stopped:
        found = plan.suspect(task, booster, result, folds, screen)
        summary |= {} if found is None else {"suspect": found}
    notes: dict[str, Any] = {"training": summary}
    if profile is not None:
        notes[PROFILE] = _with_scores(profile, plan, result, model, X).to_dict()
    if stopped:
        notes[KEY] = checkpoint.fingerprint
    with writing(checkpoint.output):
        save(model, checkpoint.output, notes)
    if stopped:
        raise Stopped(
            f"stopped after {booster.n_iter_} of {booster.n_estimators} rounds: "
            f"{checkpoint.output} is a model with these rules; continue with the same command and "
            "--resume"
        )
    checkpoint.end()
    show_training(screen, plan, summary, model, checkpoint.output)
    screen.message(f"\nsaved {checkpoint.output}")
    seconds = round(time.perf_counter() - began, 2)  # not in the file, which must be repeatable
    screen.print_json({**summary, "seconds": seconds, "model_file": str(checkpoint.output)})


def _with_scores(profile: DataProfile, plan: Plan, result: Any, model: Any, X: Any) -> DataProfile:
    """With the scores of rows that the model was not trained on, if there are any, and its own."""
    if result is None:
        return profile
    last = model.steps[-1][1]
    if isinstance(plan, ClassPlan):
        classes = plan.judge.classes
        decided = np.searchsorted(classes, last.predict(X))
        scores = unwrap(last).booster.decision_function(X)
        return profile.with_scores(
            class_score(result.scores, result.decided, classes),
            class_score(scores, decided, classes),
        )
    judge: Any = plan.judge  # type: ignore[attr-defined]
    return profile.with_scores(judge.center(result.predicted), judge.center(last.predict(X)))


def _cross_validate(
    plan: Plan,
    task: Task,
    folds: list[Fold],
    roles: dict[str, str],
    checkpoint: TrainingCheckpoint,
    screen: Screen,
) -> dict[str, CrossValidation]:
    """The results of the model and of baselines; none if there are no folds."""
    found = checkpoint.trials
    checkpoint.total = len(folds) * len(plan.models)
    with screen.progress("cross-validation", checkpoint.total, len(found)) as bar:
        done = {(each.name, each.fold) for each in found}
        for trial in trials(plan, task, roles, folds, done):
            found.append(trial)
            checkpoint.add(trial)
            bar.add(f"cross-validation: {trial.name}, fold {trial.fold + 1}")
    trials_of = {name: [each for each in found if each.name == name] for name in plan.models}
    return {  # a baseline that failed has no trial in some fold
        name: plan.validate(task, folds, own)
        for name, own in trials_of.items()
        if folds and len(own) == len(folds)
    }


def _fit(plan: Plan, before: Any, X: Any, task: Task, screen: Screen) -> Any:
    """The booster fitted on all rows, perhaps continued; Ctrl-C keeps the rounds, if it can be."""
    booster = plan.booster
    rounds = booster.n_estimators
    if before is not None:
        last = before.steps[-1][1] if hasattr(before, "steps") else before
        booster = last.estimator_ if isinstance(last, Decider) else last
        booster.set_params(warm_start=True, n_estimators=rounds)
    booster.set_params(verbose=int(screen.shows_progress))
    given = plan.given(plan.name, task, slice(None), X)
    if task.weights is not None:
        given["sample_weight"] = task.weights
    try:
        booster.fit(X, task.y, **given)
        if booster.n_iter_:
            screen.erase_line()
    except KeyboardInterrupt:
        if not (hasattr(booster, "model_") and booster._can_continue):
            raise
    if "seconds" in booster.history_:  # there are none without rounds
        booster.history_["seconds"][:] = 0.0  # the same training leaves the same file
    return booster.set_params(warm_start=False, verbose=0)
