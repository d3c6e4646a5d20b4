"""Fitting 300 stumps of AdaUBoost with the learners that need a root or a power for each term."""

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.competitors import PEERS, UNDERDOG, underdog_uneven
from benchmarks.harness import Plan, Row
from benchmarks.versus import versus


def run(plan: Plan) -> Iterator[Row]:
    for learner in ("real.u", "disc.u"):
        for row in versus(
            "Reuters acq", 300, plan, {}, ours=underdog_uneven(learner), peers=(UNDERDOG, *PEERS)
        ):
            yield replace(row, work=f"{learner}: {row.work}")
