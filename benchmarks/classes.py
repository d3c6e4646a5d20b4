"""Many classes: stumps on 100 classes by AdaBoost.MH and MR with memory, large trees on letter.

scikit-learn's AdaBoost is SAMME, with stumps, and with trees by entropy of two or more rows per
leaf; those of underdog are pruned. Memory is the peak growth while fitting, beside three times the
input, scores and signs of all rows and classes (9 bytes each), and two sums of 8 bytes for each
class and bin; MR also keeps three numbers for each row.
"""

from collections.abc import Iterator

from benchmarks import memory, tasks
from benchmarks.competitors import SKLEARN, UNDERDOG_MH, UNDERDOG_MR, boosted_c45
from benchmarks.harness import Plan, Row
from benchmarks.versus import versus

BINS = 256


def run(plan: Plan) -> Iterator[Row]:
    ours, theirs = boosted_c45()
    promises = {SKLEARN.name: (3, 5)}
    yield from versus("letter", 20, plan, promises, ours=ours, peers=[theirs], rules="large trees")
    for name, own in (("MH", UNDERDOG_MH), ("MR", UNDERDOG_MR)):
        yield from versus("classes", 100, plan, {}, ours=own, peers=[SKLEARN], note=f", {name}")
    title, X, y = tasks.load("classes", plan.share)
    (n, d), labels = X.shape, len(set(y.tolist()))
    allowed = 3 * memory.size(X) + labels * (9 * n + 16 * d * BINS) + 24 * n
    for name in ("UNDERDOG_MH", "UNDERDOG_MR"):
        grown = memory.growth(name, "classes", plan)
        yield memory.row(f"{title}, {name[-2:]}", grown, "what must be kept", allowed, at_most=1)
