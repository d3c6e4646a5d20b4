"""`underdog list`: every algorithm, its paper, its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from underdog.cli.options import Printing
from underdog.cli.screen import Paragraph, Screen

if TYPE_CHECKING:
    from underdog.cli.docstrings import Documentation


def list_algorithms(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="One algorithm, with all its parameters."),
    ] = None,
    *,
    printing: Printing,
) -> None:
    """List the algorithms; or describe one of them and its parameters."""
    with Screen(*printing) as screen:
        from underdog.cli.algorithms import (
            algorithm,
            algorithm_name,
            algorithms,
            parameters_of,
            rankers,
            regressors,
        )

        every = [*algorithms(), *regressors(), *rankers()]
        names = every if name is None else [algorithm_name(name)]
        if name is None and not printing.as_json:
            screen.print("For classes:\n")
            _print_all(screen, algorithms())
            screen.print("\nFor numbers (regression):\n")
            _print_all(screen, regressors())
            screen.print("\nFor rankings (--query):\n")
            _print_all(screen, rankers())
            screen.print("\nunderdog list NAME describes one of them and its parameters.")
            return

        from underdog.cli.docstrings import documentation

        tasks = dict.fromkeys(regressors(), "regression") | dict.fromkeys(rankers(), "ranking")
        kinds = {each: algorithm(each) for each in names}
        about = {each: documentation(kind) for each, kind in kinds.items()}
        screen.print_json(
            {
                each: {
                    "class": kinds[each].__name__,
                    "task": tasks.get(each, "classification"),
                    "what": about[each].summary,
                    "paper": about[each].paper,
                    "parameters": parameters_of(kinds[each]),
                }
                for each in names
            }
        )
        if name is not None:
            (only,) = names
            screen.print(kinds[only].__name__)
            _print_one(screen, about[only], parameters_of(kinds[only]))


def _print_all(screen: Screen, known: dict[str, str]) -> None:
    from underdog.cli.docstrings import written_documentation
    from underdog.files.registry import KINDS

    for name, kind in known.items():
        about = written_documentation(KINDS[kind], kind)
        screen.print(f"{name}: {about.summary}", Paragraph(about.paper, 4))


def _print_one(screen: Screen, about: Documentation, parameters: dict[str, Any]) -> None:
    for text in (about.summary, *about.paragraphs, about.paper):
        screen.print("", Paragraph(text))
    screen.print("\nParameters, with their defaults (change them with --set NAME=VALUE):")
    order = {name: place for place, name in enumerate(about.parameters)}  # its own come first
    for name in sorted(parameters, key=lambda name: order.get(name, len(order))):
        screen.print(f"  {name} = {parameters[name]!r}")
        described = about.parameters.get(name)
        if described:
            screen.print(Paragraph(described, 6))
