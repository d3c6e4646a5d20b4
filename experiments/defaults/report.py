"""README.md, from the cells."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.defaults.kinds import NUMBER, QUANTILES
from experiments.defaults.models import MODELS, SLOW_FOLDS
from experiments.defaults.numbers import MOST as MOST_NUMBERS
from experiments.defaults.scores import LEVELS
from experiments.defaults.tables import MOST, MOST_OF_MANY
from experiments.defaults.tasks import FOLDS, HALVES, Task
from experiments.defaults.texts import DOCUMENTS
from experiments.defaults.verdicts import agreement, leaders, standings
from experiments.defaults.views import (
    DRAWS,
    FEWEST,
    LEVEL,
    Cells,
    Floats,
    View,
    beside,
    complete,
    interval,
)
from experiments.tables import table

TITLES = {
    "f1": "F1",
    "ap": "average precision",
    "auc": "ROC AUC",
    "brier": "Brier",
    "log_loss": "log loss",
    "cost": "cost",
    "rmse": "RMSE",
    "mae": "MAE",
    "pinball": "pinball",
    "coverage": "coverage",
}
JUDGED = {
    "tables": ("ap", "log_loss", "cost"),
    "text": ("ap", "log_loss", "cost"),
    "means": ("rmse", "mae"),
    "quantiles": ("pinball",),
}
"""What models are ranked by."""
SHOWN = {
    "tables": ("f1", "ap", "auc", "brier", "log_loss", "cost"),
    "text": ("f1", "ap", "auc", "brier", "log_loss", "cost"),
    "means": ("rmse", "mae"),
    "quantiles": ("pinball", "coverage"),
}
HEADS = {
    "tables": "Tables",
    "text": "Text",
    "means": "Regression: means",
    "quantiles": "Regression: quantiles",
}


def section_of(task: Task) -> str:
    """The part of the page that a task belongs to."""
    regression = {NUMBER: "means", QUANTILES: "quantiles"}
    return regression.get(task.kind, task.family)


def write(folder: Path, cells: Cells, tasks: Sequence[Task]) -> None:
    """Write README.md into this folder."""
    parts = [_head(cells, tasks)]
    sections = {each: [task for task in tasks if section_of(task) == each] for each in HEADS}
    views = {each: complete(cells, own) for each, own in sections.items() if own}
    parts.append(_statement(views))
    for each, view in views.items():
        parts += _section(each, view, sections[each])
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _head(cells: Cells, tasks: Sequence[Task]) -> str:
    family = {task.name: task.family for task in tasks}
    run = {
        (model, family[name])
        for name, model, _ in (cell.rsplit("/", 2) for cell in cells)
        if name in family
    }
    limited = "; ".join(
        f"{own.title} on {' and '.join(done)}"
        + (" with the first set of each source" if own.sparing else "")
        for model, own in MODELS.items()
        if (done := [each for each in own.slow if (model, each) in run])
    )
    peers = ", ".join(model.title for model in MODELS.values() if not model.own)
    wanted = dict.fromkeys(
        (model, task.family)
        for model, own in MODELS.items()
        for task in tasks
        if not own.own and own.takes(task)
    )
    idle = [
        f"{MODELS[model].title} on {each}" for model, each in wanted if (model, each) not in run
    ]
    not_run = f"\n- **Not run yet**: {', '.join(idle)}." if idle else ""
    sources = {task.source for task in tasks}
    return f"""# Defaults beside those of other libraries

Every model as its constructor makes it, on {len(tasks)} sets of {len(sources)} sources, in up to
{FOLDS} folds, the same for all: {len(cells):,} fits. This page is written from the compressed cells
beside it by `python -m experiments.defaults`. `--models`, `--sets` and `--folds` compute a part;
`--quick` is a small form, printed and not kept.

- **Sources**: a source is an original data set. All sets that are cut from one count once: they are
  averaged. Half of the sources are for development: rules are chosen on them. The others are for
  the check. There are few, so nothing here is called significant; only signs and intervals are
  stated.
- **Sizes**: at most {MOST:,} rows with two classes and {MOST_OF_MANY:,} with more,
  {DOCUMENTS["reuters"]:,} documents of Reuters and {DOCUMENTS["wordnet"]:,} of WordNet, and
  {MOST_NUMBERS:,} rows with a number to predict.
- **Peers**: {peers}.
  Categories, missing values and documents are given as they are to libraries that take them. For
  the others, categories become columns of 0 and 1, missing numbers the median, and documents
  TF-IDF. Linear models get scaled columns, and the linear SVM a Platt line. HistGradientBoosting
  and EBM take no sparse matrices and are left out on text.
- **Slow models** have the first {SLOW_FOLDS} folds only: {limited}.
  They are in tables of their own, beside the other models on the same folds.{not_run}
