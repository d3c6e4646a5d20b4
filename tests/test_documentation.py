"""Every code block of the documentation runs and prints what the page says it prints.

`python tests/test_documentation.py` writes the printed output into the pages.
"""

import pkgutil
import re
import tomllib
from pathlib import Path

import pytest
import sklearn.tree

import underdog
from tests.pages import INSTALL, check, extras, run, tidy
from underdog import AdaBoostClassifier
from underdog.estimators import all_boosters
from underdog.learners import make_learner

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINKED = [
    *PAGES,
    *(ROOT / name for name in ("CHANGELOG.md", "SECURITY.md", "benchmarks/README.md")),
    *sorted((ROOT / "experiments").rglob("*.md")),
    *sorted((ROOT / "underdog").rglob("*.md")),
]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.DOTALL | re.M)
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page):
    check(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_extras_that_a_page_names_are_there(page):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = INSTALL.findall(page.read_text(encoding="utf-8"))
    names = {name for each in named for name in each.strip("[]").split(",")}
    assert names <= project["optional-dependencies"].keys()


def test_the_extras_of_the_examples_are_those_named_before_them():
    pages = ("README.md", "docs/files.md", "docs/guide.md", "docs/explain.md")
    found = [extras(ROOT / name) for name in pages]
    assert found == ["", "", "[frames,text]", "[frames,plot]"]


def anchors(page):
    """The names by which the headings of a page can be linked to."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for link, anchor in LINK.findall(text):
        target = page.parent / link if link else page
        assert target.exists(), f"{page.name}: there is no {link}"
        assert not anchor or anchor in anchors(target), f"{link} has no heading for #{anchor}"


README, GUIDE = (
    path.read_text(encoding="utf-8") for path in (ROOT / "README.md", ROOT / "docs" / "guide.md")
)
TABLE = README[README.index("## What is implemented") : README.index("## Guarantees")]
NAMED = re.compile(r"`([^`]+)`")


@pytest.mark.parametrize("name", underdog.__all__)
def test_every_public_name_is_in_the_readme_or_in_the_guide(name):
    assert re.search(rf"\b{name}\b", README + GUIDE)


@pytest.mark.parametrize("code", dict.fromkeys(NAMED.findall(TABLE)))
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
