"""Who runs: underdog and its peers as users write them, all boosting stumps on the same data.

The peers keep their defaults. LightGBM's `min_child_samples=20` is kept although it spares it the
rare terms (with 1 it takes two to four times as long on text). XGBoost takes an absent entry for a
missing one, which gives the same splits on yes/no data. scikit-learn is slow enough to be timed on
few rounds and scaled, but for the smallest task, of which it runs all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from benchmarks.harness import THREADS, Job


@dataclass(frozen=True)
class Competitor:
    """How to make an estimator from rounds and threads, and how many rounds a fitted one has done.

    With `sample`, at most so many rounds are run and the time is scaled to those asked for.
    """

    name: str
    make: Callable[[int, int], Any]
    done: Callable[[Any], int]
    threads: tuple[int, ...] = THREADS
    sample: int | None = None

    def rounds(self, asked: int) -> int:
        """The rounds that are really run."""
        return asked if self.sample is None else min(asked, self.sample)

    def fit(self, X: Any, y: Any, rounds: int, threads: int) -> Any:
        """A fitted model; one that gave up early would look fast, so it is an error."""
        model = self.make(self.rounds(rounds), threads).fit(X, y)
        if self.done(model) != self.rounds(rounds):
            raise RuntimeError(
                f"{self.name} stopped after {self.done(model)} of {self.rounds(rounds)} rounds."
            )
        return model

    def fits(self, X: Any, y: Any, rounds: int) -> Iterator[Job]:
        """Fitting, once per thread count."""
        for threads in self.threads:
            yield self._job(partial(self.fit, X, y, rounds, threads), rounds, threads)

    def predicts(self, X: Any, y: Any, rounds: int) -> Iterator[Job]:
        """Predicting the rows that the model was fitted on, once per thread count."""
        for threads in self.threads:
            model = self.fit(X, y, rounds, threads)
            yield self._job(partial(model.predict, X), rounds, threads)

    def predicts_rows(self, X: Any, y: Any, rounds: int) -> Iterator[Job]:
        """Predicting rows one by one, with one thread."""
        model = self.fit(X, y, rounds, 1)

        def run() -> None:
            for row in range(100):
                model.predict(X[row : row + 1])

        yield self._job(run, rounds, 1)

    def predicts_once(self, X: Any, y: Any, rounds: int) -> Iterator[Job]:
        """One such prediction after a pause."""
        return (replace(job, once=True) for job in self.predicts(X, y, rounds))

    def _job(self, run: Callable[[], object], rounds: int, threads: int) -> Job:
        return Job(self.name, run, threads, scale=rounds / self.rounds(rounds))


# Each library is imported where it is used: a memory measurement must not carry the others.


def _underdog(rounds: int, threads: int) -> Any:
    from underdog import AdaBoostClassifier

    return AdaBoostClassifier(learner="real", n_estimators=rounds, n_jobs=threads)


def _underdog_mh(rounds: int, threads: int) -> Any:
    from underdog import AdaBoostMHClassifier

    return AdaBoostMHClassifier(n_estimators=rounds, n_jobs=threads)


def _underdog_mr(rounds: int, threads: int) -> Any:
    from underdog import AdaBoostMRClassifier

    return AdaBoostMRClassifier(n_estimators=rounds, n_jobs=threads)


def boosted_c45() -> tuple[Competitor, Competitor]:
    """AdaBoost.M1 with large pruned trees, and scikit-learn's AdaBoost with large trees."""

    def ours(rounds: int, threads: int) -> Any:
        from underdog import AdaBoostM1Classifier

        return AdaBoostM1Classifier(n_estimators=rounds, n_jobs=threads)

    def theirs(rounds: int, _threads: int) -> Any:
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)
        return AdaBoostClassifier(tree, n_estimators=rounds)

    return (
        Competitor("underdog M1", ours, _n_iter),
        replace(SKLEARN, make=theirs, sample=None),
    )


def _underdog_oc(rounds: int, threads: int) -> Any:
    from underdog import AdaBoostOCClassifier

    return AdaBoostOCClassifier(n_estimators=rounds, n_jobs=threads)


def _underdog_ecc(rounds: int, threads: int) -> Any:
    from underdog import AdaBoostECCClassifier

    return AdaBoostECCClassifier(n_estimators=rounds, n_jobs=threads)


def _lightgbm(rounds: int, threads: int) -> Any:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(num_leaves=2, n_estimators=rounds, n_jobs=threads, verbose=-1)


def _xgboost(rounds: int, threads: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(max_depth=1, n_estimators=rounds, n_jobs=threads, tree_method="hist")


def _sklearn(rounds: int, _threads: int) -> Any:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds)


def trees(leaves: int) -> tuple[Competitor, ...]:
    """Gradient boosting by trees with as many leaves, grown best first: underdog and the peers.

    The learning rate is 0.1 and leaves have at least 20 rows, which are the defaults of LightGBM
    and scikit-learn; XGBoost has no such limit.
    """

    def ours(rounds: int, threads: int) -> Any:
        from underdog import GradientBoostingClassifier

        return GradientBoostingClassifier(
            n_estimators=rounds, max_depth=None, max_leaf_nodes=leaves, min_samples_leaf=20,
            n_jobs=threads,
        )  # fmt: skip

    def lightgbm(rounds: int, threads: int, **options: Any) -> Any:
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            num_leaves=leaves, n_estimators=rounds, n_jobs=threads, verbose=-1, **options
        )

    def xgboost(rounds: int, threads: int) -> Any:
        from xgboost import XGBClassifier

        return XGBClassifier(
            max_depth=0, max_leaves=leaves, grow_policy="lossguide", learning_rate=0.1,
            n_estimators=rounds, n_jobs=threads, tree_method="hist", enable_categorical=True,
        )  # fmt: skip

    def histogram(rounds: int, threads: int) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            max_iter=rounds, max_leaf_nodes=leaves, early_stopping=False
        )
        return _Limited(model, threads)

    return (
        Competitor("underdog", ours, _n_iter),
        Competitor("LightGBM", lightgbm, LIGHTGBM.done),
        Competitor("LightGBM quantized", partial(lightgbm, use_quantized_grad=True), LIGHTGBM.done),
        Competitor("XGBoost", xgboost, XGBOOST.done),
        Competitor("HistGradientBoosting", histogram, _n_iter),
    )


