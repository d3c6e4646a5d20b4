"""Docstrings of algorithms as plain text: without the marks of reStructuredText and LaTeX."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.M)
_PARAMETER = re.compile(r"^(\w[\w, ]*?)(?: :.*)?\n((?:[ ]+.*\n|\n)*)", re.M)
_MATH = re.compile(r":math:`([^`]*)`")
_FRACTION = re.compile(r"\\frac\s*(?:\{([^{}]*)\}\s*\{([^{}]*)\}|(\d)(\d))")
_ROOT = re.compile(r"\\sqrt\{([^{}]*)\}")
_RAISED = re.compile(r"([_^])\{([^{}]*)\}")
_WORDS = {r"\ge": ">=", r"\le": "<=", r"\propto": "proportional to", r"\hat": "best "}


class Documentation(NamedTuple):
    """What the docstring of an algorithm says."""

    summary: str
    paragraphs: list[str]
    parameters: dict[str, str]
    paper: str


def documentation(kind: type) -> Documentation:
    """The parts of a docstring; parameters include those of the classes that it inherits from."""
    parameters: dict[str, str] = {}
    for each in _documented(kind):
        about = _sections(inspect.getdoc(each) or "")
        for names, text in _PARAMETER.findall(about.get("Parameters", "")):
            for name in names.split(", "):
                described = " ".join(_paragraphs(text))
                parameters[name] = parameters.get(name) or described
    return _about(inspect.getdoc(kind) or "")._replace(parameters=parameters)


def written_documentation(module: str, name: str) -> Documentation:
    """The same from the source, without parameters: scikit-learn takes a second to import."""
    spec = find_spec(module)
    source = spec.loader.get_source(module) if spec and spec.loader else None  # type: ignore[attr-defined]
    for node in ast.parse(source or "").body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _about(ast.get_docstring(node) or "")
    raise ValueError(f"{module} has no class {name}")


def _about(docstring: str) -> Documentation:
    sections = _sections(docstring)
    summary, *paragraphs = _paragraphs(sections[""])
    paper, *_ = [*_paragraphs(sections.get("References", "")), ""]
    return Documentation(summary, paragraphs, {}, paper)


def _documented(kind: type) -> Iterator[type]:
    """Classes whose docstrings describe parameters; shared ones are described by AdaBoost's."""
    from underdog.estimators.adaboost import AdaBoostClassifier
    from underdog.estimators.lpboost import LPBoostClassifier
    from underdog.estimators.support.corrective import CorrectiveBooster

    yield from (each for each in kind.__mro__ if each.__module__.startswith("underdog."))
    if issubclass(kind, CorrectiveBooster):
        yield LPBoostClassifier
    yield AdaBoostClassifier


def _sections(docstring: str) -> dict[str, str]:
    """The text under each heading, and under "" the text before the first."""
    first, *rest = _SECTION.split(docstring)
    return {"": first, **{name: f"{text}\n" for name, text in zip(rest[::2], rest[1::2])}}  # noqa: B905


def _paragraphs(text: str) -> list[str]:
    found = re.split(r"\n\s*\n|\n(?=\s*- )", inspect.cleandoc(text))  # also items of lists
    return [plain(" ".join(each.split())) for each in found if each.strip()]


def plain(text: str) -> str:
    r"""Text without marks.

    Examples
    --------
    >>> from underdog.cli.docstrings import plain
    >>> plain(r"Minimises :math:`-\rho + \frac{1}{m \nu} \sum_i \xi_i`; see `LPBoostClassifier`")
    'Minimises -rho + 1 / (m nu) sum_i xi_i; see LPBoostClassifier'
    >>> plain(r"has :math:`\frac12 \ln\frac{1 + r_t}{1 - r_t}` and :math:`f_{t-1} \ge 0`")
    'has 1/2 ln((1 + r_t) / (1 - r_t)) and f_(t-1) >= 0'
    """
    text = _MATH.sub(lambda found: _formula(found[1]), text)
    return text.replace("``", "").replace("`", "")


def _formula(text: str) -> str:
    before = ""
    while text != before:
        before = text
        text = _RAISED.sub(r"\1(\2)", text)
        text = _ROOT.sub(r"sqrt(\1)", text)
        text = _FRACTION.sub(_fraction, text)
    for mark, word in _WORDS.items():
        text = re.sub(rf"{re.escape(mark)}(?![a-z])", word, text)
    return " ".join(text.replace("\\", "").split())


def _fraction(found: re.Match[str]) -> str:
    if found[3]:
        return f"{found[3]}/{found[4]}"
    above, below = (f"({p})" if re.search(r"[ +-]", p) else p for p in found.groups()[:2])
    ratio = f"{above} / {below}"
    return f"({ratio})" if found.string[: found.start()].endswith("\\ln") else ratio
