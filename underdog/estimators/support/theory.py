"""The bounds of theory on a fitted booster, from the run that it was fitted by."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from underdog.certificates import Certificates
from underdog.certificates.bounds import THETAS
from underdog.certificates.margin_sums import MarginSums, edges_of, in_units
from underdog.certificates.theory import THETA, Facts, bounds_of
from underdog.codes.binary import BinaryLabels
from underdog.core import Loss, Run, Shard
from underdog.losses.pointwise import margins
from underdog.model import Ensemble
from underdog.types import Floats, Integers

TWO_CLASSES = "it is for two classes"
OLDER = "the file was written before bounds were kept"
LOST = "the rows were lost before the end of the fit"
LINEAR = "the model has a linear part, whose weights are no votes of rules"
ROWS_AT_ONCE = 1 << 16
"""Rows whose margins are counted together, so that little memory is needed."""
KNOWN = "prior knowledge adds scores that were not counted"


def certified(booster: Any, run: Run, model: Ensemble, own: dict[str, Any]) -> Certificates:
    """What the algorithm proves, and what theory says of the rows of a run at its end."""
    if not isinstance(booster._labels, BinaryLabels):
        return Certificates(own, {}, TWO_CLASSES)
    target, reach = run.rows.shards[0].target, reach_of(model)
    facts = Facts(
        model.members, model.schema, _edges(run), reach, _sums(run, reach),
        int(booster.n_estimators), booster._link.beta, _log_loss(run, booster._link),
        _is_weighted(run), _why_none(booster, target.known is not None or target.soft is not None),
        not run.parts.learner.knows_columns,
    )  # fmt: skip
    return Certificates(own, bounds_of(facts))


def reach_of(model: Ensemble) -> float:
    """The largest score that the start and the steps of the members allow."""
    return float(np.abs(model.start).max()) + math.fsum(one.size for one in model.members)


def is_log_loss(loss: Loss) -> bool:
    """Whether the scores are log-odds, whose log loss is bounded."""
    return loss.probability_scale == 1.0


def _why_none(booster: Any, informed: bool) -> str:
    if booster._has_more_members:
        return LINEAR
    return KNOWN if informed else ""


def _edges(run: Run) -> Floats | None:
    rows: Sequence[dict[str, float]] = run.history.rows[: len(run.state.members)]
    if not rows or "edge" not in rows[0]:
        return None
    return np.array([row["edge"] for row in rows])


def _sums(run: Run, reach: float) -> MarginSums:
    """The margins of all rows, which are on any number of shards."""
    edges, examples = edges_of((*THETAS, THETA)), run.rows.n_examples

    def count(shard: Shard) -> Integers:
        target, scores, counts = shard.target, shard.scores, []
        for start in range(0, max(shard.encoded.n_rows, 1), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            sign = target.sign[rows, 0]
            own = margins(scores.relative[rows, 0] + scores.base[0], sign) / (reach or 1.0)
            counts.append(in_units(own, sign == 1, target.repeats[rows], edges, examples))
        result: Integers = np.sum(counts, axis=0)
        return result

    return MarginSums.from_units(edges, run.rows.total(count))


def _log_loss(run: Run, link: Loss) -> float | None:
    if not is_log_loss(link):
        return None

    def each(shard: Shard) -> Floats:
        own = margins(shard.scores.full(), shard.target.sign)[:, 0]
        result: Floats = np.logaddexp(0.0, -own)
        return result

    return run.rows.exact_sum(each) / run.rows.n_examples


def _is_weighted(run: Run) -> bool:
    """Whether weights or costs of examples differ."""

    def differs(weights: Any) -> bool:
        highest = run.rows.largest(weights)
        return highest > -run.rows.largest(lambda shard: -weights(shard))

    target = run.rows.shards[0].target
    if target.log_label is not None and bool(np.ptp(target.log_label) > 0.0):
        return True
    if differs(lambda shard: shard.target.log_prior):
        return True
    return target.log_cost is not None and differs(lambda shard: shard.target.log_cost)
