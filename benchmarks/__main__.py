"""`python -m benchmarks [name ...] [--write] [--quick]`: measure all or some of the promises.

With `--against PATH`, the same work by the code in another checkout is measured in their place.
"""

import argparse
import inspect
import re
from importlib import import_module
from pathlib import Path

from benchmarks import against
from benchmarks.harness import Plan, machine, table

NAMES = (
    "fit_text",
    "fit_dense",
    "fit_mh",
    "many_classes",
    "predict",
    "trees",
    "automatic",
    "alternating",
    "hull",
    "regression",
    "ranking",
    "uneven",
    "noise",
    "masters",
    "vectorize",
    "frames",
    "growth",
    "start",
    "memory",
    "disk",
    "cluster",
)
README = Path(__file__).with_name("README.md")


def main() -> None:
    options = _options()
    plan = Plan(options.quick)
    if plan.quick:
        print("Quick: sizes at which no promise holds or fails.")
    if options.against is not None:
        against.run(options.names or NAMES, options.against, plan.quick)
        return
    for name in options.names or NAMES:
        module = import_module(f"benchmarks.{name}")
        section = f"{inspect.getdoc(module)}\n\n{table([*module.run(plan)])}\n\n{machine()}"
        print(f"\n## {name}\n\n{section}", flush=True)
        if options.write:
            _keep(name, section)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"all, unless some are named: {', '.join(NAMES)}"
    )
    parser.add_argument(
        "--write", action="store_true", help="keep the tables in benchmarks/README.md"
    )
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the size, once: only to see that it runs"
    )
    parser.add_argument(
        "--against", type=Path, metavar="PATH",
        help="measure this code beside that of another checkout in PATH, without peers",
    )  # fmt: skip
    options = parser.parse_args()
    for name in options.names:
        if name not in NAMES:
            parser.error(f"there is no benchmark {name!r}: choose from {', '.join(NAMES)}.")
    if options.write and options.against is not None:
        parser.error("--against is for this moment only: leave out --write or --against.")
    if options.write and options.quick:
        parser.error("--quick measures nothing worth keeping: leave out --write or --quick.")
    return options


def _keep(name: str, section: str) -> None:
    """Replace this benchmark's part of the README, which lies between two comments."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    part = re.compile(f"{begin}.*?{end}", re.DOTALL)
    text, parts = part.subn(lambda _: f"{begin}\n{section}\n{end}", README.read_text())
    if parts != 1:
        raise SystemExit(
            f"{README} has no place for this table: put the lines {begin} and {end} into it."
        )
    README.write_text(text)


if __name__ == "__main__":
    main()
