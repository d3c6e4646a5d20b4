"""The base class of boosters for binary problems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from underdog.codes import Binary, Code
from underdog.estimators.support import inputs
from underdog.estimators.support.classifier import Classifier


@dataclass(kw_only=True, eq=False, repr=False)
class BinaryBooster(Classifier):
    """A booster for binary problems only."""

    def _make_code(self, y: Any) -> Code:
        inputs.check_binary(self, y)
        return Binary(self.pos_label)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = replace(tags.classifier_tags, multi_class=False)
        return tags
