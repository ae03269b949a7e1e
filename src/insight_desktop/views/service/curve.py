"""The Curve page: what a serving run recorded as curves, what its events give, and what its slices give."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from insight_desktop.engine.service import curve_rows
from insight_desktop.errors import InsightError
from insight_desktop.views.common import fonts, number_text, parts
from insight_desktop.views.common.ask import Background
from insight_desktop.views.common.chart import Axis, Chart
from insight_desktop.views.common.context import Context, CurvePlace, Jump
from insight_desktop.views.common.empty_page import EmptyPage, FileLine
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.service import curve_load, curve_series, curve_state
from insight_desktop.views.service.curve_bar import CurveBar
from insight_desktop.views.service.curve_details import CurveDetails
from insight_desktop.views.service.curve_history import ZoomHistory
from insight_desktop.views.service.curve_series import Curve, Mode

REPLACED = {
    "Request_Status_curve": "Queues"
}  # a recorded curve that often cannot be read, and what the events give for it
LEAST_CHART = 170


class CurvePage(Page):
    """One curve of a run, alone or against the same one of another run."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.work = Background(self)
        self.listed: curve_load.Listed | None = None
        self.loaded: curve_load.Loaded | None = None
        self.generated: dict[str, list[str]] = {}  # by run
        self.wanted_mode: Mode = "recorded"
        self.wanted_curve = ""
        self.right: dict[str, list[str]] = {}  # by curve: lines that the user put at the right
        self._failure: InsightError | None = None
        self.pending: dict[str, Any] | None = None
        self.chart_state: dict[str, Any] | None = None
        self._stretch: tuple[int, int] | None = None  # what the Timeline shows
        self._following = False
        self._shows_base = False
        self._rows = slice(0, 0)
        self._pair: tuple[str, str] | None = None
        self._status: list[str] = []
        self._build()
        self._connect()
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.bar = CurveBar()
        self.description = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.note = parts.label()
        self.note.setProperty("chip", "warn")
        self.instead = parts.button("", "arrow-right", flat=True, click=self._show_instead)
        line = QWidget()
        parts.keep_height(line, 26)
        words = parts.columns(line, gap=8)
        words.addWidget(self.description, 1)
        words.addWidget(self.note)
        words.addWidget(self.instead)
        self.chart = Chart(x=Axis(), y=Axis(), brush=True, overview=True, collapsible=True)
        self.chart.plot.setMinimumHeight(fonts.scaled(LEAST_CHART))
        self.undo_button = self.chart.add_button("arrow-u-up-left", lambda: self.history.undo())
        self.chart.buttons.removeWidget(self.undo_button)
        self.chart.buttons.insertWidget(self.chart.buttons.indexOf(self.chart.restore_button), self.undo_button)
        self.history = ZoomHistory(self.chart, self)
        self.details = CurveDetails()
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("panels")
        self.splitter.setHandleWidth(10)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.chart)
        self.splitter.addWidget(self.details)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        inside = QWidget()
        inside.setObjectName("frame")
        column = parts.rows(inside, margins=(12, 6, 12, 12), gap=6)
        column.addWidget(line)
        column.addWidget(self.splitter, 1)
        self._rest = QWidget()  # takes the room when both panels are collapsed
        column.addWidget(self._rest)
        self._rest.hide()
        self.empty = EmptyPage("chart-line")
        self.content = parts.scrolling(inside)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        whole = parts.rows(self)
        whole.addWidget(self.bar)
        whole.addWidget(self.stack, 1)

    def _connect(self) -> None:
        context, bar, chart, details = self.context, self.bar, self.chart, self.details
        context.store_changed.connect(self.refresh)
        context.card_selected.connect(self._card_clicked)
        context.compare_changed.connect(self._compared)
        context.curve_wanted.connect(self.jump)
        context.stretch_shown.connect(self._timeline_moved)
        bar.card_changed.connect(self._card_chosen)
        bar.curve_changed.connect(self.show_curve)
        bar.base_changed.connect(lambda _name: self._load())
        bar.mode_changed.connect(self._mode_chosen)
        bar.options_changed.connect(self._options_changed)
        bar.remove_wanted.connect(self.remove)
        bar.right_changed.connect(self._put_right)
        bar.export_button.clicked.connect(chart.export_dialog)
        chart.view_changed.connect(lambda _view: self._moved())
        chart.range_changed.connect(self._range_moved)
        chart.cursor_moved.connect(self._tell_cursor)
        self.history.changed.connect(lambda: self.undo_button.setEnabled(self.history.can_undo))
        chart.point_clicked.connect(self._point_clicked)
        chart.hidden_changed.connect(lambda _keys: self.context.view_changed.emit())
        details.timeline_wanted.connect(self.find_in_timeline)
        details.current_changed.connect(self._mark)
        details.hovered.connect(self._mark)
        details.run_chosen.connect(self._run_chosen)
        details.range_dropped.connect(chart.restore)
        for panel in (chart, details):
            panel.collapsed_changed.connect(lambda _on: self._fill_rest())
        for failed in (chart.failed, details.rows.failed):
            failed.connect(lambda error: context.message.emit("error", error.message, error.fix))
        for written in (chart.exported, details.rows.exported):
            written.connect(lambda path: context.message.emit("success", tr("Written: {0}").format(path), ""))

    def retranslate(self) -> None:
        """All texts in the current language."""
        self.bar.retranslate()
        self.details.retranslate()
        self.chart.set_title(tr("Curve Data"), self.chart.subtitle.full_text())
        parts.set_tip(self.undo_button, tr("Undo zoom"))
        self.undo_button.setEnabled(self.history.can_undo)
        self._describe()
        if self.bar.card is None:
            self._show_nothing()
        elif self._failure is not None:
            self._show_failure(self._failure)
        elif self.loaded is not None:
            self._draw(keep_view=True)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "details"):
            self.retranslate()
        super().changeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.context.status.emit(self._status)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.chart.chosen is not None:
            self.chart.restore()
        else:
            super().keyPressEvent(event)

    # ---- runs --------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """The runs or the selection changed."""
        cards = self.context.store.cards_of("service")
        state = self.pending or {}
        self.bar.set_cards(cards, str(state.get("card") or self.context.card or ""))
        if cards and self.pending is not None:
            curve_state.take(self, self.pending)
            self.pending = None
        self._take_compared()
        if not cards:
            self._show_nothing()
            return
        self._list()

    def _take_compared(self) -> bool:
        base, card = self.context.baseline, self.context.comparison
        names = {c.name for c in self.context.store.cards_of("service")}
        pair = (base, card) if base in names and card in names and base is not None and card is not None else None
        if pair == self._pair:
            return False
        self._pair = pair
        if pair is not None:
            self.bar.choose(pair[1])
        self.bar.set_base(pair[0] if pair is not None else None)
        return True

    def _compared(self) -> None:
        if self._take_compared() and self.bar.card is not None:
            self._list()

    def _card_clicked(self, name: str) -> None:
        if self.bar.choose(name):
            self._list()

    def _card_chosen(self, name: str) -> None:
        if name and name != self.context.card:
            self.context.select_card(name)
        self.bar.set_cards(self.context.store.cards_of("service"), name)
        self._list()

    def _list(self) -> None:
        """Ask for the curves of the run; the one of the same name stays."""
        card, store = self.bar.card, self.context.store
        if card is not None:
            self.work.run("list", lambda: curve_load.listed(store, card), then=self._take_list, failed=self._no_list)

    def _no_list(self, error: InsightError) -> None:
        self.listed = None
        self.stack.setCurrentWidget(self.empty)
        self.empty.show_content(say(error.message), say(error.fix))

    def _take_list(self, found: curve_load.Listed) -> None:
        self.listed = found
        self.stack.setCurrentWidget(self.content)
        made = self.generated.get(found.card, [])
        entries = [*found.entries, *curve_load.generated_entries(made)]
        names = [entry.name for entry in entries]
        wanted = self.wanted_curve if self.wanted_curve in names else ""
        self.wanted_curve = wanted or found.first
        self.bar.set_curves(entries, self.wanted_curve)
        self._load(keep_view=bool(wanted) and self.chart_state is None)

    def _show_nothing(self) -> None:
        self.loaded, self.listed = None, None
        self._tell([])
        self.bar.set_curves((), "")
        self.stack.setCurrentWidget(self.empty)
        names = (
            ("profiler.db", tr("recorded curves and tables, events")),
            ("ms_service_parsed.db", tr("recorded curves and tables, events")),
            ("chrome_tracing.json", tr("events: curves derived from them")),
            ("request.csv, batch.csv, kvcache.csv, …", tr("tables: curves of them")),
        )
        self.empty.show_content(
            tr("No serving run is open"),
            tr("This page draws what a service recorded over time: batch sizes, queues, cache use, latencies and speeds."),
            files=[FileLine(name, gives, "missing", tr("missing")) for name, gives in names],
        )  # fmt: skip

    # ---- curves ------------------------------------------------------------------------------------------------------

    def show_curve(self, name: str) -> None:
        """Show a curve of the run; order and filters of the table begin anew."""
        if not name:
            return
        self.wanted_curve = name
        self.bar.choose_curve(name)
        self.details.rows.set_filters({})
        self.details.rows.sort_by(None)
        self._load()

    def jump(self, to: CurvePlace) -> None:
        """Show a curve of a run; one of slices is generated first."""
        self.bar.set_cards(self.context.store.cards_of("service"), to.card)
        self.bar.choose(to.card)
        name = to.name
        if to.slice_id is not None:
            capture = self.context.store.capture(to.card)
            name = curve_rows.generated_name(capture, to.slice_id, to.kind)
            made = self.generated.setdefault(to.card, [])
            if name not in made:
                made.append(name)
        if name:
            self.wanted_curve = name
        self._list()

    def remove(self, name: str) -> None:
        """Take a generated curve out of the list."""
        mine = self.generated.get(self.bar.card or "", [])
        if name in mine:
            mine.remove(name)
            self.wanted_curve = ""
            self._list()

    def _load(self, *, keep_view: bool = False) -> None:
        card, name, base, listed = self.bar.card, self.bar.curve, self.bar.base, self.listed
        self._describe()
        self.context.view_changed.emit()
        if card is None or not name or listed is None:
            self._show_failure(InsightError(tr("This run has no curves."), fix=tr("Its events are in the Timeline.")))
            return
        self._failure = None
        store, section = self.context.store, listed.section(name)
        self.work.run(
            "load", lambda: curve_load.loaded(store, card, name, section, base),
            then=lambda found: self._take(found, keep_view=keep_view), failed=self._show_failure,
        )  # fmt: skip

    def _take(self, found: curve_load.Loaded, *, keep_view: bool) -> None:
        same = self.loaded is not None and self.loaded.curve.name == found.curve.name
        self.loaded, self._failure = found, None
        if found.missing is not None:
            self.context.message.emit("warning", say(found.missing.message), say(found.missing.fix))
        self._draw(keep_view=keep_view and same)
        state, self.chart_state = self.chart_state, None
        if state is not None:
            self.chart.restore_state(state)

    def _show_failure(self, error: InsightError) -> None:
        self.loaded, self._failure = None, error
        self._show_notes()
        self.chart.set_series(())
        self.chart.set_title(tr("Curve Data"), "")
        self.chart.set_empty(say(error.message), say(error.fix))
        self.details.hide()
        self._tell([])

    def _describe(self) -> None:
        found = self.listed.description(self.bar.curve) if self.listed is not None else ""
        if curve_rows.is_generated(self.bar.curve):
            found = tr("Made of the slices of one name on one lane of the Timeline; kept in the session.")
        self.description.set_text(tr("Curve Description: {0}").format(found))

    # ---- drawing -----------------------------------------------------------------------------------------------------

    @property
    def mode(self) -> Mode:
        """The axis of x in use."""
        if self.loaded is None:
            return self.wanted_mode
        wanted: Mode = self.wanted_mode
        if self.loaded.curve.section != "recorded" and wanted == "recorded":
            wanted = "time"
        mode = self.loaded.curve.mode(wanted)
        if mode == "time" and self.loaded.base is not None and not self.loaded.base.has_time:
            return "index"
        return mode

    def _zero(self, curve: Curve) -> int:
        """Raw time at place 0 of an axis of time: two runs begin together."""
        return curve.first_ns if self.loaded is not None and self.loaded.base is not None else curve.zero_ns

    def _mode_chosen(self, mode: Any) -> None:
        self.wanted_mode = mode
        self._draw()
        self.context.view_changed.emit()

    def _draw(self, *, keep_view: bool = False) -> None:
        found, mode = self.loaded, self.mode
        if found is None:
            return
        curve, base = found.curve, found.base
        zeros, log = self.bar.is_on("zeros"), self.bar.is_on("log")
        possible = [m for m in curve.modes if curve.mode(m) == m]
        self.bar.set_mode(mode, possible, tr("This curve has no times."))
        right = self._right_lines(curve)
        left = [line for line in curve.lines if line not in right]
        self.bar.set_lines([(line, curve.line_title(line)) for line in curve.lines], right)
        second = curve_series.y_axis(curve, right, log=log) if right else None
        self.chart.set_axes(curve_series.x_axis(curve, mode, base), curve_series.y_axis(curve, left, log=log), second)
        series = curve_series.series_of(
            curve, mode, zero_ns=self._zero(curve), missing_as_zero=zeros, log=log, right=right
        )
        if base is not None:
            series += curve_series.series_of(
                base, mode, zero_ns=self._zero(base), missing_as_zero=zeros, log=log, base=True, right=right
            )
        self.chart.set_series(series, keep_view=keep_view)
        if not keep_view:
            self.history.clear()
        subtitle = (
            curve.title if base is None else tr("{0} against baseline {1}").format(self._run(curve), self._run(base))
        )
        self.chart.set_title(tr("Curve Data"), subtitle)
        if not curve.table.num_rows or not curve.lines:
            self.chart.set_empty(tr("This curve has no rows."), tr("Choose another one in Group By."))
        self._show_notes()
        self.details.show()
        self.details.base_button.setVisible(base is not None)
        if base is None and self._shows_base:
            self.details.base_button.setChecked(False)
        self._show_rows()

    def _right_lines(self, curve: Curve) -> list[str]:
        """Lines of the second axis: those that the user chose, else those of a second unit."""
        chosen = self.right.get(curve.name)
        return curve_series.right_lines(curve) if chosen is None else [n for n in curve.lines if n in chosen]

    def _put_right(self, line: str, on: bool) -> None:
        if self.loaded is not None:
            curve = self.loaded.curve
            self.right[curve.name] = [n for n in self._right_lines(curve) if n != line] + [line] * on
            self._draw(keep_view=True)
            self.context.view_changed.emit()

    def _run(self, curve: Curve) -> str:
        card = self.context.store.card(curve.card)
        return card.alias or card.name

    def _show_notes(self) -> None:
        texts = []
        if self.loaded is not None:
            curve = self.loaded.curve
            if self.wanted_mode == "time" and self.mode == "index":
                twice = curve.has_doubles and curve.section == "recorded"
                texts.append(tr("Times repeat: shown by row") if twice else tr("No times: shown by row"))
            if curve.shift_hours and self.mode == "time":
                texts.append(tr("Recorded {0} h off the events: aligned").format(f"{curve.shift_hours:+g}"))
        self.note.setText("  ·  ".join(texts))
        self.note.setVisible(bool(texts))
        other = REPLACED.get(self.bar.curve, "")
        names = {entry.name for entry in self.bar.entries if entry.rows}
        self.instead.setVisible(self._failure is not None and other in names)
        self.instead.setText(tr("Show {0} from the events").format(curve_series.title_of(other)))

    def _show_instead(self) -> None:
        self.show_curve(REPLACED[self.bar.curve])

    # ---- table -------------------------------------------------------------------------------------------------------

    @property
    def listed_curve(self) -> Curve | None:
        """The curve whose rows are listed."""
        if self.loaded is None:
            return None
        return self.loaded.base if self._shows_base and self.loaded.base is not None else self.loaded.curve

    def _run_chosen(self, base: bool) -> None:
        self._shows_base = base
        self._show_rows()

    def _show_rows(self) -> None:
        """The rows inside the range, and the figures of what is visible."""
        curve, found = self.listed_curve, self.loaded
        if curve is None or found is None:
            return
        zeros, chosen = self.bar.is_on("zeros"), self.chart.chosen
        places = curve.places(self.mode, self._zero(curve))
        self._rows = curve.rows_between(places, *chosen) if chosen else slice(0, curve.table.num_rows)
        table, specs = curve_series.details_of(curve, zero_ns=self._zero(curve), missing_as_zero=zeros)
        self.details.rows.set_empty_text(tr("This curve has no rows."))
        leads = curve.section == "generated" or curve.table[curve_series.X_NS].null_count < curve.table.num_rows
        self.details.show_rows(table.slice(self._rows.start, self._rows.stop - self._rows.start), specs, leads=leads)
        self.details.show_range(self._range_words(curve) if chosen else "")
        self._show_figures()

    def _range_words(self, curve: Curve) -> str:
        rows = self._rows
        if rows.stop <= rows.start:
            return tr("No row in the chosen range")
        if self.mode == "time" or curve.section != "recorded":
            axis = self.chart.plot.x_axis
            places = curve.places(self.mode, self._zero(curve))
            ends = [axis.exact_text(float(places[i])) for i in (rows.start, rows.stop - 1)]
        else:
            ends = [curve.x_texts[i] for i in (rows.start, rows.stop - 1)]
        return f"{ends[0]} – {ends[1]}"

    def _show_figures(self) -> None:
        found = self.loaded
        if found is None:
            return
        tables, zeros = [], self.bar.is_on("zeros")
        low, high = self.chart.chosen or self.chart.view or self.chart.plot.whole
        for curve in filter(None, (found.curve, found.base)):
            places = curve.places(self.mode, self._zero(curve))
            part = curve_series.figures(curve, curve.rows_between(places, low, high), missing_as_zero=zeros)
            titles = [curve.line_title(line) for line in part["line"].to_pylist()]
            part = part.set_column(0, "line", pa.array(titles, pa.string()))
            tables.append(part.append_column("run", pa.array([self._run(curve)] * part.num_rows, pa.string())))
        table = pa.concat_tables(tables)
        if found.base is not None:  # the two runs of a line stand below each other
            count = tables[0].num_rows
            order = [i for line in range(count) for i in (line, line + count) if i < table.num_rows]
            table = table.take(order)
        self.details.figures.show_figures(table, compares=found.base is not None)
        self._tell_status(found.curve)

    def _tell_status(self, curve: Curve) -> None:
        rows = number_text.count(curve.table.num_rows)
        self._tell(
            [curve.title, self._run(curve), tr("{0} rows").format(rows), tr("Percentiles: linear interpolation")]
        )

    def _tell(self, texts: list[str]) -> None:
        self._status = texts
        if self.isVisible():
            self.context.status.emit(texts)

    def _mark(self, row: int) -> None:
        """Rings around the points of a row."""
        curve = self.listed_curve
        places = curve.places(self.mode, self._zero(curve)) if curve is not None and row >= 0 else None
        at = self._rows.start + row
        found = [float(places[at])] if places is not None and at < len(places) else []
        base = "base:" if self._shows_base else ""
        line = next((n for n in curve.lines if f"{base}{n}" not in self.chart.hidden), "") if curve is not None else ""
        self.chart.emphasise(f"{base}{line}", found)

    def _point_clicked(self, key: str, index: int) -> None:
        """A point was clicked: its row becomes current."""
        curve = self.listed_curve
        series = next((s for s in self.chart.series if s.key == key), None)
        if curve is None or series is None or not 0 <= index < len(series.x):
            return
        rows = curve.rows_between(
            curve.places(self.mode, self._zero(curve)), float(series.x[index]), float(series.x[index])
        )
        if self._rows.start <= rows.start < self._rows.stop:
            self.details.rows.select_row(rows.start - self._rows.start)

    def find_in_timeline(self, row: int) -> None:
        """Go to the slice of a row of the table."""
        curve, store = self.listed_curve, self.context.store
        if curve is None:
            return
        at, card, name = self._rows.start + row, curve.card, curve.name

        def go(found: dict[str, Any]) -> None:
            self.context.jump.emit(
                Jump(card, slice_id=found["slice"], start_ns=found["start_ns"], end_ns=found["end_ns"])
            )

        def failed(error: InsightError) -> None:
            self.context.message.emit("warning", say(error.message), say(error.fix))

        self.work.run("place", lambda: curve_load.place(store, card, name, at), then=go, failed=failed)

    # ---- zoom --------------------------------------------------------------------------------------------------------

    def _range_moved(self, _range: object) -> None:
        self._moved()
        self._show_rows()

    def _moved(self) -> None:
        """Another stretch is visible or chosen."""
        self._show_figures()
        self._follow()
        self.context.view_changed.emit()

    @property
    def _in_step(self) -> bool:
        """Whether this page and the Timeline show the same stretch of time."""
        alone = self.loaded is not None and self.loaded.base is None
        return alone and self.mode == "time" and self.bar.is_on("sync")

    def _options_changed(self) -> None:
        self._draw(keep_view=True)
        if self._in_step and self._stretch is not None:
            self._timeline_moved(*self._stretch)

    def _timeline_moved(self, start: int, end: int) -> None:
        """The Timeline shows another stretch: so does the chart, as far as the curve goes."""
        self._stretch = (start, end)
        if not self._in_step or self._following:
            return
        low, high = self.chart.plot.whole
        if start < high and end > low:
            self._following = True
            self.chart.zoom_to(max(low, start), min(high, end))
            self._following = False

    def _follow(self) -> None:
        """The Timeline shows the same stretch of time."""
        if not self._in_step or self._following or self.loaded is None:
            return
        curve = self.loaded.curve
        low, high = self.chart.view or self.chart.plot.whole
        self._following = True
        self.context.stretch_wanted.emit(curve.card, curve.zero_ns + round(low), curve.zero_ns + round(high))
        self._following = False

    def _tell_cursor(self, place: float | None) -> None:
        self.context.cursor.emit("" if place is None or self.mode != "time" else number_text.ruler(round(place)))

    def _fill_rest(self) -> None:
        self._rest.setVisible(self.chart.is_collapsed and self.details.is_collapsed)
        self.context.view_changed.emit()

    # ---- session -----------------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        return self.pending if self.pending is not None else curve_state.as_dict(self)

    def restore_state(self, state: dict[str, Any]) -> None:
        if isinstance(state, dict) and state:
            self.pending = dict(state)
            self.refresh()


TAB = Tab("service.curve", QT_TRANSLATE_NOOP("insight", "Curve"), CurvePage)
