"""The examples of a page: run them, and compare what they print with what the page says.

The ```python blocks of a page share one namespace. A ```text block that follows one directly is
what it prints.

`python tests/pages.py README.md` runs the examples of a page with the underdog that is installed:
nothing of the checkout is imported. `python tests/pages.py --extras README.md` prints the extras
that the page says to install before its first example, such as "[frames,text]".
"""

import contextlib
import io
import re
import sys
from pathlib import Path

EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:\n*```text\n(.*?)^```$)?", re.DOTALL | re.M)
INSTALL = re.compile(r'pip install "(?:underdog|\.)(\[[\w,]+\])"')


def extras(page):
    """What is to be installed for the examples of a page, as pip wants it after a name."""
    before = EXAMPLE.split(page.read_text(encoding="utf-8"))[0]
    return "".join(INSTALL.findall(before)[:1])


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


def check(page):
    """Assert that every example prints what the page says; how many there are."""
    text = page.read_text(encoding="utf-8")
    count = 0
    for example, printed in run(page, text):
        line = text.count("\n", 0, example.start()) + 1
        assert tidy(printed) == tidy(example[2] or ""), f"{page.name}, line {line}:\n{printed}"
        count += 1
    return count


if __name__ == "__main__":
    option, *names = sys.argv[1:]
    if option == "--extras":
        print(*(extras(Path(name)) for name in names))
    else:
        for name in (option, *names):
            print(f"{name}: {check(Path(name))} examples print what the page says")
