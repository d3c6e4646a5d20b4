"""Probabilities where classes have other shares than in the training data (prior shift)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from underdog.checks import is_number, to_python
from underdog.codes.base import Classes
from underdog.types import Floats

FORMS = "give the share of the positive of two classes, or a mapping of classes to shares"


def shifted(probabilities: Floats, new: Floats, old: Floats) -> Floats:
    """(n, K) probabilities times the ratio of the new shares to the old, summing to 1 again.

    For two classes the odds are multiplied by (new / old) / ((1 - new) / (1 - old)). The classes
    must look the same as in training: only how frequent they are may differ.

    References
    ----------
    Saerens, Latinne and Decaestecker, "Adjusting the outputs of a classifier to new a priori
    probabilities", Neural Computation 14, 2002, equation 2.4. Elkan, "The foundations of
    cost-sensitive learning", IJCAI 2001, theorem 2.

    Examples
    --------
    >>> import numpy as np
    >>> from underdog.codes.prevalence import shifted
    >>> shifted(np.array([[0.5, 0.5]]), np.array([0.99, 0.01]), np.array([0.9, 0.1])).round(4)
    array([[0.9167, 0.0833]])
    """
    result: Floats = probabilities * (new / old)
    result /= result.sum(axis=1, keepdims=True)
    return result


def shifted_labels(probabilities: Floats, new: Floats, old: Floats) -> Floats:
    """(n, K) probabilities of K labels, each by itself."""
    own, other = probabilities * (new / old), (1.0 - probabilities) * ((1.0 - new) / (1.0 - old))
    result: Floats = own / (own + other)
    return result


def read_shares(name: str, given: Any, classes: Classes, positive: int | None, old: Any) -> Floats:
    """(K,) the shares of all classes that an argument stands for.

    Parameters
    ----------
    name : of the argument, for messages
    given : share of the positive of two classes, or mapping of classes to shares. Classes that are
        not named have the rest, in the proportions of `old`
    classes : (K,)
    positive : index of the positive of two classes, or None
    old : (K,), or None if all classes must be named
    """
    if not isinstance(given, Mapping):
        if positive is None:
            raise ValueError(
                f"{name}={given!r} is one share, but there are {len(classes)} classes: give a "
                f"mapping, as in {{{to_python(classes[0])!r}: 0.2}}"
            )
        given = {to_python(classes[positive]): given}
    known = [to_python(label) for label in classes]
    unknown = [label for label in given if label not in known]
    if unknown:
        raise ValueError(
            f"{name}: {unknown[0]!r} is not a class of the model: the classes are {known[:10]}"
        )
    for label, share in given.items():
        if not is_number(share) or not 0.0 < share < 1.0:
            raise ValueError(f"{name}: {share!r} for {label!r} is not above 0 and below 1: {FORMS}")
    shares = np.array([float(given.get(label, np.nan)) for label in known])
    rest, total = np.isnan(shares), float(np.nansum(shares))
    if not rest.any():
        if abs(total - 1.0) > 1e-6:
            raise ValueError(f"{name}: the shares of all classes sum to {total:g}, not to 1")
        return np.asarray(shares / total)
    if total >= 1.0:
        raise ValueError(
            f"{name}: the shares sum to {total:g}, which leaves nothing for the other classes"
        )
    if old is None and rest.sum() > 1:
        raise ValueError(f"{name}: name the shares of all classes: {known[:10]}")
    own = np.ones(len(known)) if old is None else old
    shares[rest] = (1.0 - total) * own[rest] / own[rest].sum()
    return shares


def read_label_shares(name: str, given: Any, count: int, old: Any) -> Floats:
    """(K,) the share of rows with each label; those that a mapping does not name stay."""
    if isinstance(given, Mapping) and old is not None and set(given) <= set(range(count)):
        given = [given.get(label, old[label]) for label in range(count)]
    shares = np.asarray(given, dtype=np.float64) if not isinstance(given, Mapping) else np.zeros(0)
    if shares.shape != (count,) or not bool(((shares > 0.0) & (shares < 1.0)).all()):
        raise ValueError(
            f"{name}={given!r:.60} must be the shares of {count} labels, each above 0 and below 1"
        )
    return shares
