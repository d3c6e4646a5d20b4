"""Every code block of the documentation runs and prints what the page says it prints.

The ```python blocks of a page share one namespace. A ```text block that follows one directly is
what it prints. `python tests/test_documentation.py` writes the printed output into the pages.
"""

import contextlib
import io
import pkgutil
import re
from pathlib import Path

import pytest
import sklearn.tree

import underdog
from underdog import AdaBoostClassifier
from underdog.estimators import all_boosters
from underdog.learners import make_learner

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n*```text\n(.*?)^```$)?", re.DOTALL | re.M)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def run(page, text):
    """(match, printed output) of each example, in order."""
    namespace = {"__name__": "__main__"}
    for example in EXAMPLE.finditer(text):
        above = "\n" * text.count("\n", 0, example.start(1))  # so that errors name the right line
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(above + example[1], str(page), "exec"), namespace)
        yield example, printed.getvalue()


def tidy(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page):
    text = page.read_text(encoding="utf-8")
    for example, printed in run(page, text):
        line = text.count("\n", 0, example.start()) + 1
        assert tidy(printed) == tidy(example[2] or ""), f"{page.name}, example in line {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert not missing


README, GUIDE = (
    path.read_text(encoding="utf-8") for path in (ROOT / "README.md", ROOT / "docs" / "guide.md")
)
TABLE = README[README.index("## What is implemented") : README.index("## Guarantees")]
CODE = re.compile(r"`([^`]+)`")


@pytest.mark.parametrize("name", underdog.__all__)
def test_every_public_name_is_in_the_readme_or_in_the_guide(name):
    assert re.search(rf"\b{name}\b", README + GUIDE)


@pytest.mark.parametrize("code", dict.fromkeys(CODE.findall(TABLE)))
def test_what_the_table_of_the_readme_names_exists(code):
    name, learner = code.partition("(")[0], code.removeprefix("learner=")
    if learner != code or code.startswith('"'):
        assert make_learner(eval(learner, vars(sklearn.tree)))
    elif name.startswith("model."):
        assert hasattr(AdaBoostClassifier, name.removeprefix("model."))
    else:
        assert pkgutil.resolve_name(name if "." in name else f"underdog.{name}")


@pytest.mark.parametrize("name", all_boosters())
def test_every_booster_is_in_the_readme_and_in_the_guide(name):
    assert f"`{name}" in TABLE
    assert name in GUIDE


def rewrite(page):
    """Put the printed output of each example into the page."""
    text = page.read_text(encoding="utf-8")
    parts, done = [], 0
    for example, printed in run(page, text):
        code = text[example.start() : example.end(1)]
        lines = "\n".join(tidy(printed))
        output = f"\n```text\n{lines}\n```" if lines else ""
        end = "\n" if lines and example[2] is None else ""
        parts += [text[done : example.start()], code, "```\n", output, end]
        done = example.end()
    page.write_text("".join([*parts, text[done:]]), encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES:
        rewrite(each)