def regressors(leaves: int, quantile: float | None = None) -> tuple[Competitor, ...]:
    """The same trees for a real-valued target: its mean, or a quantile; underdog and the peers."""

    def ours(rounds: int, threads: int) -> Any:
        from underdog import GradientBoostingRegressor

        loss = {} if quantile is None else {"loss": "quantile", "quantiles": quantile}
        return GradientBoostingRegressor(
            n_estimators=rounds, max_depth=None, max_leaf_nodes=leaves, min_samples_leaf=20,
            n_jobs=threads, **loss,
        )  # fmt: skip

    def lightgbm(rounds: int, threads: int) -> Any:
        from lightgbm import LGBMRegressor

        loss = {} if quantile is None else {"objective": "quantile", "alpha": quantile}
        return LGBMRegressor(
            num_leaves=leaves, n_estimators=rounds, n_jobs=threads, verbose=-1, **loss
        )

    def xgboost(rounds: int, threads: int) -> Any:
        from xgboost import XGBRegressor

        name = "reg:quantileerror"
        loss = {} if quantile is None else {"objective": name, "quantile_alpha": quantile}
        return XGBRegressor(
            max_depth=0, max_leaves=leaves, grow_policy="lossguide", learning_rate=0.1,
            n_estimators=rounds, n_jobs=threads, tree_method="hist", **loss,
        )  # fmt: skip

    def histogram(rounds: int, threads: int) -> Any:
        from sklearn.ensemble import HistGradientBoostingRegressor

        loss = {} if quantile is None else {"loss": "quantile", "quantile": quantile}
        model = HistGradientBoostingRegressor(
            max_iter=rounds, max_leaf_nodes=leaves, early_stopping=False, **loss
        )
        return _Limited(model, threads)

    return (
        Competitor("underdog", ours, _n_iter),
        Competitor("LightGBM", lightgbm, LIGHTGBM.done),
        Competitor("XGBoost", xgboost, XGBOOST.done),
        Competitor("HistGradientBoosting", histogram, _n_iter),
    )


class _Limited:
    """A model of scikit-learn that has no parameter for its OpenMP threads."""

    def __init__(self, model: Any, threads: int) -> None:
        self._model, self._threads = model, threads

    def fit(self, X: Any, y: Any) -> Any:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(self._threads, user_api="openmp"):
            return self._model.fit(X, y)


def boosted_depth_3() -> tuple[Competitor, ...]:
    """AdaBoost with trees of depth 3: underdog and scikit-learn."""

    def ours(rounds: int, threads: int) -> Any:
        from underdog import AdaBoostClassifier
        from underdog.learners import TreeLearner

        return AdaBoostClassifier(
            learner=TreeLearner(max_depth=3), n_estimators=rounds, n_jobs=threads
        )

    def theirs(rounds: int, _threads: int) -> Any:
        from sklearn.ensemble import AdaBoostClassifier
        from sklearn.tree import DecisionTreeClassifier

        return AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=rounds)

    return (
        Competitor("underdog", ours, _n_iter),
        Competitor("scikit-learn", theirs, SKLEARN.done, threads=(1,), sample=20),
    )


def underdog_uneven(learner: str) -> Competitor:
    """AdaUBoost, each positive counting two negatives."""

    def make(rounds: int, threads: int) -> Any:
        from underdog import AdaUBoostClassifier

        return AdaUBoostClassifier(learner=learner, beta=2.0, n_estimators=rounds, n_jobs=threads)

    return Competitor(f"underdog {learner}", make, _n_iter)


def _n_iter(model: Any) -> int:
    return int(model.n_iter_)


UNDERDOG = Competitor("underdog", _underdog, _n_iter)
UNDERDOG_MH = Competitor("underdog MH", _underdog_mh, _n_iter)
UNDERDOG_MR = Competitor("underdog MR", _underdog_mr, _n_iter)
UNDERDOG_OC = Competitor("underdog OC", _underdog_oc, _n_iter)
UNDERDOG_ECC = Competitor("underdog ECC", _underdog_ecc, _n_iter)
LIGHTGBM = Competitor("LightGBM", _lightgbm, lambda model: model.booster_.num_trees())
XGBOOST = Competitor("XGBoost", _xgboost, lambda model: model.get_booster().num_boosted_rounds())
SKLEARN = Competitor(
    "scikit-learn", _sklearn, lambda model: len(model.estimators_), threads=(1,), sample=5
)
PEERS = (LIGHTGBM, XGBOOST, SKLEARN)
WHOLE_PEERS = (LIGHTGBM, XGBOOST, replace(SKLEARN, sample=None))
UNDERDOG_TREES, LIGHTGBM_TREES = trees(31)[:2]
