"""One task, underdog and the peers on it: what most of the benchmarks do."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from benchmarks import tasks
from benchmarks.competitors import PEERS, UNDERDOG, Competitor
from benchmarks.harness import Job, Plan, Promises, Row, compare

Work = Callable[[Competitor, Any, Any, int], Iterator[Job]]


def versus(
    task: str,
    rounds: int,
    plan: Plan,
    promises: Promises,
    *,
    work: Work = Competitor.fits,
    ours: Competitor = UNDERDOG,
    peers: Sequence[Competitor] = PEERS,
    note: str = "",
    rules: str = "stumps",
) -> Iterator[Row]:
    """Fit (or predict) the task with as many rules, a row per peer; `note` tells rows apart."""
    rounds = plan.size(rounds)
    title, X, y = tasks.load(task, plan.share)
    others = () if plan.alone else peers
    mine, *theirs = ([*work(competitor, X, y, rounds)] for competitor in (ours, *others))
    return compare(f"{title}, {rounds} {rules}{note}", mine, [*chain(*theirs)], plan, promises)
