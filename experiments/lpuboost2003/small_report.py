"""The section of README.md on all small topics, its figure and its table by topic."""

import csv
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.figures import figure, save
from experiments.lpuboost2003 import small
from experiments.lpuboost2003.choices import Choice, Choices
from experiments.lpuboost2003.data import FEWEST_TESTS, SMALL, Corpus, Sample
from experiments.lpuboost2003.grid import BOOSTERS, Setting, f1
from experiments.lpuboost2003.report import COLOURS
from experiments.lpuboost2003.small import BEST, COLUMNS, CRITERIA, Duel, Tally
from experiments.tables import table
from underdog.comparison.paired import holm

GROUPS = (range(3, 11), range(11, 31), range(31, 97))
"""By training documents."""
PAIRS = (
    *combinations(("LPU", "U", "LightGBM", "Ada", "LP", "SVM"), 2),
    ("LPU", "LPU balanced"), ("LP", "LP balanced"), ("U", "LPU balanced"),
)  # fmt: skip
NEAR = (("LPU", "U"), ("LPU", "Ada"), ("LPU", "LPU balanced"), ("LP", "LP balanced"))
"""Also compared by group."""
STYLES = {
    **{booster: (colour, "-") for booster, colour in COLOURS.items()},
    "LP balanced": (COLOURS["LP"], "--"), "LPU balanced": (COLOURS["LPU"], "--"),
    "SVM": ("#8c8c8c", ":"), "LightGBM": ("#8c8c8c", "-."),
}  # fmt: skip


