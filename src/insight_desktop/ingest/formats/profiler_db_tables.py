"""Reading tables of a profiler database: which columns there are, and rows as numpy columns in batches."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import adbc_driver_manager
import adbc_driver_sqlite.dbapi
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from insight_desktop.errors import BadFile
from insight_desktop.ingest.open_files import SQLITE_ERRORS, SqliteFile, explain_sqlite
from insight_desktop.ingest.report import Report

NULL = -(2**63)  # stands for NULL in integer columns
NONE32 = 2**32 - 1  # "no value" of the collectors in unsigned columns
BATCH_ROWS = 256 * 1024
_SMALL_BATCH = 32
_BULK_ERRORS = (adbc_driver_manager.Error, pa.ArrowException, OSError, *SQLITE_ERRORS)
_NO_REAL = "-1.7976931348623157e308"

Ints = npt.NDArray[np.int64]
Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class TableInfo:
    """A table or view: its name as stored, its columns as stored by lower-case name, whether rows have a rowid."""

    name: str
    columns: dict[str, str]
    has_rowid: bool

    @property
    def quoted(self) -> str:
        return quoted(self.name)


def quoted(name: str) -> str:
    """An SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def list_tables(connection: sqlite3.Connection, broken: dict[str, Exception] | None = None) -> dict[str, TableInfo]:
    """Tables and views by upper-case name; those that cannot be asked for their columns go to `broken`."""
    found = {}
    rows = connection.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    for name, kind in rows:
        try:
            columns = {
                str(row[1]).lower(): str(row[1]) for row in connection.execute(f"PRAGMA table_xinfo({quoted(name)})")
            }
            has_rowid = kind == "table" and _has_rowid(connection, name)
        except SQLITE_ERRORS as error:  # a view on something that is gone, or a damaged entry
            if broken is not None:
                broken[str(name).upper()] = error
            continue
        found[str(name).upper()] = TableInfo(str(name), columns, has_rowid)
    return found


def _has_rowid(connection: sqlite3.Connection, name: str) -> bool:
    try:
        connection.execute(f"SELECT _rowid_ FROM {quoted(name)} LIMIT 0")
    except SQLITE_ERRORS:
        return False
    return True


