"""The master problem of LPUBoost, with warm start and groups, against the textbook programme.

The textbook programme is what a user would write: `scipy.optimize.linprog(method="highs")` from
scratch in every round, with one variable per example. It is timed in every tenth round (5, 15, ...)
and scaled; that of underdog in every round. Both get the same hypotheses, those of a run with
tol=0, and must find the same optimum to 1e-7. They alternate round by round; of two runs the faster
time of each round counts.

Then a hundred thousand examples: 60 rounds from data to model, and the peak growth of memory,
measured as in the memory benchmark. Text has thousands of groups, dense numbers almost one group
per example. Then trees of depth 3 on dense numbers, which soon make every example a group of its
own: LPBoost and ERLPBoost with nu = 0.1, up to the most rows that they take. Last, six topics with
5 to 87 positives until convergence, among them the slowest of all topics with 5 to 100 positives:
with nu = 0.1 as above, where a constant prediction already has a positive soft margin, and with nu
= the share of the positives, where there is something to learn.
"""

import ctypes
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from benchmarks import corpora
from benchmarks.harness import Job, Plan, Row, Time, race
from benchmarks.memory import RESET, _status

Floats = NDArray[np.float64]

NU = 0.1
ROUNDS = (60, 100)
EVERY = 10
"""Theirs is timed once in so many rounds."""
TURNS = 2
AGREE = 1e-7
LIMIT = 2e9
"""Bytes that a hundred thousand examples may need."""
LARGE = {"WordNet noun.animal": (0.12, 1.0), "dense": (0.5, 4.0)}
"""Task -> nu and beta with which the margin is above 0 after some rounds."""
TREE_SIZES = (5_000, 20_000)
TREE_ROUNDS = 50
SMALL = ("platinum", "tea", "pet-chem", "carcass", "livestock", "veg-oil")
"""5 to 87 positives; livestock is the slowest of all 56 topics with 5 to 100, pet-chem the next."""


def run(plan: Plan) -> Iterator[Row]:
    warnings.simplefilter("ignore")  # that the rounds are not enough to converge
    texts = corpora.reuters()
    rows = plan.size(texts.X.shape[0])
    for topic in ("earn", "acq"):
        for beta in (1.0, 4.0):
            columns = _record(texts.X[:rows], texts.label(topic)[:rows], beta, plan)
            yield from _master_rows(f"Reuters {topic}, beta={beta:g}", columns, plan)
    for task in LARGE:
        yield from _large_rows(task, plan)
    for size in TREE_SIZES:
        yield from _tree_rows(plan.size(size), plan)
    yield _small_row(texts, rows, plan, NU)
    yield _small_row(texts, rows, plan, None)


@dataclass(frozen=True)
class Columns:
    """The examples of a run and its hypotheses, in their order."""

    sign: NDArray[np.uint8]
    box: Any
    hypotheses: Sequence[tuple[Any, Any, int, Any, Any]]
    """Rows, ends, rest, values and keys of the blocks, as `Groups.split` wants them."""


def _booster(nu: float, beta: float, rounds: int, learner: str = "real.mh") -> Any:
    from underdog import LPUBoostClassifier

    return LPUBoostClassifier(nu=nu, beta=beta, learner=learner, tol=0.0, n_estimators=rounds)


def _record(X: Any, y: Any, beta: float, plan: Plan) -> Columns:
    """Run once, and ask each hypothesis again for its blocks."""
    from underdog.data import EncodedRows, Table
    from underdog.data.hashing import mix
    from underdog.losses import SoftMargin

    model = _booster(NU, beta, plan.size(ROUNDS[-1])).fit(X, y).model_
    part = EncodedRows(Table.from_data(X), model.schema)
    hypotheses = []
    for number, member in enumerate(model.members):
        values = member.hypothesis.values[:, 0]
        keys = mix(np.full(len(values), number, dtype=np.uint64))  # they only decide between optima
        hypotheses.append((*member.hypothesis.partition(part), values, keys))
    return Columns(y.astype(np.uint8), SoftMargin(NU, beta).box, hypotheses)


