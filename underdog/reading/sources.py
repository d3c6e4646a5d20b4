"""The bytes of a file or of standard input: decompressed, and as UTF-8 where they are text."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from underdog.frames.errors import BadData
from underdog.reading.signatures import refuse_other_formats

STANDARD_INPUT = "standard input"
BLOCK = 1 << 20

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A seekable file with the content, decompressed where it is compressed."""
    name = source_name(path)
    with ExitStack() as stack:
        try:
            standard = path == "-"
            file = sys.stdin.buffer if standard else stack.enter_context(Path(path).open("rb"))
            if standard or not file.seekable():  # a pipe can be read once only
                file = _copy(_blocks(file), name, stack)
        except OSError as error:
            raise _not_opened(name, error) from None
        with _decompression_errors(name):
            stream = _decompressor(file, name)
            content = file if stream is None else _copy(_blocks(stream), name, stack)
        refuse_other_formats(content, name)
        yield content


def first_bytes(path: str, count: int) -> bytes:
    """The first bytes of a regular file, decompressed."""
    try:
        with Path(path).open("rb") as file, _decompression_errors(path):
            content = _decompressor(file, path) or file
            return content.read(count)
    except OSError as error:
        raise _not_opened(path, error) from None


def _not_opened(name: str, error: OSError) -> BadData:
    return BadData(f"cannot be opened: {error.strerror or error}", path=name)


def source_name(path: str) -> str:
    """The name of a file in messages."""
    return STANDARD_INPUT if path == "-" else path


@dataclass(frozen=True)
class Text:
    """UTF-8 that begins at the position of the file, after a byte-order mark; length and notes."""

    file: BinaryIO
    lines: int
    size: int
    notes: tuple[str, ...] = ()


def as_text(file: BinaryIO, name: str, stack: ExitStack) -> Text:
    """The content as UTF-8 with lines that end with "\\n"; the file itself if it is so already."""
    start = file.read(4)
    mark, encoding = next(((m, e) for m, e in MARKS if start.startswith(m)), (b"", "utf-8"))
    seen = _look(file, len(mark), encoding)
    notes: tuple[str, ...] = ()
    if seen.undecodable and not mark:
        encoding = "cp1252"
        notes = (f"Line {seen.lines:,} is not UTF-8: the file was read as Windows-1252.",)
        seen = _look(file, 0, encoding)
    if seen.undecodable:
        wanted = "UTF-8 or Windows-1252 text"
        if mark:
            wanted = f"{encoding.upper()}, although its byte-order mark says so"
        raise BadData(f"this is not {wanted}", path=name, line=seen.lines)
    if seen.nul:
        raise BadData(
            "this is not a text file: there is a NUL character", path=name, line=seen.lines
        )
    only_returns = seen.returns > 0 and seen.lines == 1
    if encoding == "utf-8" and not only_returns:
        size = file.seek(0, io.SEEK_END)
        file.seek(len(mark))
        return Text(file, seen.lines, size, notes)
    texts = _decoded(file, len(mark), encoding)
    if only_returns:
        texts = (text.replace("\r", "\n") for text in texts)
    plain = _copy((text.encode() for text in texts), name, stack)
    size = plain.seek(0, io.SEEK_END)
    plain.seek(0)
    return Text(plain, seen.returns + 1 if only_returns else seen.lines, size, notes)


def _copy(blocks: Iterable[bytes], name: str, stack: ExitStack) -> BinaryIO:
    """A temporary file with this content; deleted when it is closed."""
    # Nothing waits in a buffer, so that a full disk is noticed here and not when it is closed.
    raw = stack.enter_context(tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
    for block in blocks:
        rest = memoryview(block)
        try:
            while rest:
                rest = rest[raw.write(rest) :]
        except OSError as error:
            raise BadData(
                f"no space for a temporary copy in {tempfile.gettempdir()} ({error.strerror}): "
                "free some, or set the environment variable TMPDIR to another folder",
                path=name,
            ) from None
    raw.seek(0)
    return cast(BinaryIO, stack.enter_context(io.BufferedReader(raw)))


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    return iter(lambda: file.read(BLOCK), b"")


def _decompressor(file: BinaryIO, name: str) -> IO[bytes] | None:
    """A stream of the content of a compressed file; None if it is not compressed."""
    start = file.read(6)
    file.seek(0)
    kinds: tuple[tuple[bytes, Callable[[Any], IO[bytes]]], ...] = (
        (b"\x1f\x8b", lambda raw: cast(IO[bytes], gzip.GzipFile(fileobj=raw))),
        (b"BZh", bz2.BZ2File),
        (b"\xfd7zXZ\x00", lzma.LZMAFile),
        (b"\x28\xb5\x2f\xfd", lambda raw: _zstd(raw, name)),
    )
    return next((unpack(file) for magic, unpack in kinds if start.startswith(magic)), None)


@contextmanager
def _decompression_errors(name: str) -> Iterator[None]:
    """Errors inside become a sentence about the compressed file."""
    try:
        yield
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise BadData(f"the file is damaged ({error})", path=name) from None


def _zstd(file: BinaryIO, name: str) -> IO[bytes]:
    """A stream of any package that has zstd; Python has it from 3.14 on."""
    if sys.version_info >= (3, 14):
        return cast(IO[bytes], import_module("compression.zstd").ZstdFile(file))
    if find_spec("zstandard"):
        return cast(IO[bytes], import_module("zstandard").ZstdDecompressor().stream_reader(file))
    if find_spec("pyarrow"):
        return cast(IO[bytes], import_module("pyarrow").CompressedInputStream(file, "zstd"))
    raise BadData("compressed with zstd: unpack it, or pip install zstandard", path=name)


@dataclass
class _Look:
    """What a text contains, up to its end or to where it cannot be decoded."""

    lines: int = 1
    returns: int = 0
    nul: bool = False
    undecodable: bool = False


def _look(file: BinaryIO, start: int, encoding: str) -> _Look:
    seen = _Look()
    try:
        for text in _decoded(file, start, encoding):
            nul = text.find("\0")
            seen.lines += text.count("\n", 0, nul if nul >= 0 else None)
            seen.returns += text.count("\r")
            if nul >= 0:
                seen.nul = True
                break
    except UnicodeDecodeError as error:
        seen.lines += error.object[: error.start].decode(encoding, "ignore").count("\n")
        seen.undecodable = True
    return seen


def _decoded(file: BinaryIO, start: int, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    file.seek(start)
    for block in _blocks(file):
        yield decoder.decode(block)
    yield decoder.decode(b"", final=True)