class Database:
    """An opened profiler database: small questions through sqlite3, whole columns through ADBC."""

    def __init__(self, file: SqliteFile, report: Report, threads: int = 1) -> None:
        self._threads = threads
        self.file = file
        self.report = report
        self.small = file.connect()
        try:
            self._broken: dict[str, Exception] = {}
            self.tables = list_tables(self.small, self._broken)
            self._bulk = adbc_driver_sqlite.dbapi.connect(file.uri)
            if file.missing_bytes:
                with self._bulk.cursor() as cursor:
                    cursor.execute("PRAGMA writable_schema=ON")
        except (*SQLITE_ERRORS, adbc_driver_manager.Error) as error:
            self.small.close()
            raise explain_sqlite(error, file.path, file.missing_bytes) from error
        self._size = file.path.stat().st_size
        self._rows_in_all = 0
        self._rows_done = 0
        self.damaged: list[str] = []

    def close(self) -> None:
        self.small.close()
        self._bulk.close()

    def has(self, table: str, *columns: str) -> bool:
        """True when the table is there with all these columns."""
        info = self.tables.get(table)
        return info is not None and all(column.lower() in info.columns for column in columns)

    def plan(self, tables: tuple[str, ...]) -> None:
        """Tell which tables will be read, for the progress; those that are there but cannot be read are reported."""
        for table in tables:
            if table in self._broken:
                self._damage(table, self._broken[table])
            info = self.tables.get(table)
            if info is not None and info.has_rowid:
                row = self.first(f"SELECT max(_rowid_) FROM {info.quoted}")
                self._rows_in_all += row[0] if row and isinstance(row[0], int) and 0 < row[0] < 2**40 else 0

    def first(self, sql: str) -> tuple[Any, ...] | None:
        """First row of a small query, None when there is none or it cannot be answered."""
        try:
            row: tuple[Any, ...] | None = self.small.execute(sql).fetchone()
        except SQLITE_ERRORS:
            return None
        return row

    def rows(self, table: str, *columns: str) -> list[tuple[Any, ...]]:
        """All rows of a small table; missing columns are None; an unreadable table is empty and reported."""
        info = self.tables.get(table)
        if info is None:
            return []
        wanted = ", ".join(quoted(info.columns[c.lower()]) if c.lower() in info.columns else "NULL" for c in columns)
        try:
            found = self.small.execute(f"SELECT {wanted} FROM {info.quoted}").fetchmany(self._size)
            self._check_end(len(found))
            return found
        except SQLITE_ERRORS as error:
            self._damage(table, error)
            return []

    def batches(
        self,
        table: str,
        ints: tuple[str, ...],
        reals: tuple[str, ...] = (),
        *,
        times: tuple[str, ...] = (),
        counted: bool = True,
    ) -> Iterator[Columns]:
        """Columns of a table in batches of at most BATCH_ROWS rows, in the order of the file.

        Integer columns hold NULL (int64 minimum) where there is no value, real columns NaN. `at` is the rowid, or the
        running number of the row where the table has no rowids. A column that is not there is all NULL.
        Text in an integer column counts by its digits. Rows whose `times` hold other text are left out and counted.
        `counted` is false for a first look at a table that is read again.
        """
        info = self.tables.get(table)
        if info is None:
            return
        parts = ["_rowid_" if info.has_rowid else "0"]
        parts += [_int(info, column, time=column in times) for column in ints] + [
            _real(info, column) for column in reals
        ]
        names = ["at", *ints, *reals]
        bad: Ints | None = None
        ordinal = 0
        total = 0
        try:
            for batch in self._stream(info, ", ".join(parts)):
                found = dict(zip(names, (np.asarray(column) for column in batch.columns), strict=True))
                if not info.has_rowid:
                    found["at"] = np.arange(ordinal, ordinal + batch.num_rows, dtype=np.int64)
                    ordinal += batch.num_rows
                for column in reals:
                    values = np.array(found[column], dtype=np.float64)
                    values[(values == float(_NO_REAL)) | np.isinf(values)] = np.nan
                    found[column] = values
                total += batch.num_rows
                self._check_end(total)
                if any((found[column] == 0).any() for column in times if column in found):
                    bad = self._not_numbers(info, times) if bad is None else bad
                    if len(bad):
                        keep = ~np.isin(found["at"], bad)
                        found = {name: values[keep] for name, values in found.items()}
                self._rows_done += batch.num_rows if counted else 0
                share = min(1.0, self._rows_done / self._rows_in_all) if self._rows_in_all else 0.0
                self.report.checkpoint(int(self._size * share), self._size, info.name)
                yield found
        except _BULK_ERRORS as error:
            self._damage(table, error)
        if counted:
            self.report.add(f"table.{table}", total)
        if bad is not None and len(bad):
            self.report.issue(
                "profiler_db.not_a_number", "warning", f"{self.file.path.name}, table {info.name}",
                f"Rows of {info.name} whose time is text without digits were left out.", count=len(bad),
            )  # fmt: skip

    def texts(self) -> Iterator[pa.RecordBatch]:
        """STRING_IDS as (id int64, value binary) batches; damage is reported."""
        info = self.tables.get("STRING_IDS")
        if info is None or not {"id", "value"} <= info.columns.keys():
            return
        value = quoted(info.columns["value"])
        # Bytes as stored, so that damaged text arrives whole; UTF-16 files have to be converted by SQLite.
        wide = str((self.first("PRAGMA encoding") or ("",))[0]).startswith("UTF-16")
        shown = f"CAST({value} AS {'TEXT' if wide else 'BLOB'})"
        try:
            total = 0
            at = "_rowid_" if info.has_rowid else "0"
            for batch in self._stream(info, f"{at}, {_int(info, 'id')}, {shown}", f"{value} IS NOT NULL"):
                total += batch.num_rows
                self._check_end(total)
                yield batch.select([1, 2])
        except _BULK_ERRORS as error:
            self._damage("STRING_IDS", error)

    def records(self, table: str, ints: tuple[str, ...], texts: tuple[str, ...]) -> Iterator[pa.RecordBatch]:
        """Columns of a table in batches: whole numbers (NULL, the int64 minimum, for none) and texts as bytes (empty for none).

        A column that is not there has no values. Numbers in text columns are written out. Damage is reported.
        """
        info = self.tables.get(table)
        if info is None:
            return
        parts = ["_rowid_" if info.has_rowid else "0", *(_int(info, column) for column in ints)]
        for column in texts:
            name = info.columns.get(column.lower())
            parts.append(f"CAST(coalesce({quoted(name)}, '') AS BLOB)" if name else "x''")
        total = 0
        try:
            for batch in self._stream(info, ", ".join(parts)):
                total += batch.num_rows
                self._check_end(total)
                self.report.checkpoint(0, self._size, f"{info.name}: {total:,} rows")
                yield pa.record_batch(batch.columns[1:], names=[*ints, *texts])
        except _BULK_ERRORS as error:
            self._damage(table, error)
        self.report.add(f"table.{info.name}", total)

    def _check_end(self, rows: int) -> None:
        """A stored row takes more than a byte: a view that gives more rows than the file has bytes may never end."""
        if rows >= self._size:
            raise sqlite3.DataError(f"it is a view of more than {self._size:,} rows, more than the file can hold")

    def _stream(self, info: TableInfo, columns: str, where: str = "1") -> Iterator[pa.RecordBatch]:
        """Batches of a table whose first column is the rowid (if it has one); on damage what can be read around it.

        Raises one of _BULK_ERRORS behind all of that when the table is damaged.
        """
        sql = f"SELECT {columns} FROM {info.quoted} WHERE {where}"
        done, last = 0, NULL
        try:
            for batch in ahead(self._steps(sql)) if self._threads > 1 else self._steps(sql):
                done, last = done + batch.num_rows, batch.column(0)[-1].as_py()
                yield batch
            return
        except _BULK_ERRORS as error:
            damage = error
        # A batch that meets damage is lost as a whole, so: small ones up to it, then from the end back to it.
        with suppress(*_BULK_ERRORS):
            for batch in self._steps(f"{sql} LIMIT -1 OFFSET {done}", _SMALL_BATCH):
                last = batch.column(0)[-1].as_py()
                yield batch
        if info.has_rowid:
            with suppress(*_BULK_ERRORS):
                yield from self._steps(f"{sql} AND _rowid_ > {last} ORDER BY _rowid_ DESC", _SMALL_BATCH)
        raise damage

    def _steps(self, sql: str, batch_rows: int = BATCH_ROWS) -> Generator[pa.RecordBatch, None, None]:
        with self._bulk.cursor() as cursor:
            cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(batch_rows)})
            cursor.execute(sql)
            for batch in cursor.fetch_record_batch():
                if batch.num_rows:
                    yield batch

    def _not_numbers(self, info: TableInfo, times: tuple[str, ...]) -> Ints:
        """Rowids (or running numbers) of rows with a time that is text without a leading number."""
        tests = []
        for column in times:
            if column.lower() in info.columns:
                name = quoted(info.columns[column.lower()])
                tests.append(
                    f"(typeof({name}) IN ('text', 'blob') AND ltrim(CAST({name} AS TEXT), ' +-') NOT GLOB '[0-9]*')"
                )
        at = "_rowid_" if info.has_rowid else "row_number() OVER () - 1"
        sql = f"SELECT at FROM (SELECT {at} AS at, {' OR '.join(tests)} AS bad FROM {info.quoted}) WHERE bad"
        return np.array([row[0] for row in self.small.execute(sql)], dtype=np.int64)

    def _damage(self, table: str, error: Exception) -> None:
        self.damaged.append(table)
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        self.report.issue(
            "profiler_db.damaged_table", "error", f"{self.file.path.name}, table {table}",
            f"Table {table} is damaged ({why}); rows that can be read and the other tables are kept.",
            fix="Copy the file again from where it was recorded, or export the data again.",
        )  # fmt: skip


