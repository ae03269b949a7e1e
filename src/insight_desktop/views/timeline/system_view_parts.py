"""What the tables of the System View are made of: what is asked, what an item is, what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from insight_desktop.engine.store import Store
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.totals_row import Rule

View = Literal["stats", "expert", "events"]
GO = "go"  # the column with the word that leads to the Timeline
MOST_ROWS = 1_000_000  # longer tables show their longest rows

START = ColumnSpec("start_ns", "Start Time", kind="time")
GO_COLUMN = ColumnSpec(GO, "Click to Timeline", kind="link", width=124)


@dataclass(frozen=True)
class TimeFilter:
    """A stretch of axis time in ns that the tables are limited to."""

    start_ns: int
    end_ns: int


@dataclass(frozen=True)
class Question:
    """What a table is asked about: a card, a range of raw times, whole slices or their parts inside, lanes."""

    card: str
    from_ns: int | None = None
    to_ns: int | None = None
    whole: bool = False
    tracks: tuple[int, ...] = ()

    def range(self) -> dict[str, Any]:
        """The arguments that most queries share."""
        return {"card": self.card, "from_ns": self.from_ns, "to_ns": self.to_ns, "whole": self.whole}


@dataclass(frozen=True)
class Answer:
    """Rows of an item.

    Attributes:
        table: the rows; `start_ns` is on the axis, `ts_ns` as recorded.
        note: what the head says behind the number of rows.
        checked: how many things were looked at; 0: the data for it are missing, None: not told.
        what: what was looked at, an English word for the sentence with the number.
    """

    table: pa.Table
    note: str = ""
    checked: int | None = None
    what: str = ""


@dataclass(frozen=True)
class Details:
    """The table at the right of a row: title, columns, how its rows are found."""

    title: str
    columns: tuple[ColumnSpec, ...]
    load: Callable[[Store, Question, dict[str, Any]], pa.Table]
    applies: Callable[[dict[str, Any]], bool] = lambda _row: True


@dataclass(frozen=True)
class Missing:
    """What an item without data says: what is missing, which switch of the collector gives it."""

    title: str
    text: str
    code: str = ""


@dataclass(frozen=True)
class Item:
    """One entry of the list. Texts are English and marked for the catalogue.

    Attributes:
        id: stable name.
        title: label of the list.
        help: what the table answers, one sentence.
        view: the list it stands in.
        columns: those of them are shown that the answer has.
        load: asks the engine.
        sort: column of the first order, largest first; empty for that of the answer.
        totals: what the totals row tells.
        tree: names of the key and parent columns of a tree.
        open_levels: so many levels of a tree start open.
        details: the table of a row.
        rule: what is looked for, with thresholds; shown above the table.
        missing: what is said without data.
        ink: (column, value) → token of a colour.
        ftrace: for cards of scheduling traces only.
    """

    id: str
    title: str
    help: str
    view: View
    columns: tuple[ColumnSpec, ...]
    load: Callable[[Store, Question], Answer]
    missing: Missing
    sort: str = ""
    totals: Mapping[str, Rule] = field(default_factory=dict)
    tree: tuple[str, str] | None = None
    open_levels: int = 1
    details: Details | None = None
    rule: Callable[[], str] | None = None
    ink: Callable[[str, Any], str | None] | None = None
    ftrace: bool = False


def axis_column(store: Store, card: str, table: pa.Table) -> pa.Array:
    """Axis times of the recorded times of rows (ts_ns), with the offset of their lane (track) where it is known."""
    stamps = table.column("ts_ns").combine_chunks()
    tracks = pc.fill_null(table.column("track"), -1) if "track" in table.column_names else np.full(len(stamps), -1)
    known = np.asarray(pc.fill_null(stamps, 0))
    return pa.array(store.axis_ns(card, known, tracks), mask=np.asarray(pc.is_null(stamps)))


def timed(store: Store, card: str, table: pa.Table, *, id_column: str = "id") -> pa.Table:
    """The table with `start_ns` on the axis and, where the id of a slice is known, the word that leads there."""
    table = table.append_column("start_ns", axis_column(store, card, table))
    known = pc.is_valid(table.column(id_column))
    return table.append_column(GO, pc.if_else(known, pa.scalar(tr("Click")), pa.scalar("")))


def jump_of(card: str, row: Mapping[str, Any], *, id_column: str = "id") -> Jump | None:
    """Where a row leads; None when it is no slice of the Timeline."""
    if row.get(id_column) is None:
        return None
    start = row["ts_ns"]
    length = row.get("whole_ns")
    end = start + (row.get("dur_ns") or 0 if length is None else length)
    return Jump(card, slice_id=row[id_column], start_ns=start, end_ns=end, track=row.get("track"))


LEVEL1 = """experimental_config = torch_npu.profiler._ExperimentalConfig(
    profiler_level=torch_npu.profiler.ProfilerLevel.Level1,
    aic_metrics=torch_npu.profiler.AiCMetrics.PipeUtilization,
)"""
LEVEL2 = """experimental_config = torch_npu.profiler._ExperimentalConfig(
    profiler_level=torch_npu.profiler.ProfilerLevel.Level2,
)"""
ACTIVITIES = """activities=[
    torch_npu.profiler.ProfilerActivity.CPU,
    torch_npu.profiler.ProfilerActivity.NPU,
]"""

NO_HOST = Missing(
    QT_TRANSLATE_NOOP("insight", "This card has no slices of this layer"),
    QT_TRANSLATE_NOOP("insight", "Host calls are recorded when the activities of the profiler include CPU."),
    ACTIVITIES,
)
NO_DEVICE = Missing(
    QT_TRANSLATE_NOOP("insight", "This card has no tasks of the device"),
    QT_TRANSLATE_NOOP("insight", "Device tasks are recorded when the activities of the profiler include NPU."),
    ACTIVITIES,
)
NO_KERNELS = Missing(
    QT_TRANSLATE_NOOP("insight", "This card has no list of kernels"),
    QT_TRANSLATE_NOOP("insight", "kernel_details.csv or the table COMPUTE_TASK_INFO is needed; the profiler writes them with profiler_level Level1 or Level2."),
    LEVEL1,
)  # fmt: skip
