"""SQL: one SELECT over the cards of the project; rows of the result lead to their slices."""

from __future__ import annotations

import json
import time
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMenu, QPlainTextEdit, QSplitter, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import debug_lane
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, number_text, parts, settings
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Jump
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import TimelineState

HISTORY = "sql_history"
MOST_ROWS = 1_000_000
_KEPT = 30
_FIRST = "SELECT card, id, name, dur_ns\nFROM slice\nORDER BY dur_ns DESC\nLIMIT 100"
_EXAMPLES = (
    _FIRST,
    "SELECT name, count(*) AS count, sum(dur_ns) AS sum_ns\nFROM slice\nGROUP BY name\nORDER BY sum_ns DESC\nLIMIT 100",
    "SELECT l.process, l.thread, l.lane, count(*) AS count\nFROM slice s JOIN lane l USING (card, track)\nGROUP BY ALL\n"
    "ORDER BY count DESC",
)
_STAMPS = ("ts_ns", "start_ns", "end_ns", "from_ns", "to_ns", "first_ns", "last_ns")
_IDS = ("id", "track", "row", "pid", "tid", "rank", "device", "from_id", "to_id", "link_id", "series_id")


def history() -> list[str]:
    """Queries that gave a result, newest first."""
    try:
        found = json.loads(settings.read(HISTORY, "[]"))
    except ValueError:
        return []
    return [str(text) for text in found] if isinstance(found, list) else []


def run(store: Store, *, text: str) -> tuple[pa.Table, float]:
    """The result of a query in columns that a table can show, and the seconds it took."""
    began = time.perf_counter()
    found = store.user_sql(text)
    return plain(found), time.perf_counter() - began


def schema_of(store: Store) -> pa.Table:
    """Tables and columns that SQL knows: table_name, column_name, data_type."""
    return store.sql(
        "SELECT table_name, column_name, data_type FROM information_schema.columns "
        "WHERE table_name NOT LIKE '%\\_columns' ESCAPE '\\' ORDER BY table_name, ordinal_position"
    )


def plain(table: pa.Table) -> pa.Table:
    """Columns with names of their own and without nested types; whole decimals become integers where they fit."""
    names: list[str] = []
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        again = sum(known == name or known.startswith(f"{name} (") for known in names)
        names.append(f"{name} ({again + 1})" if again else name)
        columns.append(_plain_column(column))
    return pa.table(columns, names=names)


def columns_of(table: pa.Table) -> list[ColumnSpec]:
    """How the columns of a result read: ids are not grouped, stamps are in ns, other times in ms."""
    found = []
    for name, kind in zip(table.column_names, table.schema.types, strict=True):
        number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        if not number:
            is_card = name in ("card", "category", "kind", "role")
            found.append(ColumnSpec(name, name, kind="link" if name == "name" else "text", width=90 if is_card else 0))
        elif name in _IDS:
            found.append(ColumnSpec(name, name, kind="id"))
        elif name in _STAMPS:
            found.append(ColumnSpec(name, name.removesuffix("_ns"), kind="stamp"))
        elif name.endswith("_ns"):
            found.append(ColumnSpec(name, name.removesuffix("_ns"), kind="duration"))
        else:
            found.append(ColumnSpec(name, name, kind="number"))
    return found


