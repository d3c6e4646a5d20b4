"""`underdog list`: every algorithm, its paper, its parameters."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer

from underdog.cli.options import AsJson, Quiet, Verbose
from underdog.cli.screen import Screen, table


def list_algorithms(
    name: Annotated[str | None, typer.Argument(help="One of them, to read all about it.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Every algorithm, its paper and its parameters."""
    with Screen(as_json, quiet, verbose) as screen:
        from underdog.cli.algorithms import algorithm, algorithms, own_parameters, paper

        known = algorithms() if name is None else {name: algorithm(name)}
        screen.give(
            {
                each: {
                    "class": kind.__name__,
                    "what": _first_line(kind),
                    "paper": paper(kind),
                    "parameters": own_parameters(kind),
                }
                for each, kind in known.items()
            }
        )
        if name is not None:
            kind = known[name]
            screen.show(f"{kind.__name__}\n\n{inspect.getdoc(kind)}\n")
            parameters = own_parameters(kind).items()
            rows = [[each, repr(default)] for each, default in parameters]
            screen.show("Parameters (--set name=value)", table(["name", "default"], rows))
            return
        for each, kind in known.items():
            screen.show(f"{each}: {_first_line(kind)}", f"    {paper(kind)}")
        screen.show("\nunderdog list NAME tells the parameters and all the rest.")


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]