class SmallTopics:
    """What is shown of the small topics.

    Parameters
    ----------
    cells : finished cells
    data : Corpus
    topics : small topics, the smallest first
    table1 : topics of Table 1
    whole : the grid of Table 1
    quick : bool
    """

    def __init__(
        self,
        cells: Mapping[str, Any],
        data: Corpus,
        topics: Sequence[str],
        table1: Sequence[str],
        whole: Sequence[Setting],
        quick: bool,
    ) -> None:
        self.topics, self.table1 = list(topics), list(table1)
        self.settings = small.settings(quick)
        self.choices = Choices(cells, self.settings)
        self.whole = Choices(cells, whole)
        self.positives = np.array([int(data.label(topic).sum()) for topic in topics])
        self.tests = np.array([int(data.label_test(topic).sum()) for topic in topics])
        self.large = [t for t in table1 if int(data.label(t).sum()) not in SMALL]
        self.scores = small.scores(self.choices, topics)

    def write(self, folder: Path) -> str:
        """The section; the figure and the table by topic go into the folder."""
        if any(np.isnan(self.scores[BEST][column]).any() for column in COLUMNS):
            return ""  # not all is computed
        self._draw(folder / "small.png")
        self._list(folder / "small.csv")
        return "\n\n".join(
            [
                self._introduction(), self._means(), self._training(), self._tallies(),
                self._duels(), self._near(),
            ]
        )  # fmt: skip

    def _groups(self) -> dict[str, NDArray[np.intp]]:
        """Topics by their number of training documents."""
        return {
            f"{group[0]} to {group[-1]}": np.flatnonzero(np.isin(self.positives, group))
            for group in GROUPS
        }

    def _introduction(self) -> str:
        plain = [setting for setting in self.settings if not setting.form]
        counts = ", ".join(f"{b} {sum(s.booster == b for s in plain)}" for b in BOOSTERS)
        values = {
            name: ", ".join(
                dict.fromkeys(str(getattr(s, name)) for s in plain if s.booster == "LPU")
            )
            for name in ("learner", "ratio", "nu", "beta")
        }
        few, all_of = (
            [_mean([choices.on_test(b, Sample(t)) for t in self.table1]) for b in BOOSTERS]
            for choices in (self.choices, self.whole)
        )
        reduction = table(
            ["grid", *BOOSTERS], [["Table 1", *all_of], [f"these {len(plain)} settings", *few]]
        )
        return f"""## All small topics

Table 1 has only six small topics, and they are easy: for most of them one word is enough. This
section has all {len(self.topics)} topics with {SMALL[0]} to {SMALL[-1]} training documents (1 %)
and at least {FEWEST_TESTS} test documents. The grid is reduced to

- learners: {values["learner"]}
- D_LB: {values["ratio"]}
- nu: {values["nu"]}
- beta: {values["beta"]}
- settings: {counts}

Effect of the smaller grid on the topics of Table 1 (mean F1, best on the test documents):

{reduction}

LP and LPU are run in three forms:

- as in the paper: nu is a share of all documents.
- `balanced`: nu is a share of each class (`class_weight="balanced"`). Both classes have the same
  initial weight, and the bounds of the weights are proportional to it.
- `printed`: exactly as printed in the paper, without the library's additions. Rules are not scaled
  to a largest value of 1, and tol = 0. Trained on all training documents only."""

    def _means(self) -> str:
        large = small.scores(self.choices, self.large)
        rows = []
        groups = self._groups() | {
            "all small": np.arange(len(self.topics)),
            "small, Table 1": np.flatnonzero(np.isin(self.topics, self.table1)),
        }
        for criterion in CRITERIA:
            parts = [(title, self.scores, some) for title, some in groups.items()]
            parts += [(f"over {SMALL[-1]}, Table 1", large, np.arange(len(self.large)))]
            for title, found, some in parts:
                means = [_shown(found[criterion][column][some]) for column in COLUMNS]
                rows.append([criterion, title, len(some), *_bold(means)])
        head = ["setting", "training documents", "topics", *COLUMNS]
        return f"""Mean F1 on the test documents. "Best on test" is the best setting on the test
documents, as in Table 1. It is an upper bound, and a looser one for a family with more settings.
"Chosen" is chosen by 5-fold cross-validation and trained again, as in Table 2. "Chosen, folds" is
the mean over the models of the five folds. Results by topic are in [small.csv](small.csv).

{table(head, rows)}

![F1 by number of training documents, and LPU less U by topic](small.png)"""

    def _training(self) -> str:
        rows = []
        for title, some in self._groups().items():
            row: list[Any] = [title, len(some)]
            for booster in BOOSTERS:
                best = [self.choices.on_test(booster, Sample(self.topics[i])) for i in some]
                known = [choice for choice in best if choice]
                train = [f1(choice.result["train"]) for choice in known]
                row.append(f"{_shown(np.array(train))} / {_mean(known)}" if known else "")
            rows.append(row)
        return f"""Mean F1 of the best settings on the training / test documents:

{table(["training documents", "topics", *BOOSTERS], rows)}"""

    def _tallies(self) -> str:
        columns = [column for column in COLUMNS if column not in small.OTHERS]
        found = [Tally.of(self.choices, column, self.topics) for column in columns]
        rows: list[list[Any]] = [
            ["models", *(tally.models for tally in found)],
            ["of one rule", *(tally.single for tally in found)],
            ["that reject every training document", *(tally.silent for tally in found)],
            ["topics in which all models do so", *(tally.silent_topics for tally in found)],
        ]
        return f"""Number of models, over all settings and topics:

{table(["", *columns], rows)}"""

    def _duels(self) -> str:
        everything = np.arange(len(self.topics))
        columns = [[self._duel(c, pair, everything) for pair in PAIRS] for c in CRITERIA]
        adjusted = [holm([duel.p_value if duel else np.nan for duel in c]) for c in columns]
        rows = [
            [f"{first} - {second}", *_cells([c[i] for c in columns], [p[i] for p in adjusted])]
            for i, (first, second) in enumerate(PAIRS)
        ]
        return f"""Differences over the {len(self.topics)} topics: the mean of the first minus the
second, topics won / tied / lost, and the p-value of Wilcoxon's two-sided signed-rank test without
ties, with Holm's adjustment for the {len(PAIRS)} pairs of a column. Topics share documents (one on
rapeseed may also be on soybeans), so they are not quite as independent as the test assumes.

{table(["pair", *_heads()], rows)}"""

    def _near(self) -> str:
        rows = []
        for first, second in NEAR:
            for title, some in self._groups().items():
                duels = [self._duel(criterion, (first, second), some) for criterion in CRITERIA]
                p_values = [duel.p_value if duel else np.nan for duel in duels]
                rows.append([f"{first} - {second}", title, len(some), *_cells(duels, p_values)])
        return f"""The same by number of training documents. These p-values are not adjusted.

{table(["pair", "training documents", "topics", *_heads()], rows)}"""

    def _duel(self, criterion: str, pair: tuple[str, str], some: NDArray[np.intp]) -> Duel | None:
        first, second = (self.scores[criterion][column][some] for column in pair)
        known = len(some) and not np.isnan(first + second).any()
        return Duel.of(first, second) if known else None

    def _list(self, path: Path) -> None:
        """F1 by topic, as numbers for other programs."""
        criteria = [(c, column) for c in CRITERIA for column in COLUMNS]
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["topic", "training", "test", *(f"{b}: {a}" for a, b in criteria)])
            for i, topic in enumerate(self.topics):
                values = [self.scores[c][column][i] for c, column in criteria]
                shown = ["" if np.isnan(value) else f"{value:.4f}" for value in values]
                writer.writerow([topic, self.positives[i], self.tests[i], *shown])

    def _draw(self, path: Path) -> None:
        picture, axes = figure(1, 3, width=15, height=4.4)
        large = small.scores(self.choices, self.large)
        ticks = [*self._groups(), f"over {SMALL[-1]}"]
        for axis, criterion in zip(axes[0], CRITERIA[:2], strict=False):
            for column, (colour, style) in STYLES.items():
                parts = [self.scores[criterion][column][some] for some in self._groups().values()]
                parts.append(large[criterion][column])
                means = [float(part.mean()) if len(part) else np.nan for part in parts]
                axis.plot(ticks, means, style, marker="o", color=colour, label=column)
            axis.set(title=criterion, ylim=(0, 1), xlabel="training documents", ylabel="mean F1")
        axes[0][1].set_title("chosen by cross-validation")
        axes[0][0].legend(
            frameon=False, loc="lower right", ncols=2, fontsize="small", handlelength=3.5
        )
        axis = axes[0][2]
        for criterion, filled in zip(CRITERIA[:2], (True, False), strict=True):
            difference = self.scores[criterion]["LPU"] - self.scores[criterion]["U"]
            axis.scatter(
                self.positives, difference, label=criterion, edgecolors=STYLES["LPU"][0],
                facecolors=STYLES["LPU"][0] if filled else "none",
            )  # fmt: skip
        axis.axhline(0.0, color="#8c8c8c", linewidth=0.8)
        axis.set(title="LPU less U, topic by topic", xscale="log", ylabel="difference of F1")
        axis.set_xticks([3, 10, 30, 96], ["3", "10", "30", "96"])
        axis.minorticks_off()
        axis.set_xlabel("training documents")
        axis.legend(frameon=False, loc="lower right", fontsize="small")
        save(picture, path)


def _mean(choices: Sequence[Choice | None]) -> str:
    return _shown(np.array([choice.f1 for choice in choices if choice]))


def _shown(values: NDArray[np.float64]) -> str:
    known = len(values) and not np.isnan(values).any()
    return f"{values.mean():.3f}" if known else ""


def _bold(texts: Sequence[str]) -> list[str]:
    best = max(texts)
    return [f"**{text}**" if text and text == best else text for text in texts]


def _heads() -> list[str]:
    return [f"{criterion}: {what}" for criterion in CRITERIA for what in ("mean", "w / t / l", "p")]


def _cells(duels: Sequence[Duel | None], p_values: Sequence[float]) -> list[str]:
    found = []
    for duel, p_value in zip(duels, p_values, strict=True):
        if duel is None:
            found += ["", "", ""]
            continue
        p_text = "<0.001" if p_value < 0.001 else f"{p_value:.3f}"
        topics = f"{duel.won} / {duel.tied} / {duel.lost}"
        found += [f"{duel.difference:+.3f}", topics, p_text]
    return found
