"""Named queries of the recorded service tables: what there is, and pages of their rows as they were written."""

from __future__ import annotations

import pyarrow as pa

from insight_desktop.engine.service import pages, recorded
from insight_desktop.engine.store import Store


def list(store: Store, *, card: str | None = None) -> pa.Table:
    """Tables in the order in which the run lists them: name, rows, columns, error (why it cannot be read, else empty),
    description_en, description_zh."""
    found = recorded.views(store, card, "data")
    kinds = [
        ("name", pa.string()), ("rows", pa.int64()), ("columns", pa.list_(pa.string())), ("error", pa.string()),
        ("description_en", pa.string()), ("description_zh", pa.string()),
    ]  # fmt: skip
    return pa.Table.from_pylist([{name: getattr(v, name) for name, _ in kinds} for v in found], pa.schema(kinds))


def rows(
    store: Store,
    *,
    table: str,
    card: str | None = None,
    where: str = "",
    sort: str = "",
    descending: bool = False,
    page: int = 1,
    size: int = 500,
) -> pa.Table:
    """Rows of a table as they were written.

    Args:
        where: `column=text` parts separated by `;`: rows whose cell contains the text, case aside; `>5`, `<5` and `2..5` compare
            numbers.
        sort: a column; numbers by value, texts as text. Empty keeps the order of the file.
        page: from 1.
        size: rows of a page, 1 to 500.

    Raises:
        BadArgument: page or size is out of range, or there is no such table or column.
        NoData: the table cannot be read.
    """
    _, found = recorded.view(store, card, table, "data")
    return pages.page(found, where, sort, descending, page, size)


def whole(store: Store, *, table: str, card: str | None = None) -> pa.Table:
    """All rows of a table as they were written.

    Raises:
        BadArgument: there is no such table.
        NoData: it cannot be read.
    """
    return recorded.view(store, card, table, "data")[1]


def link(store: Store, *, rid: str, card: str | None = None) -> pa.Table:
    """The recorded row of a request, under the names of the table (no units). Raises NoData when none is recorded."""
    return pages.row_of_request(recorded.table(store, card, "request_data", "request"), rid)