def _master_rows(work: str, columns: Columns, plan: Plan) -> Iterator[Row]:
    turns = min(TURNS, plan.repeats)
    ours, theirs = np.min([_play(columns, plan) for _ in range(turns)], axis=0)
    done = len(columns.hypotheses)
    # A learner that does not maximise the edge may end before the last round: a row of what it did.
    for count in dict.fromkeys(min(plan.size(rounds), done) for rounds in ROUNDS):
        mine = _time(ours[:count].sum(axis=0))
        rows = f"{work}, {len(columns.sign):,} examples, {count} rounds"
        if plan.alone:
            yield Row(rows, mine, "", "", mine.wall, unit="s")
            continue
        scale = count / np.count_nonzero(theirs[:count, 0])
        scipys = _time(theirs[:count].sum(axis=0) * scale, scaled=True)
        yield Row(rows, mine, "linprog", scipys, scipys.wall / mine.wall, target=25)


def _play(columns: Columns, plan: Plan) -> Floats:
    """(2, rounds, 2): seconds of ours and theirs in each round, on the clock and of the CPU."""
    if plan.pause is not None:
        plan.pause()
    from underdog.masters.groups import Groups
    from underdog.masters.linear import LinearMaster

    sign = columns.sign
    spent = np.zeros((2, len(columns.hypotheses), 2))
    textbook = Textbook(columns)
    groups = Groups(sign, np.full(len(sign), 1.0 / len(sign)), columns.box)
    master = None
    for number, hypothesis in enumerate(columns.hypotheses):
        began = _now()
        parents = groups.split(*hypothesis)
        if master is None:
            master = LinearMaster.from_groups(groups, 1)
        else:
            master.add(parents)
        optimum = master.solve()
        spent[0, number] = _now() - began
        if number % EVERY == EVERY // 2 - 1 and not plan.alone:
            began = _now()
            value = textbook.solve(number + 1)
            spent[1, number] = _now() - began
            apart = max(abs(value - optimum.edge), abs(value - optimum.margin))
            if not apart <= AGREE:
                raise RuntimeError(
                    f"Round {number + 1}: linprog finds {value!r}, and we {optimum.margin!r} "
                    f"(coefficients) and {optimum.edge!r} (weights)."
                )
    return spent


class Textbook:
    """Minimise B subject to edges of at most B, with one weight per example, between its bounds."""

    def __init__(self, columns: Columns) -> None:
        sign, n = columns.sign, len(columns.sign)
        self.edges = np.full((len(columns.hypotheses), n + 1), -1.0)
        for row, hypothesis in zip(self.edges, columns.hypotheses, strict=True):
            rows, ends, rest, values, _ = hypothesis
            row[1:] = values[rest]
            row[1:][rows] = np.repeat(values, np.diff(ends, prepend=0))
            row[1:] *= 2.0 * sign - 1.0
        self.cost, self.sum = np.zeros(n + 1), np.ones((1, n + 1))
        self.cost[0], self.sum[0, 0] = 1.0, 0.0
        bounds = np.stack([columns.box.lower[sign], columns.box.upper[sign]], axis=1) / n
        self.bounds = np.concatenate([[[-np.inf, np.inf]], bounds])

    def solve(self, count: int) -> float:
        """The optimum of the first `count` hypotheses."""
        result = linprog(
            self.cost,
            A_ub=self.edges[:count],
            b_ub=np.zeros(count),
            A_eq=self.sum,
            b_eq=[1.0],
            bounds=self.bounds,
            method="highs",
        )
        if not result.success:
            raise RuntimeError(f"linprog: {result.message}")
        return float(result.fun)


def _time(spent: Floats, scaled: bool = False) -> Time:
    wall, cpu = spent.tolist()
    return Time(wall, cpu, 1, scaled)


def _now() -> Floats:
    return np.array([time.perf_counter(), time.process_time()])