- **Measures**: F1 of what `predict` says, everything else of probabilities. In the log loss a
  probability of 0 for the true class counts as about 36. Cost: a false negative costs the imbalance
  ratio, a false positive 1, the decisions are the cheapest by the probabilities, and 1 is the cost
  of the better constant. With more than two classes, macro means, and the balanced error as cost;
  with several labels, means over labels. RMSE, MAE and the pinball loss (mean of the quantiles
  {", ".join(map(str, LEVELS))}) are in standard deviations of the target.
- **Mean rank**: models are ranked by their mean over the sets of a source (apart by kind of
  target); 1 is the best. Then the mean over sources. In brackets: where it lies in {LEVEL:.0%} of
  {DRAWS:,} bootstrap samples of the sources, if there are {FEWEST} or more.
- **Seconds** of processor time of a fit on one thread, and **kB** of the pickled model: medians
  over sets."""


def _statement(views: dict[str, View]) -> str:
    parts = ["## In words"]
    for section, view in views.items():
        if len(view.models) < 2:
            continue
        measures = JUDGED[section]
        parts.append(f"**{HEADS[section]}**, sources: {len(view.sources)}.")
        lines = [
            f"- {half.capitalize()} half: {leaders(own, measures)}"
            for half in HALVES
            if (own := view.part(half)).folds
        ]
        parts.append("\n".join([*lines, *agreement(view, measures)]))
    return "\n\n".join(parts)


def _section(section: str, view: View, tasks: Sequence[Task]) -> list[str]:
    parts = [f"## {HEADS[section]}"]
    left_out = [task.name for task in tasks if task not in view.folds]
    if left_out:
        parts.append(f"Not finished, and left out: {', '.join(left_out)}.")
    for count in range(SLOW_FOLDS, FOLDS):
        few = [task.name for task, folds in view.folds.items() if len(folds) == count]
        if few:
            listed = ", ".join(few) if len(few) < len(view.folds) else "all sets"
            parts.append(f"{count} of {FOLDS} folds: {listed}.")
    if len(view.models) > 1:
        for half in HALVES:
            if (own := view.part(half)).folds:
                listed = ", ".join(own.sources)
                parts += [f"### {half.capitalize()} half: {listed}", *_both(section, own)]
        rows = standings(view, JUDGED[section])
        if rows:
            head = ["model", "measure", "ahead of", "undecided", "behind"]
            titled = [[model, TITLES.get(each, each), *rest] for model, each, *rest in rows]
            parts += [
                "### Ours against each peer, both halves",
                "Ahead or behind: the interval of the difference of mean ranks leaves out 0.",
                table(head, titled),
            ]
    for model in MODELS:
        if model in view.models or not view.models:
            continue
        own = beside(view, model)
        if own.folds:
            count = sum(map(len, own.folds.values()))
            parts += [
                f"### {MODELS[model].title} beside the others",
                f"On the {count} folds that it has, of {len(own.folds)} of {len(view.folds)} sets,"
                f" both halves; sources: {len(own.sources)}.",
                *_both(section, own),
            ]
    parts += [_every_set(section, view)]
    return parts


def _both(section: str, view: View) -> list[str]:
    """The table of ranks and the table of means, the best model first."""
    judged = JUDGED[section]
    ranks = {measure: view.ranks(measure) for measure in judged}
    joint = np.mean(list(ranks.values()), axis=0)
    order = np.argsort(joint.mean(axis=1), kind="stable")
    titles = [MODELS[view.models[place]].title for place in order]
    rank_rows = [
        [title, *(_with_interval(ranks[each][place]) for each in judged)]
        + ([_with_interval(joint[place])] if len(judged) > 1 else [])
        for title, place in zip(titles, order, strict=True)
    ]
    means = {measure: view.means(measure) for measure in SHOWN[section]}
    sizes = {measure: _medians(view, measure) for measure in ("seconds", "kB")}
    mean_rows = [
        [title, *(f"{means[each][place]:.3f}" for each in means)]
        + [f"{sizes[each][place]:.2g}" if sizes[each][place] < 10 else f"{sizes[each][place]:.0f}"
           for each in sizes]
        for title, place in zip(titles, order, strict=True)
    ]  # fmt: skip
    all_three = ["all of these"] if len(judged) > 1 else []
    return [
        table(["mean rank", *(TITLES[each] for each in judged), *all_three], rank_rows),
        table(["mean", *(TITLES[each] for each in means), "seconds", "kB"], mean_rows),
    ]


def _with_interval(ranks: Floats) -> str:
    low, high = interval(ranks)
    return f"{ranks.mean():.1f}" + (f" [{low:.1f}, {high:.1f}]" if np.isfinite(low) else "")


def _medians(view: View, measure: str) -> Floats:
    return np.median([view.of_task(task, measure) for task in view.tasks], axis=0)


def _every_set(section: str, view: View) -> str:
    measure = JUDGED[section][0]
    rows = [
        [task.name, task.source, *(f"{value:.3f}" for value in view.of_task(task, measure))]
        for task in view.tasks
        if view.models
    ]
    titles = [MODELS[model].title for model in view.models]
    return f"### Every set: {TITLES[measure]}\n\n{table(['set', 'source', *titles], rows)}"
