"""Which format a data file has, by its name or else by its first bytes."""

from __future__ import annotations

import re
from pathlib import Path

FORMATS = ("csv", "tsv", "jsonl", "json", "xlsx", "parquet", "svmlight", "folder")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
SAMPLE = 1 << 16
"""First bytes that are looked at."""

ZIP = b"PK\x03\x04"
"""How an .xlsx file begins, and other archives."""

_JSON = re.compile(rb"\{|\[\s*[{\]]")
_SVMLIGHT = re.compile(
    rb"[+-]?[0-9.]+(?:[ \t]+(?:qid|[0-9]+):[^\s:]+)+[ \t]*(?:#[^\n]*)?\r?(?:\n|$)"
)


def format_by_name(path: str) -> str | None:
    """The format that the ending says; None if it says nothing."""
    file = Path(path)
    if file.suffix.lower() in COMPRESSED:
        file = file.with_suffix("")
    return ENDINGS.get(file.suffix.lower())


def format_by_content(start: bytes) -> str:
    """The format that the first bytes suggest."""
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(ZIP):
        return "xlsx"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _JSON.match(text):
        return "json" if text.startswith(b"[") else "jsonl"
    return "svmlight" if _SVMLIGHT.match(text) else "csv"
