"""The panel of the operators per rank: painted timelines, alignment, the selected operator and its way to the Timeline."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QMenu, QScrollBar, QWidget

from insight_desktop.engine.system import communication_jumps as jumps
from insight_desktop.errors import InsightError
from insight_desktop.views.common import icons, number_text, parts, theme
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.chart_box import ChartBox
from insight_desktop.views.common.chart_legend import Entry, Legend
from insight_desktop.views.common.context import Context
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.system import communication_bars
from insight_desktop.views.system.communication_bars import OperatorBars, ms_text, no_bars
from insight_desktop.views.system.communication_choice import Choice
from insight_desktop.views.system.communication_lanes import COLOURS, LanesArea

_STEPS = 1000  # of a scroll bar per window


class ThumbnailPanel(ChartBox):
    """Timelines of the operators of a group.

    Signals:
        timeline_wanted: rank, operator, recorded start, side (1: baseline) that the Timeline shall show.
        bar_chosen: rank and operator that were clicked.
        shown: other bars are there.
    """

    timeline_wanted = Signal(int, str, object, int)
    bar_chosen = Signal(int, str)
    shown = Signal()

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.context = context
        self._asker = Asker(context, self)
        self.area = LanesArea()
        self.whole: OperatorBars = no_bars()  # hidden operators included
        self.choice: Choice | None = None
        self.align: str | None = None
        self._wanted: tuple[int, str] | None = None  # to be brought into view when its bars are there
        self.legend = Legend()
        self.across, self.down = QScrollBar(Qt.Orientation.Horizontal), QScrollBar(Qt.Orientation.Vertical)
        self.head_row.insertWidget(self.head_row.indexOf(self.note), self.legend)
        self.align_button = self.add_button("align-right", self.align_to_selected)
        self.default_button = self.add_button("arrow-u-up-left", self.restore_default)
        self.fit_button = self.add_button("corners-out", self.area.restore)
        grid = QGridLayout(self.content)
        grid.setContentsMargins(2, 2, 2, 2)
        grid.setSpacing(0)
        grid.addWidget(self.area, 0, 0)
        grid.addWidget(self.down, 0, 1)
        grid.addWidget(self.across, 1, 0)
        grid.addWidget(self._foot(), 2, 0, 1, 2)
        self.area.bar_clicked.connect(self._clicked)
        self.area.bar_activated.connect(lambda _bar: self.to_timeline())
        self.area.menu_wanted.connect(self._menu)
        self.area.window_changed.connect(self._show_scroll_bars)
        self.across.valueChanged.connect(lambda _at: self._scrolled())
        self.down.valueChanged.connect(lambda _at: self._scrolled())
        self.legend.hidden_changed.connect(self._hide)
        theme.notifier.changed.connect(self._show_legend)
        self.retranslate()
        self._show_selected()

    def _foot(self) -> QWidget:
        foot = QWidget()
        foot.setObjectName("surface")
        parts.keep_height(foot, 34)
        row = parts.columns(foot, margins=(10, 0, 6, 0), gap=14)
        self.selected_text = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.timeline_button = parts.button("", "crosshair-simple", flat=True, click=self.to_timeline)
        row.addWidget(self.selected_text, 1)
        row.addWidget(self.timeline_button)
        return foot

    def retranslate(self) -> None:
        super().retranslate()
        if not hasattr(self, "fit_button"):
            return
        parts.set_tip(self.align_button, tr("Align according to selected operator"))
        parts.set_tip(self.default_button, tr("Restore default state"))
        parts.set_tip(self.fit_button, tr("Show everything"), "Backspace")
        self.timeline_button.setText(tr("Find in Timeline"))
        self.area.setAccessibleName(tr("Operators per rank"))
        self._titles()
        self._show_selected()

    def _titles(self) -> None:
        about = self.choice.group.short if self.choice is not None else ""
        if self.whole.align:
            about = f"{about} · {tr('ends of {0} aligned').format(self.whole.align)}"
        self.set_title(tr("Operators per rank"), about)

    # ---- asking ------------------------------------------------------------------------------------------------------

    def show_choice(self, choice: Choice, *, find: tuple[int, str] | None = None) -> None:
        """Ask for the bars of a choice; `find` brings the operator of a rank into view."""
        if self.choice is None or replace(choice, op="") != replace(self.choice, op=""):
            self.align = None
        self.choice, self._wanted = choice, find or self._wanted
        self._ask(keep_window=False)

    def _ask(self, *, keep_window: bool) -> None:
        if self.choice is None:
            return
        if not self.whole.count:
            self.set_empty(tr("Loading…"))
        self._asker.ask(
            communication_bars.load,
            then=lambda bars: self._show(bars, keep_window),
            failed=self._failed,
            choice=self.choice,
            align=self.align,
        )

    def _failed(self, error: InsightError) -> None:
        self.whole = no_bars()
        self.area.show_bars(self.whole)
        self._show_legend()
        self.set_empty(say(error.message), say(error.fix))
        self.shown.emit()

    def _show(self, bars: OperatorBars, keep_window: bool) -> None:
        self.whole = bars
        if not bars.count and self.choice is not None:
            self._failed(InsightError(
                f"Step {self.choice.step} has no operators of {self.choice.group.short} with a start time.",
                fix="Choose another step or group.",
            ))  # fmt: skip
            return
        self.set_empty(None)
        self.area.show_bars(bars, keep_window=keep_window)
        self._show_legend()
        self._titles()
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self.bring(*wanted)
        self._show_selected()
        self.shown.emit()

    def bring(self, rank: int, name: str, around: int | None = None) -> bool:
        """Bring the operator of a rank into view and mark it; False when there is none.

        Args:
            rank: whose bar is marked.
            name: the operator.
            around: rank whose bar gives the stretch of time; its own without it.
        """
        bar = self.area.bars.find(rank, name)
        if bar >= 0:
            stretch = self.area.bars.find(around, name) if around is not None else -1
            self.area.bring(bar, stretch if stretch >= 0 else bar)
            self._show_selected()
        return bar >= 0

    def renew_jump(self) -> None:
        """Other cards are open: the way to the Timeline may be there now."""
        self._show_selected()

    # ---- alignment ---------------------------------------------------------------------------------------------------

    def align_to_selected(self) -> None:
        """Move the ranks so that the first of the selected operators ends everywhere at the same time."""
        if self.area.selected >= 0:
            self.align = self.area.bars.name_of(self.area.selected)
            self._ask(keep_window=False)

    def restore_default(self) -> None:
        """Undo the alignment."""
        if self.align is not None:
            self.align = None
            self._ask(keep_window=False)

    # ---- selection ---------------------------------------------------------------------------------------------------

    def _clicked(self, bar: int) -> None:
        self._show_selected()
        if bar >= 0:
            self.bar_chosen.emit(self.area.bars.rank_of(bar), self.area.bars.name_of(bar))

    def facts(self) -> list[str]:
        """The selected bar in words: operator and rank, its time, the longest of its name."""
        bars, bar = self.area.bars, self.area.selected
        if bar < 0:
            return []
        name, side = bars.name_of(bar), int(bars.side[bar])
        longest = bars.longest_of(name, side)
        return [
            f"{name} · {tr('rank {0}').format(bars.rank_of(bar))}",
            tr("Elapsed Time: {0} ms").format(ms_text(int(bars.length_ns[bar]))),
            tr("longest in the group: {0} ms · rank {1}").format(
                ms_text(int(bars.length_ns[longest])), bars.rank_of(longest)
            ),
        ]

    def _show_selected(self) -> None:
        facts = self.facts()
        self.selected_text.set_text("   ".join(facts) if facts else tr("Click a bar to see its operator."))
        self.align_button.setEnabled(bool(facts))
        self.default_button.setEnabled(self.align is not None)
        self.timeline_button.setEnabled(bool(facts) and self.has_timeline())
        tip = "" if not facts or self.has_timeline() else tr("The Timeline of this rank is not open.")
        self.timeline_button.setToolTip(tip)

    def has_timeline(self) -> bool:
        """Whether the rank of the selected bar has a Timeline that is open."""
        bar, choice = self.area.selected, self.choice
        if bar < 0 or choice is None:
            return False
        cluster = choice.base if self.area.bars.side[bar] else choice.cluster
        card = jumps.card_of(self.context.store, self.area.bars.rank_of(bar), cluster)
        return card is not None and bool(self.context.store.capture(card.name).manifest.counts.get("slices"))

    def to_timeline(self) -> None:
        """Show the selected operator in the Timeline."""
        bar = self.area.selected
        if bar >= 0 and self.has_timeline():
            bars = self.area.bars
            self.timeline_wanted.emit(bars.rank_of(bar), bars.name_of(bar), int(bars.raw_ns[bar]), int(bars.side[bar]))

    def operator_menu(self) -> QMenu:
        """What can be done with the selected bar."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        has_bar = self.area.selected >= 0
        for icon, text, enabled, do in (
            ("crosshair-simple", tr("Find in Timeline"), self.timeline_button.isEnabled(), self.to_timeline),
            ("align-right", tr("Align according to selected operator"), has_bar, self.align_to_selected),
            ("arrow-u-up-left", tr("Restore default state"), self.align is not None, self.restore_default),
        ):
            action = menu.addAction(icons.icon(icon), text)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _checked=False, do=do: do())
        menu.addSeparator()
        for action in self.menu().actions():
            action.setParent(menu)
            menu.addAction(action)
        return menu

    def _menu(self, bar: int, at: QPoint) -> None:
        self.area.select(bar)
        self._show_selected()
        self.operator_menu().exec(at)

    # ---- legend, scroll bars -----------------------------------------------------------------------------------------

    def entries(self) -> list[Entry]:
        if len(self.whole.names) > COLOURS:
            return []
        return [Entry(n, n, self.area.colour_of(i)) for i, n in enumerate(self.whole.names)]

    def _show_legend(self) -> None:
        entries = self.entries()
        self.legend.setVisible(bool(entries))
        self.legend.show_entries(entries)
        count = len(self.whole.names)
        self.set_note(tr("{0} operators").format(number_text.count(count)) if count > COLOURS else "")

    def _hide(self, keys: frozenset[str]) -> None:
        bars = self.whole
        kept = np.array([i for i, name in enumerate(bars.names) if name not in keys], np.int64)
        mask = np.isin(bars.name, kept)
        arrays: dict[str, Any] = {
            field: getattr(bars, field)[mask]
            for field in ("row", "side", "name", "start_ns", "length_ns", "shift_ns", "raw_ns")
        }
        self.area.show_bars(replace(bars, **arrays), keep_window=bool(mask.any()))
        self._show_selected()

    def _show_scroll_bars(self) -> None:
        area = self.area
        first, last = area.bars.span
        count = max(1, len(area.bars.ranks))
        for bar, start, shown, whole in (
            (self.across, area.left_ns - first, area.span_ns, float(last - first)),
            (self.down, area.top, area.rows, float(count)),
        ):
            with QSignalBlocker(bar):
                bar.setRange(0, max(0, round((whole - shown) / shown * _STEPS)))
                bar.setPageStep(_STEPS)
                bar.setSingleStep(_STEPS // 10)
                bar.setValue(round(start / shown * _STEPS))
            bar.setVisible(shown < whole)

    def _scrolled(self) -> None:
        area = self.area
        left = area.bars.span[0] + self.across.value() / _STEPS * area.span_ns
        area.show_window(left, left + area.span_ns, self.down.value() / _STEPS * area.rows, area.rows)

    # ---- export ------------------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> QSize:
        return QSize(self.area.width(), self.area.height() + 40)

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:  # noqa: ARG002
        self.area.paint(painter)

    def numbers(self) -> tuple[pa.Table, list[ColumnSpec]]:
        bars = self.area.bars
        table = pa.table(
            {
                "rank": np.array(bars.ranks, np.int64)[bars.row],
                "name": pa.array([bars.names[i] for i in bars.name], pa.string()),
                "start_ms": bars.start_ns / 1e6,
                "elapse_ms": bars.length_ns / 1e6,
            }
        )
        specs = [
            ColumnSpec("rank", tr("Rank ID"), kind="id"),
            ColumnSpec("name", tr("Operator Name")),
            ColumnSpec("start_ms", tr("Start Time"), unit="ms", kind="number", decimals=6),
            ColumnSpec("elapse_ms", tr("Elapsed Time"), unit="ms", kind="number", decimals=6),
        ]
        if bars.sides > 1:
            sides = [tr("Baseline") if side else tr("Comparison") for side in bars.side]
            table = table.add_column(1, "source", pa.array(sides, pa.string()))
            specs.insert(1, ColumnSpec("source", tr("Source")))
        return table, specs

    def summary(self) -> str:
        """Title, ranks and bars."""
        if not hasattr(self, "area"):
            return self.title
        return tr("{0}: {1} ranks, {2} bars").format(self.title, len(self.area.bars.ranks), self.area.bars.count)
