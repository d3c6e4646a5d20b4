"""What corpora with one label per text have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import Bunch


class Example(NamedTuple):
    """A text, its label, and the part of the published split that it is in."""

    text: str
    label: str
    split: str


def count_examples(examples: Iterable[Example]) -> dict[str, int]:
    """Texts by part of the split and by label, and the number of labels."""
    examples = list(examples)
    labels = Counter(example.label for example in examples)
    splits = Counter(f"texts for {example.split}" for example in examples)
    return {"labels": len(labels), **splits, **labels}


def as_bunch(examples: Sequence[Example], subset: str, description: str, return_X_y: bool) -> Any:
    """The examples of a subset; labels are numbered over all of them, so that subsets agree."""
    names, numbers = np.unique([example.label for example in examples], return_inverse=True)
    chosen = np.array([subset in ("all", example.split) for example in examples])
    data = [example.text for example, taken in zip(examples, chosen, strict=True) if taken]
    target = numbers[chosen]
    if return_X_y:
        return data, target
    return Bunch(data=data, target=target, target_names=names, DESCR=description)
