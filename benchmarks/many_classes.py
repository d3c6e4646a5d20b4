"""AdaBoost.M1 with large trees on letter, and 100 stumps on 100 classes, with memory.

The trees of underdog are pruned; those of scikit-learn, whose AdaBoost is SAMME, are by entropy
with two or more rows per leaf. The stumps of all boosters are beside those of AdaBoost.MH.

A round of AdaBoost.MH and AdaBoost.MR finds one stump with a value for each class. AdaBoost.OC and
AdaBoost.ECC find one stump for two sets of classes, and the rest of their round are the weights of
wrong labels. AdaBoost.MH visits only the rows that a stump changes, the others all rows and
classes: they are for learners that know two classes only, not for speed. The ratio of times is that
of AdaBoost.MH divided by theirs, the ratio of memory theirs divided by that of AdaBoost.MH. One
turn after the warm-up counts for the 100 classes.
"""

from collections.abc import Iterator
from dataclasses import replace

from benchmarks import competitors, memory, tasks
from benchmarks.harness import Plan, Row, race
from benchmarks.versus import versus

TASK = "many classes"
FIRST, *OTHERS = ("UNDERDOG_MH", "UNDERDOG_MR", "UNDERDOG_OC", "UNDERDOG_ECC")


def run(plan: Plan) -> Iterator[Row]:
    ours, theirs = competitors.boosted_c45()
    promises = {theirs.name: (3, 5)}
    yield from versus("letter", 20, plan, promises, ours=ours, peers=[theirs], rules="large trees")
    rounds = plan.size(100)
    title, X, y = tasks.load(TASK, plan.share)
    known: dict[str, competitors.Competitor] = {
        name: getattr(competitors, name) for name in (FIRST, *OTHERS)
    }
    once = replace(plan, turns=1)
    times = race([job for own in known.values() for job in own.fits(X, y, rounds)], once)
    mh = known[FIRST].name
    if plan.alone:
        for name, time in times.items():
            yield Row(
                f"{name.split()[-1]}: {title}, {rounds} rounds", time, "", "", time.wall, unit="s"
            )
        return
    needed = memory.growth(FIRST, TASK, plan)
    for name in OTHERS:
        own = known[name].name
        work = f"{own.split()[-1]}: {title}, {rounds} rounds"
        yield Row(work, times[own], mh, times[mh], times[mh].wall / times[own].wall)
        yield memory.row(f"{work}, memory", memory.growth(name, TASK, plan), mh, needed)
