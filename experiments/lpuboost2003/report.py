"""README.md: the tables, the figures and what they say about the paper."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.figures import figure, save
from experiments.lpuboost2003.choices import COLUMNS, Choice, Choices
from experiments.lpuboost2003.curves import SHOWN
from experiments.lpuboost2003.data import Corpus, Sample
from experiments.lpuboost2003.grid import BOOSTERS, LEARNERS, RATIOS, ROUNDS, TOL, Setting, f1, name
from experiments.tables import table

VERDICTS = Path(__file__).resolve().parent / "verdicts.md"
PAPER_TERMS = 6242
FEW = 20
"""Rounds up to which a learning curve has dots: one alone would not be seen."""
COLOURS = {"Ada": "#4c72b0", "U": "#dd8452", "LP": "#55a868", "LPU": "#c44e52"}


def write(
    folder: Path,
    cells: Mapping[str, Any],
    data: Corpus,
    settings: Sequence[Setting],
    topics: Sequence[str],
    shrunk: Sequence[Sample],
    small: str,
) -> None:
    """Write README.md and the figures into this folder; `small` is the section of small topics."""
    choices = Choices(cells, settings)
    parts = [
        "# Boosting for uneven classes on Reuters-21578",
        'Leskovec and Shawe-Taylor, "Linear programming boosting for uneven datasets", ICML 2003,'
        " tried again from the raw archive. This page is written by"
        " `python -m experiments.lpuboost2003`; what is computed is kept in `cells.json.gz`.",
        _preprocessing(data),
        _settings(choices, settings, topics),
        _best_on_test(choices, data, topics),
        _by_folds(choices, data, topics),
        _sizes(choices, topics),
        _overfitting(choices, data, topics),
        _learners(choices, topics),
        _curves(folder, cells),
        _few_positives(folder, choices, shrunk),
        small,
        VERDICTS.read_text(encoding="utf-8") if VERDICTS.exists() else "",
    ]
    text = "\n\n".join(part.strip() for part in parts if part.strip())
    (folder / "README.md").write_text(text + "\n", encoding="utf-8")


def _preprocessing(data: Corpus) -> str:
    return f"""## Documents and terms

| | here | paper |
|---|---|---|
| training documents | {data.X.shape[0]:,} | 9,603 |
| test documents | {data.X_test.shape[0]:,} | 3,299 |
| terms | {data.X.shape[1]:,} | {PAPER_TERMS:,} |

Lower case, letters only, no stop words, Porter's stems, terms in more than 3 training documents.
The paper's list of 523 stop words is not printed in it; here they are scikit-learn's 318, which
leaves more words. The paper does not say what it did with digits (here they separate words, and
numbers are no terms) nor whether terms were counted on all documents (here on those of training
only: nothing about the test documents is used)."""


def _settings(choices: Choices, settings: Sequence[Setting], topics: Sequence[str]) -> str:
    rows = []
    for booster, long in BOOSTERS.items():
        own = [setting for setting in settings if setting.booster == booster]
        ends = [s for topic in topics for s in choices.statuses(booster, Sample(topic))]
        seconds = [r["seconds"] for t in topics for r in choices.tried(booster, Sample(t)).values()]
        rows.append(
            [long, len(own), ends.count("infeasible"), ends.count("rounds"),
             f"{np.mean(seconds):.2f}" if seconds else ""]
        )  # fmt: skip
    twins = len({setting.twin for setting in settings})
    infeasible = _infeasible(choices, settings, topics)
    head = ["booster", "settings", "infeasible", "ended on rounds", "mean processor seconds"]
    return f"""## The grid

{len(settings)} settings for each topic, {len(topics)} topics, at most {ROUNDS} rounds; LP and
LPU converge to a gap of {TOL}. Infeasible: the lower bounds sum to more than one, as they do at
D_LB = {RATIOS[1]} and nu = 0.1 for every beta above 1, and at nu = 0.2 where there are many
positives. The counts are over all topics.

Of the paper's 16 topics only earn, acq, potato and platinum are named in it. The others here were
chosen by size: the ten largest, and six with 55 positives down to 3.

{table(head, rows)}

{infeasible}

