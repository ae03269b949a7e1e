"""Csv files of the collectors, read in blocks: fast where they are as written, tolerant where somebody edited them.

A block is parsed by pyarrow. Where that fails (rows of other lengths, odd quotes, damaged text), the rows of this block
are taken apart one by one. A row with too few fields is left out, fields beyond the header are dropped; both are counted.
"""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import decimal_text
from insight_desktop.ingest.open_files import decode_text, read_head, stand_in
from insight_desktop.ingest.report import Report

BLOCK_BYTES = 8 << 20
_MOST_BYTES = 64 << 20  # a block that ends inside a quoted field may grow up to this
_LINE_END = re.compile(r"\r\n|\n|\r")
_SHOWN = 12  # columns of a header that a message names
_NONE = [
    "", "N/A", "NA", "n/a", "nan", "NaN", "NULL", "null", "None", "-", " ", "\t", "N/A\t", "\t\t", "  ",
]  # fmt: skip

Kind = Literal["text", "id", "real", "int", "ns", "ns_cut", "ps", "device"]
_DIGITS = {"int": 0, "ns": 3, "ns_cut": 3, "ps": 6}  # decimals that count
Columns = dict[str, pa.Array]


@dataclass(frozen=True)
class Field:
    """One column that is wanted.

    Attributes:
        name: what the result calls it.
        headers: spellings in files, the preferred one first; case does not matter.
        kind: `text` as written without blanks around it, `id` the same with null for empty and N/A, `real` float64,
            `int` int64, `ns` int64 ns from µs, rounded, `ns_cut` the same, further decimals dropped, `ps` int64 ps from µs,
            `device` int32.
        required: the file cannot be used without it.
        texts: name of a further column for cells of a `real` one that hold other text; it comes only where there are any.
    """

    name: str
    headers: tuple[str, ...]
    kind: Kind = "text"
    required: bool = False
    texts: str = ""


@dataclass
class _Part:
    """What one block gave."""

    columns: Columns
    rows: int = 0
    short: int = 0
    long: int = 0
    cut: bool = False
    recoded: bool = False
    headers: int = 0
    exponents: dict[str, int] = field(default_factory=dict)
    bad: dict[str, int] = field(default_factory=dict)


def clean(header: str) -> str:
    """A header as it is compared: no blanks or quotes around it, one blank inside, lower case."""
    return " ".join(header.strip(" \t\r\n\"'\ufeff\x00").split()).casefold()