def _large(task: str, plan: Plan) -> tuple[Any, Any]:
    """At least a hundred thousand rows."""
    if task == "dense":
        return corpora.dense(plan.size(100_000))
    texts = corpora.wordnet()
    rows = plan.size(texts.X.shape[0])
    # glosses come topic by topic
    some = np.sort(np.random.default_rng(0).permutation(texts.X.shape[0])[:rows])
    return texts.X[some], texts.label(task.removeprefix("WordNet "))[some]


def _large_rows(task: str, plan: Plan) -> Iterator[Row]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        title, spent, grown = fresh.submit(_large_fit, task, plan).result()
    yield Row(title, spent, "", "", spent.wall, target=180, at_most=True, unit="s")
    grown_by, limit = (f"{count / 1e6:.3g} MB" for count in (grown, LIMIT))
    yield Row(f"{title}, memory", grown_by, "limit", limit, grown / LIMIT, 1, at_most=True)


def _large_fit(task: str, plan: Plan) -> tuple[str, Time, int]:
    """In a fresh process: what was done, how long it took and by how much the peak grew."""
    warnings.simplefilter("ignore")
    X, y = _large(task, plan)
    (nu, beta), rounds = LARGE[task], plan.size(60)
    toy = np.concatenate([np.flatnonzero(y == sign)[:100] for sign in (0, 1)])
    _booster(0.5, 1.0, 5, "disc.lp").fit(X[toy], y[toy])
    if RESET.exists():
        ctypes.CDLL(None).malloc_trim(0)  # as the memory benchmark does
        RESET.write_text("5")
    before = _status("VmRSS")
    began = _now()
    model = _booster(nu, beta, rounds, "disc.lp").fit(X, y)
    spent = _time(_now() - began)
    grown = max(_status("VmHWM") - before, 1)
    margin = model.certificate_["soft_margin"]
    title = (
        f"{task}, {len(y):,} examples, nu={nu:g}, beta={beta:g}, {model.n_iter_} rounds, "
        f"margin {margin:.2g}"
    )
    return title, spent, grown


def _tree_rows(size: int, plan: Plan) -> Iterator[Row]:
    X, y = corpora.dense(size)
    rounds = plan.size(TREE_ROUNDS)
    names = ("LPBoostClassifier", "ERLPBoostClassifier")
    jobs = [Job(name, partial(_fit_trees, name, X, y, rounds)) for name in names]
    for name, spent in race(jobs, plan).items():
        work = f"dense, {size:,} examples, {name}, {rounds} trees of depth 3"
        yield Row(work, spent, "", "", spent.wall, unit="s")


def _fit_trees(name: str, X: Any, y: Any, rounds: int) -> Any:
    import underdog

    kind = getattr(underdog, name)
    return kind(learner="tree", nu=NU, tol=1e-4, n_estimators=rounds).fit(X, y)


def _small_row(texts: corpora.Texts, rows: int, plan: Plan, nu: float | None) -> Row:
    X, fits = texts.X[:rows], {}
    for topic in SMALL:
        y = texts.label(topic)[:rows]
        for beta in (1.0, 4.0):
            if y.any():
                fit = partial(_converge, X, y, nu or float(y.mean()), beta)
                fits[f"{topic} ({y.sum()} positive, beta={beta:g}"] = fit
    times = race([Job(name, fit) for name, fit in fits.items()], plan)
    slowest = max(times, key=lambda name: times[name].wall)
    rounds = fits[slowest]().n_iter_
    which = f"nu={nu}" if nu else "nu=share of the positives"
    work = f"slowest of {len(SMALL)} small topics, {which}: {slowest}, {rounds} rounds)"
    seconds = times[slowest]
    return Row(work, seconds, "", "", seconds.wall, target=1, at_most=True, unit="s")


def _converge(X: Any, y: Any, nu: float, beta: float) -> Any:
    from underdog import LPUBoostClassifier

    model = LPUBoostClassifier(nu=nu, beta=beta).fit(X, y)
    if not model.converged_:
        raise RuntimeError(f"{y.sum()} positives do not converge: {model.stop_reason_}.")
    return model
