"""What is installed: for reports of bugs."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import underdog

REQUIRED = (
    *("numpy", "scipy", "scikit-learn", "numba", "narwhals", "joblib", "lazy-loader", "highspy"),
    *("threadpoolctl", "safetensors"),
)
OPTIONAL = (
    *("pandas", "polars", "pyarrow", "PyStemmer", "matplotlib", "typer", "rich", "pooch"),
    *("openpyxl", "tqdm", "lightgbm", "xgboost", "dask", "distributed"),
)


def show_versions() -> None:
    """Print the versions of Python, underdog and all that it works with.

    Nothing is imported to find them. Put the output into a report of a bug.

    Examples
    --------
    >>> from underdog import show_versions
    >>> show_versions()  # doctest: +ELLIPSIS
    System:
           python: 3...
       executable: ...
          machine: ...
    <BLANKLINE>
    Dependencies:
         underdog: ...
            numpy: ...
    """
    system = {
        "python": sys.version.replace("\n", " "),
        "executable": sys.executable,
        "machine": platform.platform(),
    }
    _print("System", system)
    _print("Dependencies", {"underdog": underdog.__version__} | _versions(REQUIRED))
    _print("Optional", _versions(OPTIONAL), end="")


def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    return {package: _version(package) for package in packages}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _print(title: str, values: dict[str, str], end: str = "\n") -> None:
    print(f"{title}:")
    for name, value in values.items():
        print(f"{name:>13}: {value}")
    print(end=end)