class CsvFile:
    """One csv file: its header at once, its rows by `blocks`.

    Args:
        path: the file.
        report: gets what is wrong with it.
        multi_line: quoted fields may hold line ends.

    Raises BadFile when it cannot be opened.
    """

    def __init__(self, path: Path, report: Report, *, multi_line: bool = False) -> None:
        self.path, self.report, self._multi_line = path, report, multi_line
        try:
            self.size = path.stat().st_size
            self._pieces = _utf8_pieces(path)
            self._rest = next(self._pieces, b"")
        except OSError as error:
            raise BadFile(f"{path.name} cannot be read ({error.strerror or error}).") from error
        if b"\r" in self._rest and b"\n" not in self._rest:
            self._pieces = (piece.replace(b"\r", b"\n") for piece in self._pieces)
            self._rest = self._rest.replace(b"\r", b"\n")
        self._rest = self._rest.lstrip(b"\r\n\x00")
        line, _, self._rest = self._rest.partition(b"\n")
        while line.startswith((b"#", b"sep=")) and self._rest:  # a comment, or what spreadsheets write before a header
            line, _, self._rest = self._rest.partition(b"\n")
        self._line = line.rstrip(b"\r")
        text = decode_text(line)
        self.delimiter = max(",;\t", key=lambda c: (text.count(c), c == ","))
        self.header = [name.strip(" \t\r\ufeff\x00") for name in _cells(text, self.delimiter)]
        self.is_empty = not text.strip(" \t\r\x00")
        self._places: dict[str, int] = {}
        twice = []
        for i, name in enumerate(map(clean, self.header)):
            if name in self._places and name:
                twice.append(self.header[i])
            self._places.setdefault(name, i)
        if twice:
            self._tell("duplicate_header", "warning", f"Of the columns that come twice the first is used: {', '.join(twice)}.", count=len(twice))  # fmt: skip
        if self.is_empty:
            size = "0 bytes" if not self.size else "no text"
            self._tell("empty", "warning", f"{path.name} is empty ({size}).", fix="Export the data again.")

    def has(self, *headers: str) -> bool:
        """True when the file has a column of one of these names."""
        return any(clean(name) in self._places for name in headers)

    def spelling(self, header: str) -> str | None:
        """The name of a column as written in the file, None when it is not there."""
        at = self._places.get(clean(header))
        return None if at is None else self.header[at]

    def blocks(self, fields: Sequence[Field], *, threads: int = 2) -> Iterator[Columns]:
        """The rows in the order of the file, as columns by the names of the fields; absent optional ones are left out.

        Nothing comes when the file is empty or lacks a required column, which is reported.
        """
        if self.is_empty:
            return
        missing = [f.headers for f in fields if f.required and not self.has(*f.headers)]
        if missing:
            self._no_columns(missing)
            return
        places = {f: self._place(f) for f in fields}
        wanted = {f: at for f, at in places.items() if at is not None}
        total = _Part({})
        done = 0
        for part, length in self._parsed(wanted, max(1, min(threads, os.cpu_count() or 1))):
            done += length
            self.report.checkpoint(min(done, self.size), self.size, self.path.name)
            total.rows += part.rows
            _add(total, part)
            if part.rows:
                yield part.columns
        self.report.add("csv.rows", total.rows)
        self._tell_all(total)

    def _place(self, wanted: Field) -> int | None:
        return next((self._places[clean(h)] for h in wanted.headers if clean(h) in self._places), None)

    def _parsed(self, wanted: dict[Field, int], threads: int) -> Iterator[tuple[_Part, int]]:
        parser = _Parser(len(self.header), self.delimiter, wanted, self._multi_line, self._line)
        waiting: deque[tuple[Future[_Part], int]] = deque()
        blocks = _whole_lines(self._rest, self._pieces, self._multi_line)
        with ThreadPoolExecutor(threads, thread_name_prefix="csv") as pool:
            try:
                for block in blocks:
                    waiting.append((pool.submit(parser.parse, block), len(block)))
                    if len(waiting) > threads:
                        future, length = waiting.popleft()
                        yield future.result(), length
                while waiting:
                    future, length = waiting.popleft()
                    yield future.result(), length
            finally:
                for future, _ in waiting:
                    future.cancel()

    # ---- what the user is told

    def _tell(self, code: str, severity: Any, message: str, *, count: int = 1, fix: str = "", column: str = "") -> None:
        where = f"{self.path.name}, column {column}" if column else self.path.name
        self.report.issue(f"csv.{code}", severity, where, message, count=count, fix=fix)

    def _no_columns(self, missing: Iterable[tuple[str, ...]]) -> None:
        what, fix = stand_in(read_head(self.path, 64))
        if what:
            self._tell("no_csv", "error", f"{self.path.name} cannot be used: it is no csv but {what}.", fix=fix)
            return
        wanted = ", ".join(" or ".join(names[:2]) for names in missing)
        shown = ", ".join(self.header[:_SHOWN]) + (", …" if len(self.header) > _SHOWN else "")
        self._tell(
            "no_column", "error", f"{self.path.name} cannot be used: it has no column {wanted}. Its header is: {shown}.",
            fix="Check that the file is not renamed, and export the data again if its first line is damaged.",
        )  # fmt: skip

    def _tell_all(self, total: _Part) -> None:
        name = self.path.name
        if not total.rows and not total.short:
            self._tell("empty", "warning", f"{name} is empty: it has a header but no rows.")
        if total.cut:
            self._tell("cut", "warning", f"{name} ends inside a row; the rows before it are kept.", fix="Copy the file again or export the data again.")  # fmt: skip
        short = total.short - total.cut
        if short:
            self._tell("short_rows", "warning", f"Rows of {name} with fewer fields than the header were left out.", count=short, fix="Export the data again.")  # fmt: skip
        if total.long:
            self._tell("long_rows", "warning", f"Rows of {name} have more fields than the header; the fields behind its end were dropped.", count=total.long)  # fmt: skip
        if total.headers:
            self._tell("header_again", "warning", f"{name} was put together from several files: its header comes again and was left out there.", count=total.headers)  # fmt: skip
        if total.recoded:
            self._tell("encoding", "info", f"{name} is not UTF-8; its texts were read as GB18030 where that fits.")
        for column, count in total.exponents.items():
            self._tell(
                "lost_precision", "warning",
                f"Column {column} of {name} holds numbers with an exponent, as a spreadsheet writes them: the times lost precision.",
                count=count, fix="Use the file that the collector wrote, not one saved by a spreadsheet.", column=column,
            )  # fmt: skip
        for column, count in total.bad.items():
            self._tell("not_a_number", "warning", f"Cells of column {column} of {name} are no numbers and count as empty.", count=count, column=column)  # fmt: skip


