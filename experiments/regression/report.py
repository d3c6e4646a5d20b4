"""README.md, from the cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.regression.data import FOLDS, Floats, folds, load, origin
from experiments.regression.runs import (
    MEAN,
    MEASURES,
    MODELS,
    OURS,
    OURS_QUANTILE,
    PEERS,
    QUANTILE,
    QUANTILE_MEASURES,
    QUANTILE_PEERS,
    QUANTILES,
    name,
)
from experiments.tables import table
from underdog.comparison.paired import LEVEL, corrected_t

RATIO = 1.0 / (FOLDS - 1.0)
"""Examples to judge by for each one to learn from."""
BETTER, WORSE, NOISE = "better", "worse", "within noise"


class Results:
    """Every measure of every model on the folds of each set."""

    def __init__(self, cells: Mapping[str, Any], sets: Sequence[str]) -> None:
        self._cells, self.sets = cells, list(sets)

    def values(self, member: str, kind: str, model: str, measure: str) -> Floats:
        """By fold."""
        cells = [self._cells[name(member, kind, model, k)] for k in range(len(folds(member)))]
        return np.array([cell[measure] for cell in cells])

    def loss(self, member: str, kind: str, model: str) -> Floats:
        """By fold: RMSE, or the mean of the pinball losses."""
        if kind == MEAN:
            return self.values(member, kind, model, "rmse")
        every = [self.values(member, kind, model, f"pinball_{share}") for share in QUANTILES]
        result: Floats = np.mean(every, axis=0)
        return result

    def verdict(self, member: str, kind: str, model: str, peer: str) -> str:
        """BETTER, WORSE or NOISE, by the corrected resampled t-test over the folds."""
        differences = self.loss(member, kind, model) - self.loss(member, kind, peer)
        if not differences.any():
            return NOISE
        mean, _, _, p_value = corrected_t(differences, RATIO)
        if not p_value < LEVEL:
            return NOISE
        return BETTER if mean < 0.0 else WORSE


def write(folder: Path, cells: Mapping[str, Any], sets: Sequence[str]) -> None:
    """Write README.md into this folder."""
    found = Results(cells, sets)
    parts = [
        _head(found),
        _statement(found),
        "## Means",
        _table(found, MEAN, MEASURES),
        "## Quantiles",
        _table(found, QUANTILE, QUANTILE_MEASURES),
    ]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _head(found: Results) -> str:
    sets = "\n".join(f"| {_about(member)} |" for member in found.sets)
    return f"""# Regression beside other libraries

`GradientBoostingRegressor` with several settings, and other libraries with their
defaults, on {len(found.sets)} tables in {FOLDS} folds, the same for all. This page is written by
`python -m experiments.regression` from `cells.json.gz`; `--quick` is one small table, printed and
not kept.

| set | rows | columns | unit of the target | {FOLDS} folds, times |
|---|---|---|---|---|
{sets}

- **Ours**: {_settings(OURS)}.
  For quantiles, `loss="quantile"` with one model for all three, whose trees are shared, or a model
  for each.
- **Peers**: {", ".join(PEERS)};
  for quantiles {" and ".join(QUANTILE_PEERS)}, a model for each. Nothing is tuned.
  HistGradientBoosting stops early by default if there are more than 10,000 rows.
- **Measures**: mean over folds. R2 is the share of the variance that is explained. The pinball loss
  of a quantile q counts q times what a prediction is too low, and 1 - q times what it is too high.
  Coverage is the share of the rows between the quantiles {QUANTILES[0]} and {QUANTILES[-1]}; it
  should be {QUANTILES[-1] - QUANTILES[0]:.1f}.
- **Better and worse**: by RMSE, or by the mean of the three pinball losses; corrected resampled
  t-test over the folds, p below {LEVEL}, not adjusted. Any other difference is called noise."""


def _about(member: str) -> str:
    X, _ = load(member)
    where = origin(member)
    facts = [member, f"{X.shape[0]:,}", X.shape[1], where.unit, where.repetitions]
    return " | ".join(map(str, facts))


def _settings(settings: Mapping[str, Mapping[str, Any]]) -> str:
    shown = [
        f"{title} (`{', '.join(f'{key}={value!r}' for key, value in own.items())}`)"
        if own
        else title
        for title, own in settings.items()
    ]
    return "; ".join(shown)


def _statement(found: Results) -> str:
    """What the tables say, in words."""
    rows, every = [], []
    for kind, ours, peers in ((MEAN, OURS, PEERS), (QUANTILE, OURS_QUANTILE, QUANTILE_PEERS)):
        for model in ours:
            row = [kind, model]
            for peer in PEERS:
                if peer not in peers:
                    row.append("")
                    continue
                verdicts = [found.verdict(member, kind, model, peer) for member in found.sets]
                every += verdicts
                row.append(" / ".join(str(verdicts.count(each)) for each in (BETTER, NOISE, WORSE)))
            rows.append(row)
    counts = [every.count(each) for each in (BETTER, NOISE, WORSE)]
    return f"""## In words

Of {len(every)} comparisons of a model of ours with a peer on one set, ours is better in
{counts[0]}, within noise in {counts[1]} and worse in {counts[2]}. These are {len(found.sets)} sets;
they say nothing about others. With its defaults, trees of depth 3, ours is {_defaults(found)}.

- Lowest RMSE: {_best(found, MEAN)}.
- Lowest mean pinball loss: {_best(found, QUANTILE)}.
- Coverage on {_coverage(found)}, over all models.

Sets on which the model of the row is better / within noise / worse:

{table(["", "", *PEERS], rows)}"""


def _defaults(found: Results) -> str:
    verdicts = [
        found.verdict(member, MEAN, "defaults", peer) for member in found.sets for peer in PEERS
    ]
    counts = [f"{each} in {verdicts.count(each)}" for each in (BETTER, NOISE, WORSE)]
    return f"{', '.join(counts)} of {len(verdicts)} comparisons of means"


def _coverage(found: Results) -> str:
    ranges = []
    for member in found.sets:
        means = [
            found.values(member, QUANTILE, model, "coverage").mean() for model in MODELS[QUANTILE]
        ]
        ranges.append(f"{member}: {min(means):.2f} to {max(means):.2f}")
    return "; ".join(ranges)


def _best(found: Results, kind: str) -> str:
    best = []
    for member in found.sets:
        losses = {model: found.loss(member, kind, model).mean() for model in MODELS[kind]}
        best.append(f"{_whose(kind, min(losses, key=losses.__getitem__))} on {member}")
    return ", ".join(best)


def _whose(kind: str, model: str) -> str:
    ours = OURS if kind == MEAN else OURS_QUANTILE
    return f"ours ({model})" if model in ours else model


def _table(found: Results, kind: str, measures: Mapping[str, str]) -> str:
    rows = []
    for member in found.sets:
        for model in MODELS[kind]:
            means = [found.values(member, kind, model, measure).mean() for measure in measures]
            shown = [f"{mean:#.3g}" for mean in means]
            rows.append([member, _whose(kind, model), *shown])
    return table(["set", "model", *measures.values()], rows)
