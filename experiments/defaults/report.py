"""README.md, from the cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from experiments.costs.against import signed_ranks
from experiments.costs.data import load
from experiments.defaults.runs import MODELS, OURS, PEERS
from experiments.nu.data import FOLDS
from experiments.tables import table

Floats = NDArray[np.float64]
MEASURES = {"ap": "average precision", "log_loss": "log loss", "auc": "ROC AUC"}
LEVEL = 0.05
"""Differences with a larger p-value are called noise."""
BETTER, WORSE, NOISE = "better than", "worse than", "within noise of"


class Results:
    """The mean of each measure over the folds of each table.

    Parameters
    ----------
    cells : by "table/model" a list of numbers for each measure
    sets : names of the tables
    """

    def __init__(self, cells: Mapping[str, Any], sets: Sequence[str]) -> None:
        self.sets = list(sets)
        self._means = {
            (model, measure): np.array([np.mean(cells[f"{n}/{model}"][measure]) for n in sets])
            for model in MODELS
            for measure in (*MEASURES, "seconds")
        }

    def values(self, model: str, measure: str) -> Floats:
        """By table."""
        return self._means[model, measure]

    def goodness(self, model: str, measure: str) -> Floats:
        """By table; more is better."""
        values = self.values(model, measure)
        return -values if measure == "log_loss" else values

    def ranks(self, measure: str) -> Floats:
        """(models, tables): 1 is the best; models that are equal share the mean of their ranks."""
        good = np.array([self.goodness(model, measure) for model in MODELS])
        ranks: Floats = rankdata(-good, axis=0)
        return ranks

    def gain(self, model: str, other: str, measure: str) -> Floats:
        """By table: by how much the first is better."""
        return self.goodness(model, measure) - self.goodness(other, measure)

    def verdict(self, model: str, other: str, measure: str) -> str:
        """BETTER, WORSE or NOISE."""
        p_value, sign = signed_ranks(self.gain(model, other, measure))
        if not p_value < LEVEL:
            return NOISE
        return BETTER if sign > 0 else WORSE


def write(folder: Path, cells: Mapping[str, Any], sets: Sequence[str]) -> None:
    """Write README.md into this folder."""
    found = Results(cells, sets)
    parts = [_head(found), _statement(found), *(_measure(found, each) for each in MEASURES)]
    parts += [_every_table(found)]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _head(found: Results) -> str:
    rows = [len(load(name).y) for name in found.sets]
    ours = ", ".join(f"`{kind.__name__}({_shown(own)})`" for kind, own in OURS.values())
    return f"""# Defaults beside those of other libraries

Every model as its constructor makes it, on {len(found.sets)} tables with a rare class,
{min(rows):,} to {max(rows):,} rows, in {FOLDS} stratified folds, the same for all. This page is
written by `python -m experiments.defaults` from `cells.json.gz`; `--quick` is a slice, printed and
not kept.

- **Tables**: all of [the experiment on costs](../costs/README.md), each once. Many of them are the
  same examples with other classes, so p-values are too small.
- **Ours**: {ours}.
- **Peers**: {_listed(PEERS)}. Every model has one
  thread. Nothing is tuned, and nothing stops early.
- **Measures**: of the probability of the rare class, mean over folds, then over tables. In the log
  loss a probability of 0 for the true class counts as about 36.
- **Mean rank**: among the {len(MODELS)} models on a table, 1 is the best. **First**: tables on
  which no other model is better.
- **p**: Wilcoxon's signed-rank test over tables, not adjusted. A difference with p below {LEVEL} is
  called better or worse, any other noise."""


def _shown(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f'{name}="{value}"' for name, value in parameters.items())


def _statement(found: Results) -> str:
    """What the tables say, in words."""
    rows, every = [], []
    for model in OURS:
        for measure, title in MEASURES.items():
            verdicts = {peer: found.verdict(model, peer, measure) for peer in PEERS}
            every += verdicts.values()
            said = [
                f"{kind} {_listed([peer for peer in PEERS if verdicts[peer] == kind])}"
                for kind in (BETTER, WORSE, NOISE)
                if kind in verdicts.values()
            ]
            rows.append([model, title, "; ".join(said)])
    better, worse = every.count(BETTER), every.count(WORSE)
    orders = "\n".join(f"- {title}: {_order(found, each)}." for each, title in MEASURES.items())
    return f"""## In words

Of {len(every)} comparisons of ours with a peer, ours is better in {better}, worse in {worse}, and
within noise in {len(every) - better - worse}. By mean rank:

{orders}

{table(["", "", "is"], rows)}"""


def _order(found: Results, measure: str) -> str:
    """The models from the best to the worst."""
    means = dict(zip(MODELS, found.ranks(measure).mean(axis=1).tolist(), strict=True))
    best_first = sorted(means, key=means.__getitem__)
    return "; ".join(f"{model} {means[model]:.1f}" for model in best_first)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _measure(found: Results, measure: str) -> str:
    title = MEASURES[measure]
    ranks = found.ranks(measure)
    best = ranks == ranks.min(axis=0)
    rows = []
    for place, model in enumerate(MODELS):
        duels = [_duel(found, model, peer, measure) for peer in PEERS]
        mean = found.values(model, measure).mean()
        rows.append([model, f"{mean:.3f}", f"{ranks[place].mean():.2f}", best[place].sum(), *duels])
    head = ["", "mean", "mean rank", "first", *PEERS]
    return f"""## {title[0].upper()}{title[1:]}

Below each peer: tables on which the model of the row is better : worse than it (p).

{table(head, rows)}"""


def _duel(found: Results, model: str, peer: str, measure: str) -> str:
    if model == peer:
        return ""
    gain = found.gain(model, peer, measure)
    return f"{(gain > 0).sum()}:{(gain < 0).sum()} ({signed_ranks(gain)[0]:.2g})"


def _every_table(found: Results) -> str:
    rows = []
    for place, name in enumerate(found.sets):
        own = load(name)
        values = [f"{found.values(model, 'ap')[place]:.3f}" for model in MODELS]
        rows.append([name, len(own.y), own.X.shape[1], own.positives, *values])
    rows.append(
        ["seconds of all fits", "", "", ""]
        + [f"{found.values(model, 'seconds').sum() * FOLDS:.1f}" for model in MODELS]
    )
    return f"""## Average precision on each table

Seconds were measured while other work was running on the machine and say little.

{table(["", "rows", "columns", "rare", *MODELS], rows)}"""