def _add(total: _Part, part: _Part) -> None:
    total.short += part.short
    total.long += part.long
    total.cut |= part.cut
    total.recoded |= part.recoded
    total.headers += part.headers
    for name, count in part.exponents.items():
        total.exponents[name] = total.exponents.get(name, 0) + count
    for name, count in part.bad.items():
        total.bad[name] = total.bad.get(name, 0) + count


# ---- bytes to blocks of whole lines


def _utf8_pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a file; UTF-16 becomes UTF-8, byte order marks go. A generator that opens the file at once."""
    file = path.open("rb")
    first = file.read(BLOCK_BYTES)
    return _rest_of(file, first)


def _rest_of(file: Any, first: bytes) -> Iterator[bytes]:
    with file:
        coding = _utf16(first[:4096])
        decoder = codecs.getincrementaldecoder(coding)("replace") if coding else None
        piece = first.removeprefix(codecs.BOM_UTF8)
        while piece:
            yield decoder.decode(piece).encode("utf-8", "replace") if decoder else piece
            piece = file.read(BLOCK_BYTES)


def _utf16(head: bytes) -> str | None:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if len(head) >= 16 and head.count(0) * 3 > len(head):
        return "utf-16-le" if head[1:2] == b"\0" else "utf-16-be"
    return None


def _whole_lines(first: bytes, pieces: Iterator[bytes], multi_line: bool) -> Iterator[bytes]:
    """Blocks that end at a line end outside quotes; the last one may end anywhere."""
    rest = first
    for piece in pieces:
        at = _last_end(rest, multi_line)
        if at > 0 and len(rest) >= BLOCK_BYTES // 2:
            yield rest[:at]
            rest = rest[at:]
        rest += piece
        at = _last_end(rest, multi_line)
        if at > 0 and len(rest) >= BLOCK_BYTES // 2:
            yield rest[:at]
            rest = rest[at:]
    if rest.strip(b"\r\n\0 \t"):
        yield rest


def _last_end(block: bytes, multi_line: bool) -> int:
    at = block.rfind(b"\n") + 1
    if multi_line and block.count(b'"', 0, at) % 2 and len(block) < _MOST_BYTES:
        at = block.rfind(b"\n", 0, block.rfind(b'"', 0, at)) + 1
    return at


# ---- blocks to columns


class _Parser:
    """Turns blocks of whole lines into columns; one object serves several threads."""

    def __init__(
        self, width: int, delimiter: str, wanted: dict[Field, int], multi_line: bool, header: bytes = b""
    ) -> None:
        self._width, self._delimiter, self._wanted, self._multi_line = width, delimiter, wanted, multi_line
        self._header = re.compile(rb"^" + re.escape(header) + rb"\r?(?:\n|\Z)", re.MULTILINE) if header else None
        self._header_line = header
        names = [str(i) for i in range(width)]
        types: dict[str, pa.DataType] = {}
        for f, at in wanted.items():
            kind = _arrow_type(f)
            # A column that two fields want in different types is read as text, each then makes its own of it.
            types[str(at)] = kind if types.setdefault(str(at), kind) == kind else pa.string()
        texts = {name: kind if pa.types.is_dictionary(kind) else pa.string() for name, kind in types.items()}
        self._typed, self._texts = (
            pa.csv.ConvertOptions(
                column_types=each, include_columns=list(each), null_values=_NONE, strings_can_be_null=False,
                quoted_strings_can_be_null=True, decimal_point="." if delimiter == "," else ",",
            )
            for each in (types, texts)
        )  # fmt: skip
        self._names = names

    def parse(self, block: bytes) -> _Part:
        """The rows of one block."""
        end = len(block)
        while end and block[end - 1] in b"\r\n\0":
            end -= 1
        whole = block[end : end + 1] in (b"\r", b"\n")
        if len(block) - end > 2:
            block = block[:end]
        headers = 0
        if self._header and self._header_line in block:
            block, headers = self._header.subn(b"", block)
        recoded = not block.isascii() and not _is_utf8(block)
        if recoded:  # at once: the parser cannot even tell of a short row that is no UTF-8
            block = decode_text(block).encode("utf-8", "replace")
        part = self._fast(block, whole)
        # Other text among numbers is the commonest defect: then the numbers are taken as texts first.
        part = part or self._fast(block, whole, typed=False) or self._with_line_ends(block)
        part = part or self._slow(block, whole)
        part.recoded, part.headers = recoded, headers
        return part

    def _fast(self, block: bytes, whole: bool, *, typed: bool = True) -> _Part | None:
        if not self._multi_line and block.count(b'"') % 2:
            return None
        short: list[int] = []
        long: list[int] = []

        def odd(row: pa.csv.InvalidRow) -> str:
            (long if row.actual_columns > row.expected_columns else short).append(row.actual_columns)
            return "skip"

        try:
            table = pa.csv.read_csv(
                pa.BufferReader(block),
                pa.csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=self._names),
                pa.csv.ParseOptions(
                    delimiter=self._delimiter, newlines_in_values=self._multi_line, invalid_row_handler=odd
                ),
                self._typed if typed else self._texts,
            )
        except pa.ArrowInvalid:
            return None
        lines = block.count(b"\n") + (not block.endswith(b"\n"))
        if long or (not self._multi_line and table.num_rows + len(short) != lines):
            return None
        part = _Part({}, table.num_rows, len(short), cut=bool(short) and not whole and _is_short(block, self))
        for f, at in self._wanted.items():
            part.columns[f.name] = self._finish(f, _joined(table.column(str(at))), part)
        return part

    def _with_line_ends(self, block: bytes) -> _Part | None:
        """Rows with line ends inside quotes, where all quotes and all rows are whole when they are read so."""
        if self._multi_line or block.count(b'"') % 2:
            return None
        text = io.StringIO(block.decode("utf-8", "replace").replace("\0", ""), newline="")
        try:
            rows = [row for row in csv.reader(text, delimiter=self._delimiter, strict=True) if row]
        except csv.Error:
            return None
        return self._of_rows(rows, _Part({}, len(rows))) if all(len(row) == self._width for row in rows) else None

    def _slow(self, block: bytes, whole: bool) -> _Part:
        rows, short, long = [], 0, 0
        last = 0
        for row in self._rows(block.decode("utf-8", "replace").replace("\0", "")):
            last = len(row)
            if last < self._width:
                short += 1
                continue
            long += any(cell.strip() for cell in row[self._width :])
            rows.append(row)
        return self._of_rows(rows, _Part({}, len(rows), short, long, cut=not whole and last < self._width))

    def _of_rows(self, rows: list[list[str]], part: _Part) -> _Part:
        for f, at in self._wanted.items():
            part.columns[f.name] = self._finish(f, pa.array([row[at] for row in rows], pa.string()), part)
        return part

    def _rows(self, text: str) -> Iterator[list[str]]:
        if self._multi_line and text.count('"') % 2 == 0:
            yield from (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=self._delimiter) if row)
            return
        for line in _LINE_END.split(text):
            row = _cells(line, self._delimiter)
            if len(row) < self._width and line.count('"') % 2:
                row = line.replace('"', "").split(self._delimiter)  # a quote that nothing closes
            if row:
                yield row

    def _finish(self, f: Field, values: pa.Array, part: _Part) -> pa.Array:
        """Values of a column in the type of its kind; `values` are texts, or typed already."""
        if pa.types.is_integer(values.type):
            return values
        if pa.types.is_floating(values.type):
            return self._finite(f, values, part)
        if f.kind in _DIGITS:
            out, exponents, bad = decimal_text.scaled(values, _DIGITS[f.kind], cut=f.kind == "ns_cut")
            _count(part.exponents, f, exponents if f.kind != "int" else 0)
            _count(part.bad, f, bad)
            return out
        if f.kind == "real":
            return self._reals(f, values, part)
        encoded = values if pa.types.is_dictionary(values.type) else pc.dictionary_encode(values)
        words = pc.utf8_trim(encoded.dictionary, " \t\r\x00")
        if f.kind == "device":
            words = pa.array([_device(word) for word in words.to_pylist()], pa.int32())
        elif f.kind == "id":
            words = pa.array([None if decimal_text.is_missing(w) else w for w in words.to_pylist()], pa.string())
        return words.take(encoded.indices)

    def _reals(self, f: Field, values: pa.StringArray, part: _Part) -> pa.DoubleArray:
        try:
            words = pc.utf8_trim(values, " \t\r\x00")
            missing = pc.is_in(words, pa.array(_NONE))
            return self._finite(f, pc.if_else(missing, pa.scalar(None, pa.string()), words).cast(pa.float64()), part)
        except pa.ArrowInvalid:
            pass  # other text among the numbers: cell by cell
        texts = values.to_pylist()
        numbers = [decimal_text.real(text) for text in texts]
        odd = [t if n is None and not decimal_text.is_missing(t) else None for n, t in zip(numbers, texts, strict=True)]
        if f.texts and any(odd):
            part.columns[f.texts] = pa.array(odd, pa.string())
        elif not f.texts:
            _count(part.bad, f, sum(t is not None for t in odd))
        return pa.array(numbers, pa.float64())

    def _finite(self, f: Field, values: pa.DoubleArray, part: _Part) -> pa.DoubleArray:
        """The values with null for infinite ones, which no sum survives."""
        known = pc.fill_null(pc.is_finite(values), True)
        count = len(values) - int(pc.sum(known).as_py() or 0)
        _count(part.bad, f, count)
        return pc.if_else(known, values, pa.scalar(None, pa.float64())) if count else values


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of one line; a damaged one may hold line ends of another kind."""
    return next(csv.reader([line.replace("\r", " ").replace("\n", " ")], delimiter=delimiter), [])


def _is_short(block: bytes, parser: _Parser) -> bool:
    """True when the last line has too few fields."""
    line = block[block.rfind(b"\n", 0, len(block) - 1) + 1 :].decode("utf-8", "replace").replace("\0", "")
    return len(_cells(line, parser._delimiter)) < parser._width


def _count(counts: dict[str, int], f: Field, count: int) -> None:
    if count:
        counts[f.headers[0]] = counts.get(f.headers[0], 0) + count


def _joined(column: pa.ChunkedArray) -> pa.Array:
    joined = column.combine_chunks()
    return joined.chunk(0) if isinstance(joined, pa.ChunkedArray) else joined


def _arrow_type(f: Field) -> pa.DataType:
    if f.kind == "real":
        return pa.float64()
    if f.kind == "int":
        return pa.int64()
    if f.kind in ("ns", "ns_cut", "ps"):
        return pa.string()
    return pa.dictionary(pa.int32(), pa.string())


def _device(text: str) -> int | None:
    number = text.upper().removeprefix("NPU:").strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