def _int(info: TableInfo, column: str, *, time: bool = False) -> str:
    """An expression that is always an integer: ADBC infers types from the rows and must not meet NULL or text.

    Text without digits is NULL, in time columns 0 (these are looked at again: `_not_numbers`). Every number sorts
    before every text, so the first test is the cheapest that tells them apart.
    """
    name = info.columns.get(column.lower())
    if not name:
        return str(NULL)
    value = quoted(name)
    if time:
        return f"coalesce(CAST({value} AS INTEGER), {NULL})"
    return (
        f"CASE WHEN {value} < '' THEN CAST({value} AS INTEGER) WHEN {value} IS NULL THEN {NULL} "
        f"WHEN ltrim(CAST({value} AS TEXT), ' +-') GLOB '[0-9]*' THEN CAST({value} AS INTEGER) ELSE {NULL} END"
    )


def _real(info: TableInfo, column: str) -> str:
    name = info.columns.get(column.lower())
    if not name:
        return _NO_REAL
    value = quoted(name)
    return (
        f"CASE WHEN typeof({value}) IN ('integer', 'real') THEN CAST({value} AS REAL) "
        f"WHEN typeof({value}) = 'text' AND ltrim({value}, ' +-.') GLOB '[0-9]*' THEN CAST({value} AS REAL) "
        f"ELSE {_NO_REAL} END"
    )


def ahead(batches: Generator[pa.RecordBatch, None, None]) -> Iterator[pa.RecordBatch]:
    """The same batches, the next ones being read in a second thread while the caller works on one."""
    waiting: queue.Queue[pa.RecordBatch | BaseException | None] = queue.Queue(maxsize=2)
    stop = threading.Event()

    def put(item: pa.RecordBatch | BaseException | None) -> None:
        while not stop.is_set():
            with suppress(queue.Full):
                waiting.put(item, timeout=0.1)
                return

    def work() -> None:
        try:
            for batch in batches:
                put(batch)
                if stop.is_set():
                    break
            put(None)
        except BaseException as error:
            put(error)

    thread = threading.Thread(target=work, name="profiler_db-ahead", daemon=True)
    thread.start()
    try:
        while (item := waiting.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()
        batches.close()


def open_database(file: SqliteFile, report: Report, threads: int = 1) -> Database:
    """Open for reading, with a second thread that reads ahead when `threads` allows; BadFile when it has no tables."""
    database = Database(file, report, threads)
    if not database.tables:
        database.close()
        raise BadFile(f"{file.path.name} is an SQLite database without tables.", fix="Export the data again.")
    return database
