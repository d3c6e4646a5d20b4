"""`underdog inspect`: what is in a model file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from underdog.cli.options import AsJson, ModelPath, Quiet, Verbose
from underdog.cli.screen import Screen, table

LONGEST = 200
"""Characters of a value that are shown."""
BULKY = ("candidates", "measures", "confusion")
"""Notes that are tables; the JSON has them."""


def inspect_file(
    model: ModelPath, as_json: AsJson = False, quiet: Quiet = False, verbose: Verbose = False
) -> None:
    """Tell what is in a model file, without running or building anything from it.

    For people the parts of the model and what is known about its training; with --verbose all
    arrays; with --json everything.
    """
    with Screen(as_json, quiet, verbose) as screen:
        from underdog.cli.loading import contents_of

        found = contents_of(model)
        screen.give(found)
        arrays = found["arrays"]
        screen.show(
            f"{found['path']}: {found['bytes']:,} bytes, written by underdog {found['library']}, "
            f"read by {found['needs']} and later",
            "\nParts",
            *_parts(found["model"], 1),
            f"  and {len(arrays):,} arrays of {sum(each['bytes'] for each in arrays):,} bytes",
        )
        if verbose:
            rows = [[a["name"], a["dtype"], str(a["shape"]), f"{a['bytes']:,}"] for a in arrays]
            screen.show("\nArrays", table(["name", "type", "shape", "bytes"], rows))
        notes = found["notes"]
        if isinstance(notes, dict):
            for title, note in notes.items():
                screen.show(f"\n{str(title).capitalize()}", *_lines(note))
        elif notes is not None:
            screen.show("\nNotes", f"  {_short(notes)}")


def _parts(tree: Any, depth: int) -> Iterator[str]:
    """The objects in a model, each below the one that it is in."""
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
            value = ", ".join(f"{key} {each}" for key, each in value.items())
        yield f"  {name}: {_short(value)}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