LP has D_LB, too, and is LPU with beta = 1. The paper speaks of 120 runs for each topic. That is
6 x (1 + 3 + 4 + 12): six learners, each with Ada once, U with three betas, LP with four of the
eight pairs of nu and D_LB, and LPU with three betas and the same four. Which four is not said; all
eight make 216. Of the {len(settings)} settings {twins} differ: signs with the greatest edge are
those with the least Z, so `disc.lp` is `disc.mh`, and so is `disc.u` at beta = 1. Equal ones are
computed once."""


def _infeasible(choices: Choices, settings: Sequence[Setting], topics: Sequence[str]) -> str:
    """Which combinations have no solution for which topics, whatever the learner."""
    found: dict[str, list[str]] = {}
    for topic in topics:
        for setting in settings:
            cell = choices.cells.get(name(Sample(topic), setting), {})
            if cell.get("status") == "infeasible":
                where = found.setdefault(str(setting).split(" ", 2)[2], [])
                where += [topic] * (topic not in where)
    rows = [
        [what, "all" if len(where) == len(topics) else ", ".join(where)]
        for what, where in found.items()
    ]
    return f"Infeasible cells of LPU:\n\n{table(['parameters', 'topics'], rows)}" if rows else ""


def _scores(
    data: Corpus,
    topics: Sequence[str],
    choose: Callable[[str, str], Choice | None],
    score: Callable[[Choice], float] = lambda choice: choice.f1,
) -> str:
    rows: list[list[Any]] = []
    scores = np.full((len(topics), len(COLUMNS)), np.nan)
    for i, topic in enumerate(topics):
        row: list[Any] = [topic, int(data.label(topic).sum()), int(data.label_test(topic).sum())]
        chosen = [choose(column, topic) for column in COLUMNS]
        scores[i] = [score(choice) if choice else np.nan for choice in chosen]
        for choice, value in zip(chosen, scores[i], strict=True):
            text = "" if choice is None else f"{value:.3f}"
            if choice and value == np.nanmax(scores[i]):
                text = f"**{text}**"
            row.append(text + ("" if choice is None or choice.converged else "*"))
        rows.append(row)
    for title, some in _sections(data, topics).items():
        part = scores[some]
        means = ["" if np.isnan(column).any() else f"{column.mean():.3f}" for column in part.T]
        rows.append([title, "", "", *means])
    return table(["topic", "training", "test", *COLUMNS], rows)


def _sections(data: Corpus, topics: Sequence[str]) -> dict[str, list[int]]:
    share = [data.label(topic).mean() for topic in topics]
    sections = {
        "mean": list(range(len(topics))),
        "mean, over 1 %": [i for i, s in enumerate(share) if s > 0.01],
        "mean, the others": [i for i, s in enumerate(share) if s <= 0.01],
    }
    return {title: some for title, some in sections.items() if some}


def _best_on_test(choices: Choices, data: Corpus, topics: Sequence[str]) -> str:
    text = _scores(data, topics, lambda column, topic: choices.on_test(column, Sample(topic)))
    return f"""## Table 1: the best on the test documents

An upper bound and no estimate: of all settings the one with the best F1 on the test documents is
shown. The first four columns and the linear SVM are the paper's, the others are added: LightGBM
(100 trees), TF-IDF with logistic regression, and AdaBoost calibrated and with a threshold, both
on scores out of fold. A star: ended on rounds, not on convergence.

{text}"""


def _by_folds(choices: Choices, data: Corpus, topics: Sequence[str]) -> str:
    if not any(choices.by_folds(column, topic) for column in COLUMNS for topic in topics):
        return ""
    text = _scores(data, topics, choices.by_folds)
    folds = _scores(data, topics, choices.by_folds, lambda choice: choice.fold_f1)
    gaps = []
    for column in COLUMNS:
        pairs = [
            (choices.on_test(column, Sample(topic)), choices.by_folds(column, topic))
            for topic in topics
        ]
        some = [best.f1 - chosen.f1 for best, chosen in pairs if best and chosen]
        gaps.append(f"{np.mean(some):.3f}" if some else "")
    same = _same_settings(choices, topics)
    return f"""## Table 2: chosen by cross-validation

Stratified 5-fold cross-validation on the training documents; the setting with the best mean F1
on the folds left out (those that have a positive; the first in the order of the grid among
equals), trained again on all training documents, F1 on the test documents. Nothing about the
test documents is used. `tuned Ada` has no model where a fold within a fold has too few
positives.

{text}

How much less than in Table 1, mean over topics:

{table(["", *COLUMNS], [["gap", *gaps], ["topics with the setting of Table 1", *same]])}

The same settings, F1 on the test documents averaged over the models of the five folds:

{folds}"""


def _same_settings(choices: Choices, topics: Sequence[str]) -> list[str]:
    """For each column in how many topics cross-validation finds the best on the test documents."""
    found = []
    for column in COLUMNS:
        pairs = [
            (choices.on_test(column, Sample(topic)), choices.by_folds(column, topic))
            for topic in topics
        ]
        known = [(best, chosen) for best, chosen in pairs if best and chosen]
        same = sum(best.setting == chosen.setting for best, chosen in known)
        found.append(f"{same} of {len(known)}" if known else "")
    return found


def _sizes(choices: Choices, topics: Sequence[str]) -> str:
    rows = []
    for topic in topics:
        row: list[Any] = [topic]
        for booster in BOOSTERS:
            best = choices.on_test(booster, Sample(topic))
            row += [best.result["rules"], f"{best.result['seconds']:.2f}"] if best else ["", ""]
        grid = [
            result["seconds"]
            for booster in BOOSTERS
            for result in choices.tried(booster, Sample(topic)).values()
        ]
        rows.append([*row, f"{sum(grid) / 60:.1f}"])
    head = ["topic"]
    for booster in BOOSTERS:
        head += [f"{booster}: rules", "s"]
    return f"""## Rules used and time taken

Of the settings of Table 1: rules with weight, and processor seconds for training. Last, the
minutes of one core for the topic's whole grid (settings that are equal counted each; two cores
take half).