class SqlPanel(QWidget):
    """Editor, history, tables, result."""

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.result: pa.Table | None = None
        self._asked = ""  # the query of the result
        self.tables: dict[str, list[tuple[str, str]]] = {}
        self._asker = Asker(state.context, self)
        self.editor = QPlainTextEdit(_FIRST)
        self.editor.setFont(fonts.mono())
        self.editor.setTabChangesFocus(True)
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setTabStopDistance(4 * QFontMetricsF(fonts.mono()).horizontalAdvance(" "))
        self.editor.installEventFilter(self)
        self.run_button = parts.button("", "play", default=False, click=self.run)
        self.past_button = parts.button(
            "", "clock-counter-clockwise", click=lambda: self._pop(self.past_menu(), self.past_button)
        )
        self.help_button = parts.button("", "table", click=lambda: self._pop(self.tables_menu(), self.help_button))
        self.lane_button = parts.button("", "rows", click=self.as_lane)
        self.note = QLabel()
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        self.note.setProperty("level", "2")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = ArrowTable()
        self.table.setProperty("edge", "none")
        self.table.row_activated.connect(self._jump)
        left = QWidget()
        column = parts.rows(left, margins=(8, 4, 8, 6), gap=4)
        row = parts.columns(gap=6)
        for button in (self.run_button, self.past_button, self.help_button, self.lane_button):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.editor, 1)
        column.addWidget(self.note)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(1)
        split.addWidget(left)
        split.addWidget(self.table)
        split.setSizes([460, 900])
        parts.rows(self).addWidget(split)
        self.lane_button.setEnabled(False)
        self._translate()

    def run(self) -> None:
        """Ask what stands in the editor; a selected part of it alone."""
        cursor = self.editor.textCursor()
        text = cursor.selectedText().replace("\u2029", "\n") if cursor.hasSelection() else self.editor.toPlainText()
        self._tell(tr("Running…"))
        self._asker.ask(run, text=text.strip(), then=lambda found: self._show(text.strip(), *found), failed=self._fail)

    def set_text(self, text: str) -> None:
        """Put a query into the editor."""
        self.editor.setPlainText(text)
        self.editor.setFocus()

    def as_lane(self) -> None:
        """Draw the rows of the result as a lane of the timeline."""
        if self.result is None:
            return
        try:
            unit = self.state.sql_lanes.add(self.result, text=self._asked)
        except InsightError as error:
            self._fail(error)
            return
        if unit is not None:
            self._tell(tr("Drawn as the lane {0}.").format(unit.title))

    def copy(self) -> None:
        """Put the result on the clipboard as shown."""
        self.table.copy(selected_only=False)

    def past_menu(self) -> QMenu:
        """Queries that were run, then examples."""
        menu = QMenu(self)
        for title, texts in ((tr("Used before"), history()), (tr("Examples"), _EXAMPLES)):
            if texts:
                menu.addSection(title)
            for text in texts:
                line = " ".join(text.split())
                action = menu.addAction((line if len(line) < 90 else f"{line[:89]}…").replace("&", "&&"))
                action.triggered.connect(lambda _=False, text=text: self.set_text(text))
        return menu

    def tables_menu(self) -> QMenu:
        """Tables and their columns; choosing one writes its name at the cursor."""
        menu = QMenu(self)
        for table, columns in self.tables.items():
            part = menu.addMenu(table)
            for text, shown in ((table, tr("{table} (the table)").format(table=table)), *columns):
                name, label = (text, shown) if text == table else (text, f"{text}   {shown}")
                part.addAction(label).triggered.connect(lambda _=False, n=name: self.editor.insertPlainText(n))
        return menu

    def view_state(self) -> dict[str, Any]:
        """The query, for the session file."""
        return {"text": self.editor.toPlainText()}

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave."""
        self.editor.setPlainText(str(state.get("text", _FIRST)))

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self.editor and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.run()
                return True
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._asker.ask(schema_of, then=self._take_tables, failed=lambda _error: None)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    def _take_tables(self, found: pa.Table) -> None:
        self.tables = {}
        for table, column, kind in zip(*(c.to_pylist() for c in found.columns), strict=True):
            self.tables.setdefault(table, []).append((column, kind))

    def _show(self, text: str, found: pa.Table, seconds: float) -> None:
        settings.write(HISTORY, json.dumps([text, *(t for t in history() if t != text)][:_KEPT]))
        self.result, self._asked = found.slice(0, MOST_ROWS), text
        self.table.set_columns(columns_of(found), self.result)
        self.lane_button.setEnabled(found.num_rows > 0)
        rows = tr("{n} rows in {time}").format(
            n=number_text.count(found.num_rows), time=number_text.duration(round(seconds * 1e9))
        )
        if found.num_rows > MOST_ROWS:
            rows += " · " + tr("the first {n} are shown").format(n=number_text.count(MOST_ROWS))
        if debug_lane.can_jump(found):
            rows += " · " + tr("double-click a row to go there")
        self._tell(rows)

    def _fail(self, error: InsightError) -> None:
        self._tell(f"{error.message}\n{error.fix}".strip(), "error")

    def _tell(self, text: str, state: str = "") -> None:
        self.note.setText(text)
        parts.set_state(self.note, state=state)

    def _jump(self, row: int) -> None:
        if self.result is None or not debug_lane.can_jump(self.result):
            return
        to = debug_lane.jump(self.state.context.store, self.result, row)
        if to is None:
            self._tell(tr("The row leads to no slice that is open."), "warning")
            return
        self.state.context.jump.emit(
            Jump(to.card, slice_id=to.slice_id, start_ns=to.from_ns, end_ns=to.to_ns, track=to.track)
        )

    def _pop(self, menu: QMenu, button: QWidget) -> None:
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _translate(self) -> None:
        for button, text, tip, key in (
            (self.run_button, tr("Run"), tr("Run the query, or the selected part of it"), "Ctrl+Return"),
            (self.past_button, tr("History"), tr("Queries used before, and examples"), ""),
            (
                self.lane_button,
                tr("As lane"),
                tr("Draw the rows as a lane of the timeline; they need ts_ns and dur_ns"),
                "",
            ),
            (self.help_button, tr("Tables"), tr("Tables and columns; one is written at the cursor"), ""),
        ):
            button.setText(text)
            parts.set_tip(button, tip, key)
            button.setAccessibleName(text)
        self.editor.setAccessibleName(tr("SQL query"))
        self.table.setAccessibleName(tr("Result of the query"))
        self.table.set_empty_text(tr("Run a query: its rows are shown here. The data cannot be changed."))


def _plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return pc.cast(column, kind.value_type)
    if pa.types.is_decimal(kind):
        try:
            return pc.cast(column, pa.int64() if kind.scale == 0 else pa.float64())
        except pa.ArrowInvalid:
            return pc.cast(column, pa.float64())
    simple = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_string(kind)
    if simple or pa.types.is_large_string(kind):
        return column
    return pa.chunked_array([pa.array([None if v is None else str(v) for v in column.to_pylist()], pa.string())])
