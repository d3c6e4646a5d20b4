"""`underdog inspect`: what is in a model file."""

from __future__ import annotations

from underdog.cli.options import AsJson, ModelPath, Quiet, Verbose
from underdog.cli.screen import Screen, table


def inspect_file(
    model: ModelPath, as_json: AsJson = False, quiet: Quiet = False, verbose: Verbose = False
) -> None:
    """Tell what is in a model file, without running or building anything from it."""
    with Screen(as_json, quiet, verbose) as screen:
        from underdog.files import inspect

        found = inspect(model)
        screen.give(found)
        arrays = found.pop("arrays")
        for name, value in found.items():
            screen.show(*_lines(name, value, 0))
        rows = [[a["name"], a["dtype"], str(a["shape"]), f"{a['bytes']:,}"] for a in arrays]
        screen.show("arrays:", table(["name", "type", "shape", "bytes"], rows))


def _lines(name: str, value: object, depth: int) -> list[str]:
    """Nested values as indented lines."""
    space = "  " * depth
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        value = dict(enumerate(value, start=1))
    if isinstance(value, dict) and value:
        inner = [line for key, each in value.items() for line in _lines(str(key), each, depth + 1)]
        return [f"{space}{name}:", *inner]
    text = str(value)
    return [f"{space}{name}: {text if len(text) <= 200 else text[:200] + ' ...'}"]
