"""How good a fitted model is on new rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.utils.validation import check_consistent_length

from underdog.codes.base import check_known
from underdog.comparison.class_evaluator import Evaluator, HeldOutPredictions, MeasuredClasses
from underdog.comparison.evaluation import Evaluation, MeasuredNumbers, MeasuredRows
from underdog.comparison.models import last_step
from underdog.comparison.number_evaluator import NumberEvaluator
from underdog.comparison.rank_evaluator import MeasuredRanking, RankEvaluator
from underdog.comparison.subgroups import columns_by
from underdog.costs import Costs
from underdog.decisions.out_of_fold import scoring_method
from underdog.estimators.support import inputs
from underdog.estimators.support.ranker import Ranker
from underdog.estimators.support.relevance import check_relevance
from underdog.inspection.unwrap import unwrap


def evaluate(
    model: Any,
    X: Any,
    y: Any,
    *,
    by: Any = None,
    qid: Any = None,
    group: Any = None,
    costs: Costs | None = None,
    pos_label: Any = None,
) -> Evaluation:
    """Measure a fitted model on rows that it was not trained on, with confidence intervals.

    The 95% intervals of accuracy and coverage, and of precision, recall and F1 of two classes, are
    Wilson's. All others are found by the bootstrap: the rows are drawn 1,000 times (200 times at
    least, if there are many). The draws are always the same, and do not depend on the order of the
    rows. Of a ranker whole queries are drawn. The intervals say how much the measures would vary
    with other rows, not with another model.

    Parameters
    ----------
    model : fitted classifier, regressor or ranker
        Of this library, a pipeline with one, or of another library.
    X : input of the model
    y : array of shape (n,)
    by : str, list of str, or mapping of str to arrays of shape (n,), optional
        Columns of the data frame X, or other values of the rows: the measures of each subgroup.
        Numbers are cut into quartiles. Beside the 10 most frequent levels the others are put
        together. Of a ranker, rows are compared with rows of their query and subgroup.
    qid, group : optional
        For rankers: the query of each row, or the number of rows of each query. Without them all
        rows are one query.
    costs : Costs, optional
        The mean cost is measured, too. May have costs for each row.
    pos_label : label, optional
        The positive of two classes; by default that of the model.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from underdog import AdaBoostClassifier, evaluate
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = AdaBoostClassifier(n_estimators=20, pos_label=0).fit(X[::2], y[::2])
    >>> found = evaluate(model, X[1::2], y[1::2], by="mean texture")
    >>> found
    Evaluation(284 rows, 7 measures, 4 subgroups); see text(), statement(), to_dict(), to_frame()
    >>> [round(number, 3) for number in found.measures["roc_auc"]]
    [0.987, 0.972, 0.997]
    >>> print(found.statement())
    No subgroup differs from the others in ROC AUC by more than noise.
    """
    columns = {} if by is None else columns_by(X, by)
    if isinstance(last_step(model), Ranker):
        if costs is not None:
            raise ValueError("costs are for classes, but the model ranks rows")
        return Evaluation(_queries(model, X, y, qid, group), columns)
    if qid is not None or group is not None:
        raise ValueError("qid and group are for rankers: leave them out")
    if is_regressor(model):
        if costs is not None:
            raise ValueError("costs are for classes, but the model predicts numbers")
        return Evaluation(_numbers(model, X, y), columns)
    return Evaluation(_classes(model, X, y, costs, pos_label), columns)


def _queries(model: Any, X: Any, y: Any, qid: Any, group: Any) -> MeasuredRows:
    known = check_relevance(X, y, qid, group)
    scores = np.asarray(model.predict(X), dtype=np.float64)
    check_consistent_length(scores, known)
    return MeasuredRanking(RankEvaluator.from_grades(known.grade), known.grade, scores, known.query)


def _numbers(model: Any, X: Any, y: Any) -> MeasuredRows:
    try:
        judge = NumberEvaluator.from_booster(unwrap(model).booster)
    except TypeError:  # a regressor of another library
        judge = NumberEvaluator()
    predicted = np.asarray(model.predict(X), dtype=np.float64)
    y = inputs.checked_numbers(y, -np.inf)
    check_consistent_length(predicted, y)
    return MeasuredNumbers(judge, y, predicted)


def _classes(model: Any, X: Any, y: Any, costs: Costs | None, pos_label: Any) -> MeasuredRows:
    inputs.check_costs(costs)
    classes = getattr(model, "classes_", None)
    if classes is None:
        raise TypeError(f"{type(model).__name__} is no fitted classifier or regressor")
    predicted, y = np.asarray(model.predict(X)), inputs.checked_labels(y)
    if predicted.ndim != 1:
        raise ValueError(
            "the model predicts several labels per row, but evaluate needs one class per row: "
            "measure each label separately"
        )
    check_known(classes, y, "y")
    check_consistent_length(predicted, y)
    scores = np.asarray(getattr(model, scoring_method(model))(X), dtype=np.float64)
    if scores.ndim == 2 and len(classes) == 2:
        scores = scores[:, 1]
    own = None
    if hasattr(model, "predict_proba"):
        own = np.asarray(model.predict_proba(X), dtype=np.float64)
    judge = Evaluator(classes, _positive(model, classes, pos_label), costs)
    answers = HeldOutPredictions(np.searchsorted(classes, predicted), scores, own)
    return MeasuredClasses(judge, np.searchsorted(classes, y), answers)


def _positive(model: Any, classes: Any, pos_label: Any) -> int:
    """The index of the positive class: the one given, that of the model, or the last."""
    if pos_label is not None:
        found = np.flatnonzero(classes == pos_label)
        if not len(found):
            raise ValueError(
                f"pos_label={pos_label!r} is not a class of the model: {classes.tolist()}"
            )
        return int(found[0])
    last = model[-1] if hasattr(model, "steps") else model
    return int(getattr(getattr(last, "_labels", None), "positive", 1))
