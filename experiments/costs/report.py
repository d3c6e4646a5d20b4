"""README.md, results.csv.gz and the figures, from the cells."""

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.costs import figures
from experiments.costs.against import FEWEST, Duel, duels
from experiments.costs.data import load
from experiments.costs.groups import POSITIVES, RATIOS, outcome
from experiments.costs.models import BASELINE, CALIBRATED, FOLDS, KINDS, LEAF, NU, OWN, TITLES, TOL
from experiments.costs.results import Results
from experiments.costs.statement import at_cost, total
from experiments.costs.verdicts import verdicts
from experiments.tables import table


def write(
    folder: Path,
    cells: Mapping[str, Any],
    sets: Sequence[str],
    costs: Sequence[str],
    repetitions: int,
) -> None:
    """Write README.md, results.csv.gz and the figures into this folder."""
    results = Results(cells, sets, costs, repetitions)
    found = {cost: _all_duels(results, cost) for cost in costs}
    figures.draw_costs(results, folder / "cost.png")
    figures.draw_differences(results, OWN, folder / "differences.png")
    figures.draw_brier(results, folder / "brier.png")
    _write_csv(results, folder / "results.csv.gz")
    parts = [
        _head(),
        _short(results, found),
        _protocol(results),
        _costs(results),
        *(_measures(results, cost) for cost in costs),
        _duels(results, found),
        _groups(results, found),
        _probabilities(results),
        _sets(results),
    ]
    text = "\n\n".join(part.strip() for part in parts)
    (folder / "README.md").write_text(text + "\n", encoding="utf-8")


def _all_duels(results: Results, cost: str) -> dict[str, Duel]:
    """Of every model but the baseline itself; those of a kind are adjusted for each other."""
    found: dict[str, Duel] = {}
    for titles in KINDS.values():
        rivals = [title for title in titles if title != BASELINE]
        found |= {duel.model: duel for duel in duels(results, rivals, cost)}
    return found


def _head() -> str:
    return f"""# Boosters with costs on imbalanced data

Does a booster that is told the costs do better than plain AdaBoost, calibrated, with the threshold
that the costs ask for ({BASELINE})? Nikolaou et al., "Cost-sensitive boosting algorithms: do we
really need them?", Machine Learning 104, 2016, found that it does not. This page is written by
`python -m experiments.costs` from `cells.json.gz`, which keeps what is computed; every number and
every verdict below is taken from there. [results.csv.gz](results.csv.gz) has cost, F1 and Brier
score of every model on every set."""


def _short(results: Results, found: Mapping[str, Mapping[str, Duel]]) -> str:
    def some(cost: str, titles: Sequence[str]) -> list[Duel]:
        return [found[cost][title] for title in titles]

    def everywhere(titles: Sequence[str]) -> str:
        return total([duel for cost in results.costs for duel in some(cost, titles)])

    at_each = "\n".join(
        at_cost(results, cost, some(cost, OWN), some(cost, CALIBRATED)) for cost in results.costs
    )
    claims = [
        [verdict.claim, "**holds**" if verdict.holds else "**does not hold**", verdict.why]
        for verdict in verdicts(results, found)
    ]
    return f"""## Where they beat the honest baseline, and where not

- As the boosters decide by themselves, {everywhere(OWN)}.
- With calibration and threshold around them as well, {everywhere(CALIBRATED)}.

{table(["claim", "verdict", "why"], claims)}

Cost by cost:

{at_each}

In brackets: sets on which the model is cheaper : dearer than {BASELINE} in the mean. Told apart is
what Wilcoxon's signed-rank test over {results.distinct.sum()} sets finds at 5 %, adjusted by Holm
for the {len(OWN)} models of the same kind at that cost. Single sets are tested by the corrected
resampled t-test over {2 * results.repetitions} halves, each at 5 %{_too_few(results)}."""


