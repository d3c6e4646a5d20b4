"""`underdog inspect`: what is in a model file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from underdog.cli.options import ModelPath, Printing
from underdog.cli.screen import Screen
from underdog.cli.tables import table
from underdog.cli.wording import decision_text, threshold_text
from underdog.comparison.names import TITLES

LONGEST = 200
"""Characters of a value that are printed."""
BULKY = (
    "candidates", "baselines", "measures", "confusion", "baseline", "deciles", "quantiles_below"
)  # fmt: skip
"""Notes that are tables; they are only in the JSON."""
LABELS = {
    "task": "task",
    "algorithm": "algorithm",
    "candidate": "variant",
    "why": "selected because",
    "choices": "what was chosen, and why",
    "beside_baselines": "beside baselines",
    "ranked_by": "models ranked by",
    "rows": "rows",
    "target": "target column",
    "classes": "rows of each class",
    "positive": "positive class",
    "range": "values of the target",
    "measure": "measure of the loss",
    "quantiles": "predicted quantiles",
    "columns": "columns",
    "rules": "number of rules",
    "stop_reason": "end of training",
    "decision": "prediction",
    "folds": "folds of cross-validation",
    "folds_by": "how the folds were made",
    "fold_column": "column of the folds",
    "held_out": "held-out rows",
    "threshold": "threshold",
    "constant_is_as_good": "no better than the same prediction for every row",
    "suspect": "perhaps too good to be true",
    "read_options": "how the file was read",
}
"""Names of notes for people; the JSON has the keys."""


def inspect_file(model: ModelPath, *, printing: Printing) -> None:
    """Show what is in a model file, without loading the model.

    The parts of the model and what is known about its training; with --verbose all arrays; with
    --json everything.
    """
    with Screen(*printing) as screen:
        from underdog.cli.opening import check_model

        found = check_model(model)
        screen.print_json(found)
        arrays = found["arrays"]
        screen.print(
            f"{found['path']}: {found['bytes']:,} bytes, written by underdog {found['library']}, "
            f"can be read by underdog {found['needs']} and later",
            "\nParts",
            *_parts(found["model"], 1),
            f"  and {len(arrays):,} arrays of {sum(each['bytes'] for each in arrays):,} bytes",
        )
        if printing.verbose:
            rows = [[a["name"], a["dtype"], str(a["shape"]), f"{a['bytes']:,}"] for a in arrays]
            head = ["name", "type", "shape", "bytes"]
            screen.print("\nArrays", table(head, rows, texts=(0, 1)))
        notes = found["notes"]
        if isinstance(notes, dict):
            for title, note in notes.items():
                name = str(title)
                if name == "profile":
                    continue
                screen.print(f"\n{name[:1].upper()}{name[1:]}", *_lines(note))
        elif notes is not None:
            screen.print("\nNotes", f"  {_short(notes)}")


def _parts(tree: Any, depth: int) -> Iterator[str]:
    """The objects in a model, indented below the one that contains them."""
    if isinstance(tree, list):
        for each in tree:
            yield from _parts(each, depth)
    elif isinstance(tree, dict):
        name = tree.get("is")
        shown = isinstance(name, str) and name[:1].isupper()
        if shown:
            yield f"{'  ' * depth}{name}"
        for each in tree.values():
            yield from _parts(each, depth + shown)


def _lines(note: Any) -> Iterator[str]:
    if not isinstance(note, dict):
        yield f"  {_short(note)}"
        return
    for name, value in note.items():
        if name in BULKY or value in (None, "", {}):
            continue
        if name == "choices" and isinstance(value, list):
            yield f"  {LABELS[name]}:"
            yield from (f"    {_short(sentence)}" for sentence in value)
            continue
        yield f"  {LABELS.get(name, name)}: {_short(_in_words(name, value, note))}"


def _in_words(name: Any, value: Any, note: dict[Any, Any]) -> Any:
    """A note as a sentence, if it is one that `underdog train` writes."""
    try:
        if name == "decision":
            return decision_text(value, note.get("positive"))
        if name == "threshold":
            return threshold_text(value)
        if name == "held_out":
            measures = ((TITLES[key], each) for key, each in value["measures"].items())
            found = ", ".join(f"{title} {_rounded(each)}" for title, each in measures)
            return f"{value['rows']:,} ({value['which']}): {found}"
        if name in ("ranked_by", "measure"):
            return TITLES[value]
        if name == "quantiles":
            return ", ".join(f"{share:g}" for share in value)
    except (KeyError, TypeError, ValueError, AttributeError):  # a file may say anything
        pass
    if value is True:
        return "yes"
    if isinstance(value, dict):
        mark = ": " if name in ("classes", "columns") else " "
        return ", ".join(f"{key}{mark}{_rounded(each)}" for key, each in value.items())
    return _rounded(value)


def _rounded(value: Any) -> Any:
    """Numbers as people read them; --json has all digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if type(value) is int else value


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
