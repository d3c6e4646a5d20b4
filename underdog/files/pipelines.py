"""scikit-learn's Pipeline, of steps that can be stored."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from sklearn.pipeline import Pipeline

from underdog.files.fields import Fields
from underdog.files.plain import Parameters


class StoredPipeline:
    """Writes and reads the state of a Pipeline."""

    @staticmethod
    def _to_file(pipeline: Pipeline) -> dict[str, Any]:
        others = pipeline.get_params(deep=False)
        steps = others.pop("steps")
        return {
            "names": [name for name, _ in steps],
            "steps": [step for _, step in steps],
            "parameters": Parameters(others),
        }

    @staticmethod
    def _from_file(fields: Fields) -> Pipeline:
        names, steps = fields.items("names"), fields.items("steps")
        if not all(isinstance(name, str) for name in names) or not steps:
            raise fields.wrong("names", "must be texts, one for each step")
        for step in steps:
            if step is not None and step != "passthrough" and not hasattr(step, "fit"):
                raise fields.wrong("steps", "are not all estimators")
        made = Pipeline(list(zip(names, steps, strict=True)), **fields.parameters(Pipeline))
        made._validate_steps()
        _check_joints(fields, [step for step in steps if step not in (None, "passthrough")])
        return made


def _check_joints(fields: Fields, steps: list[Any]) -> None:
    """What a fitted step gives must be what the next one was fitted on."""
    for before, after in pairwise(steps):
        if hasattr(after, "n_features_in_") and hasattr(before, "get_feature_names_out"):
            given = list(before.get_feature_names_out())
            wanted = list(getattr(after, "feature_names_in_", given))
            if len(given) != after.n_features_in_ or given != wanted:
                raise fields.wrong("steps", "do not fit each other")
