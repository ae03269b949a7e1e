"""The facts of what is under the mouse, in a small box that never covers it and never leaves the page."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.timeline import counters, groups
from insight_desktop.views.common import fonts, language, number_text, theme
from insight_desktop.views.timeline.lane_tree import pinned_title
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.state import Selected, TimelineState

DELAY_MS = 80
AWAY = 12
_LINE = 18
_PADDING = 9
_WIDEST = 460


@dataclass
class Tip:
    """What a tooltip says: a title with a colour, lines of label and value, the quiet ones last."""

    title: str
    colour: QColor | None = None
    lines: list[tuple[str, str]] = field(default_factory=list)
    quiet: list[tuple[str, str]] = field(default_factory=list)


def lane_name(state: TimelineState, unit: Unit | None) -> str:
    """A lane with the card it belongs to, for sentences."""
    if unit is None:
        return ""
    card = state.card_title(unit.card)
    if unit.is_card:
        return card
    titles = [unit.title]
    for above in unit.ancestors():
        if above.is_card or above.node is None or above.node.kind == "process":
            break
        titles.insert(0, above.title)
    # A lane below a thread is named with it: many threads have a lane of the same name.
    inside = unit.node is not None and unit.node.kind != "process" and unit.series == ()
    return f"{' › '.join(titles) if inside else unit.title} · {card}"


def slice_tip(state: TimelineState, unit: Unit, chosen: Selected, colour: QColor | None) -> Tip:
    """Name, duration, start, lane of a slice; an instant has no duration."""
    tip = Tip(chosen.name, colour)
    if chosen.kind == "slice":
        tip.lines.append((language.tr("Duration"), number_text.duration(chosen.end_ns - chosen.start_ns)))
    tip.lines.append((language.tr("Start"), number_text.ruler(chosen.start_ns - state.shift_of(chosen))))
    tip.lines.append((language.tr("Lane"), lane_name(state, unit)))
    merged = state.merges.of(unit)
    capture = state.capture(chosen.card)
    if merged is not None and chosen.kind == "slice":
        tip.lines.append((language.tr("Stream"), merged.stream_of(int(merged.from_base([chosen.id])[0]))))
    if capture is not None and chosen.kind == "slice" and int(capture.slice_flags[chosen.id]) & 1:
        tip.quiet.append((language.tr("Never ended"), language.tr("drawn to the end of the data")))
    return tip


def query_tip(state: TimelineState, unit: Unit, slice_id: int) -> Tip:
    """A slice of a lane that a query made: name, duration, start, the query."""
    name, start, end = state.sql_lanes.facts(unit, slice_id)
    tip = Tip(name)
    tip.lines.append((language.tr("Duration"), number_text.duration(end - start)))
    tip.lines.append((language.tr("Start"), number_text.ruler(start - state.shift_ns(unit.card, unit))))
    tip.lines.append((language.tr("Lane"), lane_name(state, unit)))
    rid = state.sql_lanes.rid(unit, slice_id)
    if rid is not None:
        tip.title = f"{rid} · {language.tr(name)}"
    return tip


def counter_tip(state: TimelineState, unit: Unit, time_ns: int) -> Tip | None:
    """Every series of a counter with its value at a time."""
    capture = unit.own if unit.figures else state.capture(unit.card)
    if capture is None:
        return None
    tip = Tip(unit.title)
    names = capture.series["series"]
    for series in unit.figures or unit.series:
        value = counters.value_at(capture, series, time_ns + state.shift_ns(unit.card, unit))
        text = number_text.MISSING if value is None else number_text.number(value, None if value == int(value) else 3)
        tip.lines.append((str(names[series].as_py()), f"{text} {unit.node.unit}".strip()))
    tip.quiet.append((language.tr("Time"), number_text.ruler(time_ns)))
    return tip


def row_tip(state: TimelineState, unit: Unit) -> Tip | None:
    """Facts of a row of the tree: path and time zero of a card, ranks of a group."""
    if unit.is_card:
        return _card_tip(state, unit)
    capture = state.capture(unit.card)
    tip = Tip(unit.title)
    for member in unit.members:
        tip.lines.append((language.tr("Lane"), member.title))
    if tuple(member.key for member in unit.members) in state.merges.of_graphs:
        tip.lines.append((language.tr("Merged because"), language.tr("their tasks belong to one captured graph")))
    if unit.track is not None and capture is not None:
        totals = capture.tracks.slice(unit.track, 1).to_pylist()[0]
        tip.lines.append((language.tr("Slices"), number_text.count(totals["slices"])))
        if totals["instants"]:
            tip.lines.append((language.tr("Instants"), number_text.count(totals["instants"])))
        tip.lines.append((language.tr("Busy"), number_text.duration(totals["busy_ns"])))
        ranks = groups.group_ranks(state.context.store.card(unit.card).source, unit.title)
        if ranks:
            tip.lines.append((language.tr("Ranks"), ", ".join(map(str, ranks))))
    tip.quiet.append((language.tr("Lane"), pinned_title(unit, state)))
    return tip


def _card_tip(state: TimelineState, unit: Unit) -> Tip:
    if unit.node is None:
        return Tip(state.card_name(unit.card), lines=[(language.tr("State"), language.tr("Being read"))])
    card = state.context.store.card(unit.card)
    capture = state.capture(unit.card)
    assert capture is not None
    files = [str(f["path"]) for f in capture.manifest.source.get("files", ())]
    path = str(card.source_folder) if card.source_folder else (files[0] if files else str(card.folder))
    tip = Tip(state.card_name(unit.card))
    if card.alias:
        tip.lines.append((language.tr("Alias"), card.alias))
    tip.lines.append((language.tr("Path"), path))
    if card.host:
        tip.lines.append((language.tr("Host"), card.host))
    tip.lines.append((language.tr("Raw time at 0"), number_text.timestamp(state.shift_ns(unit.card))))
    return tip


class Tooltip(QWidget):
    """The box. It is a child of the page, so it can stay inside of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._panel = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.tip: Tip | None = None
        self._next: tuple[Tip, QPoint] | None = None
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DELAY_MS)
        self._delay.timeout.connect(self._show)
        self.hide()

    def offer(self, tip: Tip | None, at: QPoint) -> None:
        """Show a tip beside a point of the parent after a moment; an open one changes at once. None hides it."""
        if tip is None:
            self._delay.stop()
            self._next = None
            self.tip = None
            self.hide()
            return
        self._next = (tip, at)
        if self.isVisible():
            self._show()
        elif not self._delay.isActive():
            self._delay.start()

    def renew_title(self, title: str, quiet: tuple[str, str]) -> None:
        """Add a line of context to the tip of that title, if it is still the one shown."""
        for tip in (self.tip, self._next[0] if self._next else None):
            if tip is not None and tip.title == title and quiet not in tip.quiet:
                tip.quiet.append(quiet)
        if self.tip is not None:
            self.resize(self._size(self.tip))
            self.update()

    def _show(self) -> None:
        if self._next is None:
            return
        self.tip, at = self._next
        size = self._size(self.tip)
        self.setGeometry(place(at, size.width(), size.height(), self._panel.rect()))
        self.setAccessibleName(", ".join([self.tip.title, *(f"{a} {b}" for a, b in self.tip.lines)]))
        self.show()
        self.raise_()
        self.update()

    def _size(self, tip: Tip) -> QRect:
        metrics, bold = QFontMetricsF(fonts.ui(12)), QFontMetricsF(fonts.ui(12, bold=True))
        rows = [*tip.lines, *tip.quiet]
        width = bold.horizontalAdvance(tip.title) + (18 if tip.colour else 0)
        for label, value in rows:
            width = max(width, metrics.horizontalAdvance(label) + 24 + metrics.horizontalAdvance(value))
        return QRect(
            0, 0, int(min(max(width, 150), _WIDEST)) + 2 * _PADDING + 2, _LINE * (1 + len(rows)) + 2 * _PADDING - 4
        )

    def resize(self, size: QRect) -> None:  # type: ignore[override]
        super().resize(size.width(), size.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        tip = self.tip
        if tip is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(theme.token("strong"), 1))
        painter.setBrush(theme.token("raised"))
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        left, right, y = float(_PADDING + 1), float(self.width() - _PADDING - 1), float(_PADDING - 2)
        bold = fonts.ui(12, bold=True)
        painter.setFont(bold)
        if tip.colour is not None:
            painter.fillRect(QRectF(left, y + 4, 10, 10), tip.colour)
        indent = 18 if tip.colour is not None else 0
        painter.setPen(theme.token("text"))
        title = QFontMetricsF(bold).elidedText(tip.title, Qt.TextElideMode.ElideMiddle, right - left - indent)
        painter.drawText(QRectF(left + indent, y, right - left - indent, _LINE), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(fonts.ui(12))
        metrics = QFontMetricsF(fonts.ui(12))
        quiet = len(tip.lines)
        for number, (label, value) in enumerate([*tip.lines, *tip.quiet]):
            y += _LINE
            room = right - left - metrics.horizontalAdvance(label) - 16
            painter.setPen(theme.token("text3" if number >= quiet else "text2"))
            painter.drawText(QPointF(left, y + (_LINE + metrics.ascent() - metrics.descent()) / 2), label)
            painter.setPen(theme.token("text3" if number >= quiet else "text"))
            shown = metrics.elidedText(value, Qt.TextElideMode.ElideMiddle, room)
            painter.drawText(
                QRectF(left, y, right - left, _LINE), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown
            )
        painter.end()


def place(at: QPoint, width: int, height: int, panel: QRect) -> QRect:
    """Below and right of a point, 12 px away; flips where it would leave the panel."""
    x = at.x() + AWAY if at.x() + AWAY + width <= panel.right() else at.x() - AWAY - width
    y = at.y() + AWAY if at.y() + AWAY + height <= panel.bottom() else at.y() - AWAY - height
    return QRect(max(panel.left(), x), max(panel.top(), y), width, height)