{table([*head, "grid, min"], rows)}"""


def _overfitting(choices: Choices, data: Corpus, topics: Sequence[str]) -> str:
    rows = []
    for title, some in _sections(data, topics).items():
        row: list[Any] = [title]
        for booster in BOOSTERS:
            best = [choices.on_test(booster, Sample(topics[i])) for i in some]
            known = [choice for choice in best if choice]
            train = np.mean([f1(choice.result["train"]) for choice in known])
            row.append(f"{train:.3f} / {np.mean([choice.f1 for choice in known]):.3f}")
        rows.append(row)
    return f"""## Training and test documents

Mean F1 of the settings of Table 1 on the training / on the test documents.

{table(["topics", *BOOSTERS], rows)}"""


def _learners(choices: Choices, topics: Sequence[str]) -> str:
    rows = []
    for booster in BOOSTERS:
        scores = np.zeros((len(LEARNERS), len(topics)))
        for i, learner in enumerate(LEARNERS):
            for j, topic in enumerate(topics):
                best = choices.on_test(booster, Sample(topic), learner)
                scores[i, j] = best.f1 if best else 0.0
        wins = (scores == scores.max(axis=0)).sum(axis=1)
        cells = zip(scores.mean(axis=1), wins, strict=True)
        rows.append([booster, *(f"{mean:.3f} ({won})" for mean, won in cells)])
    return f"""## Weak learners

The best F1 on the test documents with each learner, mean over topics, and in how many topics it
is the best or as good.

{table(["booster", *LEARNERS], rows)}"""


def _curves(folder: Path, cells: Mapping[str, Any]) -> str:
    drawn = {}
    for cell in cells:
        if "/curve/" in cell:
            topic, _, how = cell.split("/")
            drawn[topic, how.split()[0]] = how, cells[cell]
    if not drawn:
        return ""
    topics = [topic for topic in SHOWN if any(key[0] == topic for key in drawn)]
    picture, axes = figure(len(topics), len(BOOSTERS), width=12.5, height=2.9 * len(topics))
    for i, topic in enumerate(topics):
        for j, booster in enumerate(BOOSTERS):
            axis = axes[i][j]
            if (topic, booster) not in drawn:
                continue
            _, curve = drawn[topic, booster]
            for part, style in (("train", ":"), ("test", "-")):
                rounds = range(1, len(curve[part]) + 1)
                dots = "o" if len(rounds) < FEW else ""
                axis.plot(
                    rounds, curve[part], style, marker=dots, color=COLOURS[booster], label=part
                )
            axis.set_xlim(0, len(curve["test"]) + 1)
            axis.xaxis.get_major_locator().set_params(integer=True)
            axis.set(title=f"{topic}, {BOOSTERS[booster]}", ylim=(0, 1.02), xlabel="round")
            axis.legend(frameon=False, loc="lower right")
        axes[i][0].set_ylabel("F1")
    save(picture, folder / "figure4.png")
    used = "\n".join(f"- {topic}: {how}" for (topic, _), (how, _) in sorted(drawn.items()))
    return f"""## Figure 4: learning curves

![F1 on training and test documents after each round](figure4.png)

The settings are those of Table 1:

{used}"""


def _few_positives(folder: Path, choices: Choices, shrunk: Sequence[Sample]) -> str:
    topics = list(dict.fromkeys(sample.topic for sample in shrunk))
    sizes = sorted({sample.positives or 0 for sample in shrunk})
    picture, axes = figure(1, len(topics), width=5.8 * len(topics), height=4.2)
    rows = []
    for axis, topic in zip(axes[0], topics, strict=True):
        for booster in BOOSTERS:
            means, errors = [], []
            for size in sizes:
                some = [s for s in shrunk if s.topic == topic and s.positives == size]
                if any(choices.missing(booster, sample) for sample in some):
                    break
                best = [choices.on_test(booster, sample) for sample in some]
                scores = [choice.f1 for choice in best if choice]
                means.append(float(np.mean(scores)))
                errors.append(float(np.std(scores, ddof=1)))
            known = sizes[: len(means)]
            if not known:
                continue
            axis.errorbar(
                known, means, errors, label=BOOSTERS[booster], color=COLOURS[booster], capsize=3
            )
            cells = [f"{m:.3f} ± {e:.3f}" for m, e in zip(means, errors, strict=True)]
            rows.append([topic, BOOSTERS[booster], *cells, *[""] * (len(sizes) - len(cells))])
        axis.set(title=topic, xscale="log", ylim=(0, 1), xlabel="positives in training")
        axis.set_xticks(sizes, list(map(str, sizes)), minor=False)
        axis.minorticks_off()
        axis.set_ylabel("best F1 on the test documents")
    if not rows:
        return ""
    axes[0][0].legend(frameon=False, loc="lower right")
    save(picture, folder / "figure5.png")
    seeds = len({sample.seed for sample in shrunk})
    return f"""## Figure 5: a large topic made small

All negatives and a few of the positives; the best setting on the test documents, mean and
standard deviation of {seeds} draws.

![F1 by number of positives](figure5.png)

{table(["topic", "booster", *map(str, sizes)], rows)}"""