def _protocol(results: Results) -> str:
    return f"""## What was done

    python -m experiments.costs            # all that is missing, then this page; Ctrl-C and go on
    python -m experiments.costs --quick    # a slice, printed and not kept

Fitting took {results.seconds() / 60:.0f} minutes of one core.

- **Data**: {len(results.sets)} sets of two classes from `imbalanced/` of the data folder, the rare
  class being positive. `oil-spill` is without its first column, which numbers the images. `ecoli`
  is `ecoli3` with its rows in another order: it is in the tables and counts once in tests. Many
  sets are the same examples with other classes ({len(set(results.origins))} sources), so the tests
  over sets take for independent what is not quite so; the column "sources" counts without that.
- **Halves**: every set is cut in two, stratified, {_times(results.repetitions)}; learned from one
  half and judged by the other, both ways; the same halves for all models. Nothing is tuned;
  calibration and thresholds use {FOLDS} folds within the half that is learned from.
- **Costs**: a false alarm costs 1, a miss 1, 5, 20 or the set's imbalance ratio (IR). *Relative
  cost* is the mean cost of an example divided by that of the better constant decision, "never" or
  "always": below 1 the model is of use.
- **At cost 1** there are no costs to be told: weighted AdaBoost and AdaUBoost are plain AdaBoost,
  and LPUBoost is LPBoost. What differs from the baseline there is what calibration does.
- **F1** is of all decisions of a cut together, the mean of the cuts. *Relative Brier score*: by
  that of giving every example the share of the positives. A dash: the LP family has no
  probabilities before it is calibrated.
- **Boosters**: 100 rounds. AdaBoost and AdaUBoost with real-valued stumps, AdaBoost.A with votes
  (its default; "even start": costs p, but uniform initial weights w). The LP family with votes
  (its real-valued stumps end at a margin of 0 on sets that are hard to part, such as vehicle1),
  tol = {TOL}, and nu = {NU}, or the share of the lighter class in the weight where that is less:
  from twice that on, a constant has a positive soft margin. TotalBoost has no nu; costs only move
  its centre. AdaBoost.MH and BoostingClassifier are AdaBoost on two classes and not shown twice.
- **Baselines**: AdaMEC is AdaBoost's own probabilities with the threshold of least expected cost;
  {BASELINE} the same after a sigmoid on scores out of fold, also isotonic, and with voting stumps;
  AdaBoost with the cheapest threshold out of fold; logistic regression (standardised) and LightGBM
  (100 trees, at least {LEAF} examples in a leaf), both with the threshold; LightGBM with
  `scale_pos_weight`.
- **Unlike the paper** (15 variants of AdaBoost, 18 sets, 21 degrees of imbalance): other sets and
  costs; the boosters of this library, most of which the paper has not; the sigmoid is fitted to
  scores out of fold of all examples and not on a half that is kept apart, because these sets have
  down to {min(load(name).positives for name in results.sets)} positives."""


def _costs(results: Results) -> str:
    ranks = {cost: results.ranks(TITLES, cost) for cost in results.costs}
    rows = []
    for i, title in enumerate(TITLES):
        row: list[Any] = [f"**{title}**" if title == BASELINE else title]
        for cost in results.costs:
            mean = results.cost(title, cost).mean()
            row += [f"{mean:.3f}", f"{ranks[cost][i]:.1f}"]
        rows.append([*row, f"{np.mean([ranks[cost][i] for cost in results.costs]):.1f}"])
    rows.sort(key=lambda row: float(row[-1]))
    head = ["model"]
    for cost in results.costs:
        head += [f"cost at {cost}", "rank"]
    tests = ", ".join(f"{results.friedman(TITLES, cost):.1g} at {cost}" for cost in results.costs)
    return f"""## Cost

![Relative cost of every model at each cost](cost.png)

Grey: a constant decision. Dotted: the median of {BASELINE}. Dots beyond the edge are drawn on it.

Relative cost, mean over the sets, and mean rank among the {len(TITLES)} models (1 is the cheapest);
ordered by the mean of the ranks. That all cost the same has a p-value of {tests} (Friedman).

{table([*head, "mean rank"], rows)}"""


def _measures(results: Results, cost: str) -> str:
    rows = []
    for title in TITLES:
        relative = results.cost(title, cost).mean(axis=1)
        expected = relative * results.constant(cost)
        brier, skill = results.measure(title, cost, "brier"), results.brier(title, cost)
        rows.append(
            [
                f"**{title}**" if title == BASELINE else title,
                f"{expected.mean():.4f}", f"{relative.mean():.3f}", f"{np.median(relative):.3f}",
                f"{results.f1(title, cost).mean():.3f}", _shown(brier, 4), _shown(skill, 3),
                _shown(results.measure(title, cost, "log_loss"), 3),
                _shown(results.measure(title, cost, "precision"), 3),
                f"{results.mean(title, cost, 'rules'):.0f}",
                f"{results.mean(title, cost, 'seconds'):.2f}",
            ]
        )  # fmt: skip
    head = ["model", "expected cost", "relative, mean", "median", "F1", "Brier", "relative Brier"]
    head += ["log loss", "average precision", "rules", "s"]
    return f"""### {_heading(cost)}

Means over the sets. Seconds are of one fit with its calibration, on a machine that did other work.

{table(head, rows)}"""


def _duels(results: Results, found: Mapping[str, Mapping[str, Duel]]) -> str:
    parts = []
    for cost, by_model in found.items():
        rows = []
        for title, duel in by_model.items():
            mean = duel.differences[results.distinct].mean()
            rows.append(
                [title, f"{mean:+.3f}", f"{duel.cheaper}:{duel.dearer}",
                 f"{duel.origins[0]} of {duel.origins[1]}",
                 f"{len(duel.wins)} / {len(duel.ties)} / {len(duel.losses)}",
                 f"{duel.p_value:.2g}", duel.verdict]
            )  # fmt: skip
        head = ["model", "mean difference", "cheaper:dearer", "sources", "won / tied / lost"]
        head += ["p (Holm)", "verdict"]
        parts.append(f"### {_heading(cost)}\n\n{table(head, rows)}")
    text = "\n\n".join(parts)
    return f"""## Against {BASELINE}

Difference of the relative costs, below 0 where the model is cheaper; on how many sets it is
cheaper : dearer; in how many sources; and by how many sets it wins, ties and loses by the
corrected resampled t-test (Nadeau and Bengio) at 5 % each, so that of {results.distinct.sum()} sets
about two would differ by chance.

{text}"""


