"""The rules of a model, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from underdog.core import Member, Test
from underdog.data import Schema
from underdog.hypotheses import Leaf, Tree
from underdog.inspection.parameters import documented
from underdog.inspection.result import Result
from underdog.inspection.unwrap import UnwrappedModel, unwrap
from underdog.inspection.words import by_label, number
from underdog.model import answers, markup, rules_table, used
from underdog.model.compiled import is_simple

TEST = ("name", "above", "levels", "missing")
"""What is known of a rule that asks about one column."""
SHOWN_RULES = 20
"""Rules on the page in a notebook."""


@dataclass(frozen=True, eq=False, repr=False)
class Rules(Result):
    """The rules in the order in which they were found; those that add nothing are left out."""

    explained: UnwrappedModel

    def __len__(self) -> int:
        return len(used(self.explained.booster._shown.members))

    def _about(self) -> str:
        return self.explained.about_rules

    def text(
        self, max_display: int | None = 20, *, merged: bool = False, by_label: bool = False
    ) -> str:
        """The text of the booster's `describe`, and how its scores are used."""
        return self.explained.describe(max_display, merged, by_label)

    def to_dict(self) -> dict[str, Any]:
        """The same as data for JSON, with every number as it is in the model.

        The test of a rule is true if the value of `column` is greater than `above` or one of
        `levels`; `missing` says whether it is true for a missing value.

        A tree has `leaves` instead of `yes` and `no`. A row is in a leaf if all `tests` of the leaf
        give their `answer`. A leaf whose tests are None has the rows that are in no other leaf. A
        rule with one path has `tests`, and is true if all of them give their `answer`. A model that
        was changed by hand has `edits`.
        """
        explained = self.explained
        members = used(explained.booster._shown.members)
        return {
            "model": type(explained.booster).__name__,
            "labels": explained.labels,
            "stop_reason": explained.booster.stop_reason_,
            "baseline": by_label(explained.labels, explained.booster.model_.start),
            "rules": [_rule(member, explained) for member in members],
            "notes": list(explained.notes),
            **({"edits": list(edits)} if (edits := explained.booster.edits_) else {}),
        }

    def _frame_columns(self) -> dict[str, Any]:
        """A row for each rule and label, and for each leaf of a tree.

        `yes` is added if the test is true and `no` otherwise; a leaf has no `no`. The test of a
        rule on one column is in `name`, `above`, `levels` and `missing`, as in `to_dict`.
        """
        explained = self.explained
        members, schema = used(explained.booster._shown.members), explained.schema
        rows = []
        for answer in answers(members, schema):
            hypothesis = members[answer.rule - 1].hypothesis
            asked = hypothesis.test if isinstance(hypothesis, Tree) else None
            test = {} if asked is None else {**_test(asked, schema), "above": asked.threshold}
            for k, label in enumerate(explained.labels):
                no = None if answer.no is None else float(answer.no[k])
                said = (answer.rule, answer.question, label, float(answer.yes[k]), no)
                rows.append((*said, *(test.get(name) for name in TEST)))
        names = ("rule", "question", "label", "yes", "no", *TEST)
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def _html_parts(self) -> Sequence[str]:
        explained = self.explained
        ensemble = explained.booster._shown
        return [
            markup.line(explained.booster._labels.headline(explained.classes)),
            rules_table(
                ensemble,
                explained.schema,
                explained.labels,
                SHOWN_RULES,
                explained.booster._labels.noun,
            ),
            markup.more(len(self), SHOWN_RULES, "text(None) prints all, to_frame() has all"),
            *map(markup.line, explained.notes),
        ]


def _rule(member: Member, explained: UnwrappedModel) -> dict[str, Any]:
    hypothesis, steps = member.hypothesis, member.steps
    schema, labels = explained.schema, explained.labels
    rule: dict[str, Any] = {"question": hypothesis.words(schema)}
    if isinstance(hypothesis, Tree) and not is_simple(hypothesis):
        paths = hypothesis.leaf_words(schema)
        leaves = [
            {"path": path, "tests": _tests(leaf, schema), "says": by_label(labels, own)}
            for leaf, path, own in zip(hypothesis.leaves, paths, steps, strict=True)
        ]
        if not hypothesis.is_question:
            return {**rule, "leaves": leaves}
        rule["tests"] = leaves[1]["tests"]
    elif isinstance(hypothesis, Tree) and hypothesis.test is not None:
        rule |= _test(hypothesis.test, schema)
    rule["yes"] = by_label(labels, steps[-1])
    if len(steps) == 2:
        rule["no"] = by_label(labels, steps[0])
    return rule


def _tests(leaf: Leaf, schema: Schema) -> list[dict[str, Any]] | None:
    """What is asked on the way to a leaf; None for the rows that are in no other."""
    if isinstance(leaf, str):
        return None
    return [{**_test(test, schema), "answer": bool(answer)} for test, answer in leaf]


def _test(asked: Test, schema: Schema) -> dict[str, Any]:
    """What a test asks, for programs."""
    test: dict[str, Any] = {"column": asked.column, "name": schema.name(asked.column)}
    if asked.column in schema.categories:
        levels = schema.categories[asked.column]
        chosen = zip(levels, asked.inside.tolist(), strict=False)  # the last flag is for missing
        test["levels"] = [str(level) for level, inside in chosen if inside]
    elif asked.threshold is not None:
        test["above"] = number(asked.threshold)
    return {**test, "missing": bool(asked.inside[-1])}


@documented
def rules(
    model: Any,
    *,
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
) -> Rules:
    """The rules of the booster inside a model.

    Parameters
    ----------
    model, feature_names, label_names

    Returns
    -------
    Rules

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from underdog import AdaBoostClassifier, TermVectorizer
    >>> from underdog.inspection import rules
    >>> texts = ["free prize", "see you", "win a prize", "see the free film"]
    >>> model = make_pipeline(TermVectorizer(), AdaBoostClassifier(n_estimators=1))
    >>> rules(model.fit(texts, ["spam", "ham", "spam", "ham"])).to_dict()["rules"][0]["question"]
    'prize present'
    """
    return Rules(unwrap(model, feature_names, label_names))
