"""`underdog inspect`: what is in a model file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from underdog.cli.options import ModelPath, Printing
from underdog.cli.screen import Screen
from underdog.cli.tables import table

LONGEST = 200
"""Characters of a value that are printed."""
BULKY = ("candidates", "measures", "confusion")
"""Notes that are tables; they are only in the JSON."""


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
                screen.print(f"\n{str(title).capitalize()}", *_lines(note))
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
        if isinstance(value, dict):
            value = ", ".join(f"{key} {_rounded(each)}" for key, each in value.items())
        yield f"  {name}: {_short(_rounded(value))}"


def _rounded(value: Any) -> Any:
    """Numbers as people read them; --json has all digits."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if type(value) is int else value


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