def _groups(results: Results, found: Mapping[str, Mapping[str, Duel]]) -> str:
    ratios = [group.holds(results.ratios) for group in RATIOS]
    rows = [
        [title, *(outcome(results, [found[cost][title]], members)
                  for cost in results.costs for members in ratios)]
        for title in OWN
    ]  # fmt: skip
    head = [f"{cost}, IR {group.title}" for cost in results.costs for group in RATIOS]
    few = []
    for group in POSITIVES:
        members = group.holds(results.positives)
        row: list[Any] = [group.title, int((members & results.distinct).sum())]
        for cost in results.costs:
            row += [
                outcome(results, [found[cost][title] for title in titles], members)
                for titles in (OWN, CALIBRATED)
            ]
        few.append(row)
    few_head = ["positives", "sets"]
    for cost in results.costs:
        few_head += [f"at {cost}: own", "calibrated"]
    return f"""## By imbalance ratio and number of positives

![Cost less that of the baseline by imbalance ratio](differences.png)

Sets on which the booster, as it decides, is cheaper : dearer than {BASELINE}.

{table(["booster", *head], rows)}

All {len(OWN)} boosters together, as they decide and calibrated, by the number of positives in the
set, of which half are learned from.

{table(few_head, few)}"""


def _probabilities(results: Results) -> str:
    rows = []
    for title in TITLES:
        found = [results.brier(title, cost) for cost in results.costs]
        base = [results.brier(BASELINE, cost) for cost in results.costs]
        cells = []
        for own, other in zip(found, base, strict=True):
            if own is None or other is None:
                cells += ["-", "-"]
            else:
                better, worse = ((own < other)[results.distinct], (own > other)[results.distinct])
                versus = "" if title == BASELINE else f"{better.sum()}:{worse.sum()}"
                cells += [f"{own.mean():.3f}", versus]
        rows.append([f"**{title}**" if title == BASELINE else title, *cells])
    head = ["model"]
    for cost in results.costs:
        head += [f"trained at {cost}", "better:worse"]
    return f"""## Probabilities

![Relative Brier score of every model at each cost](brier.png)

Relative Brier score, mean over the sets, and on how many sets it is better : worse than that of
{BASELINE}. Above 1 it is worse than giving every example the share of the positives.

{table(head, rows)}"""


def _sets(results: Results) -> str:
    rows = []
    columns: dict[str, Any] = {
        cost: (
            results.cost(BASELINE, cost).mean(axis=1),
            np.array([results.cost(title, cost).mean(axis=1) for title in OWN]),
        )
        for cost in results.costs
    }
    for i, name in enumerate(results.sets):
        data = load(name)
        row: list[Any] = [name, len(data.y), data.positives, f"{data.ratio:.1f}"]
        for base, own in columns.values():
            best = int(own[:, i].argmin())
            row += [f"{base[i]:.2f}", f"{own[best, i]:.2f} {OWN[best]}"]
        rows.append(row)
    head = ["set", "rows", "positives", "IR"]
    for cost in results.costs:
        head += [f"baseline at {cost}", "best booster"]
    return f"""## Set by set

Relative cost of {BASELINE} and of the cheapest of the {len(OWN)} boosters as they decide. The
cheapest is chosen on the examples that judge it: it looks better than a booster chosen beforehand.

{table(head, rows)}"""


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _too_few(results: Results) -> str:
    few = 2 * results.repetitions < FEWEST
    return f"; with fewer than {FEWEST} they are all called ties" if few else ""


def _heading(cost: str) -> str:
    return "A" + figures.heading(cost)[1:]


def _shown(values: Any, digits: int) -> str:
    return "-" if values is None else f"{values.mean():.{digits}f}"


def _write_csv(results: Results, path: Path) -> None:
    """A line for each set, cost and model."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(["set", "cost", "model", "expected_cost", "f1", "brier"])
    for cost in results.costs:
        for title in TITLES:
            spent = results.cost(title, cost).mean(axis=1) * results.constant(cost)
            brier = results.measure(title, cost, "brier")
            scores = results.f1(title, cost)
            for i, name in enumerate(results.sets):
                shown = "" if brier is None else f"{brier[i]:.4f}"
                lines.writerow([name, cost, title, f"{spent[i]:.4f}", f"{scores[i]:.3f}", shown])
    path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))  # no time: the same bytes
