"""`underdog demo`: a real example that ships with the package."""

from __future__ import annotations

from underdog.cli.screen import Screen


def demo() -> None:
    """Learn to tell spam from ham, and read what was learned."""
    from underdog.demo import main

    with Screen():
        main()
