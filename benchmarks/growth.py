"""Scaling of fit: ten times the rounds or ten times the rows take at most ten times as long."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import tasks
from benchmarks.competitors import UNDERDOG, Competitor
from benchmarks.harness import Job, Plan, Row, race


def run(plan: Plan) -> Iterator[Row]:
    for task, rounds in (("Reuters acq", 100), ("dense", 50)):
        _, X, y = tasks.load(task, plan.share)
        few = plan.size(rounds)
        yield growth(f"{task}, {few} and {10 * few} rounds", (X, y, few), (X, y, 10 * few), plan)
    for task, full in (("WordNet noun.time", 300), ("dense", 200)):
        rounds = plan.size(full)
        tenth, whole = (tasks.load(task, share * plan.share) for share in (0.1, 1.0))
        work = f"{task}, {len(tenth.y):,} and {len(whole.y):,} rows"
        yield growth(work, (tenth.X, tenth.y, rounds), (whole.X, whole.y, rounds), plan)


def growth(
    work: str,
    small: tuple[Any, Any, int],
    large: tuple[Any, Any, int],
    plan: Plan,
    ours: Competitor = UNDERDOG,
    target: float = 10,
) -> Row:
    """One thread, so that the cost of starting a second one does not flatter the larger size."""
    sizes = {"small": small, "large": large}
    times = race([Job(name, partial(ours.fit, *what, 1)) for name, what in sizes.items()], plan)
    few, many = times["small"], times["large"]
    ratio = many.wall / few.wall
    return Row(work, many, "itself, a tenth", few, ratio, target=target, at_most=True)
