"""The panes of the code: numbers, heat and highlighted text; attributes of the lines; a picture of the whole file."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollBar, QSplitter, QToolTip, QWidget

from insight_desktop.views.common import fonts, parts, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator import source_cells, source_tokens
from insight_desktop.views.operator.source_attributes import AttributePane
from insight_desktop.views.operator.source_model import CodeModel, wheel

_NUMBERS = 45  # px of the column of line numbers
_HEAT = 5
_MINIMAP = 64
_MINIMAP_ROW = 3.0  # px of a line in the minimap of a short file

Place = tuple[int, int]  # line and character, from 0


class TextPane(QWidget):
    """Line numbers, heat and the code.

    Signals:
        selection_changed: other characters are selected with the mouse.
    """

    selection_changed = Signal()

    def __init__(self, model: CodeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.left = 0
        self.anchor: Place | None = None
        self.reach: Place | None = None
        self._pressed: tuple[QPointF, Place] | None = None
        self.across = QScrollBar(Qt.Orientation.Horizontal, self)
        self.across.valueChanged.connect(self._scrolled)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(fonts.scaled(120))
        self.setMouseTracking(True)
        model.changed.connect(self.update)
        theme.notifier.changed.connect(self._restyle)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    @property
    def code_left(self) -> int:
        return fonts.scaled(_NUMBERS + _HEAT) + 8

    def _restyle(self) -> None:
        self.fit()
        self.update()

    def fit(self) -> None:
        """Room and scroll bar for the longest line."""
        high = self.across.sizeHint().height()
        metrics = QFontMetricsF(fonts.mono())
        longest = max((len(line) for line in self.model.lines), default=0)
        wide = max(
            (metrics.horizontalAdvance(line) for line in self.model.lines if len(line) * 2 >= longest), default=0.0
        )
        room = max(1, self.width() - self.code_left)
        self.across.setGeometry(self.code_left, self.height() - high, room, high)
        self.across.setRange(0, max(0, round(wide) + 24 - room))
        self.across.setPageStep(room)
        self.across.setSingleStep(24)
        self.across.setVisible(self.across.maximum() > 0)
        self.model.set_height(max(0, self.height() - self.model.head_height - high))

    def _scrolled(self, value: int) -> None:
        self.left = value
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def place_at(self, at: QPointF) -> Place | None:
        """Line and character at a point; the nearest ones beyond the code."""
        lines = self.model.lines
        if not lines:
            return None
        line = (int(at.y()) - self.model.head_height + self.model.top) // self.model.row_height
        line = max(0, min(line, len(lines) - 1))
        text, x = lines[line], at.x() - self.code_left + self.left
        metrics = QFontMetricsF(fonts.mono())
        low, high = 0, len(text)
        while low < high:
            middle = (low + high) // 2
            centre = metrics.horizontalAdvance(text[:middle]) + metrics.horizontalAdvance(text[middle : middle + 1]) / 2
            low, high = (middle + 1, high) if centre < x else (low, middle)
        return line, low

    # ---- selection of text -------------------------------------------------------------------------------------------

    def selected_span(self) -> tuple[Place, Place] | None:
        """Ends of the selected text, the upper one first."""
        if self.anchor is None or self.reach is None or self.anchor == self.reach:
            return None
        return min(self.anchor, self.reach), max(self.anchor, self.reach)

    def selected_text(self) -> str:
        """The selected text; the selected line when no text is."""
        span, lines = self.selected_span(), self.model.lines
        if span is None:
            return lines[self.model.selected - 1] if self.model.selected > 0 else ""
        (first, start), (last, end) = span
        if first == last:
            return lines[first][start:end]
        return "\n".join([lines[first][start:], *lines[first + 1 : last], lines[last][:end]])

    def clear_selection(self) -> None:
        self.anchor = self.reach = None
        self.update()

    # ---- events ------------------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() >= self.model.head_height:
            place = self.place_at(event.position())
            if place is not None:
                self._pressed = event.position(), place
                self.anchor = self.reach = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = event.position().x() >= self.code_left and event.position().y() >= self.model.head_height
        self.setCursor(Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor)
        if self._pressed is None:
            return
        start, place = self._pressed
        if self.anchor is None and (event.position() - start).manhattanLength() < 4:
            return
        self.anchor, self.reach = place, self.place_at(event.position())
        if self.reach is not None:
            self.model.bring_in(self.reach[0])
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        self._pressed = None
        if self.selected_span() is None:
            self.anchor = self.reach = None
            self.model.click(self.model.line_at(event.position().y()))
        self.selection_changed.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the line at the mouse, or of the selected one where a key asks for it."""
        model, by_mouse = self.model, event.reason() == QContextMenuEvent.Reason.Mouse
        line = model.line_at(event.pos().y()) if by_mouse else model.selected - 1
        if line >= 0:
            if line + 1 != model.selected:
                model.click(line)
            at = event.globalPos() if by_mouse else self.mapToGlobal(QPoint(self.code_left, model.y_of(line)))
            model.menu_wanted.emit(line + 1, at)

    def wheelEvent(self, event: QWheelEvent) -> None:
        wheel(self.model, event, self.across)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = max(1, self.model.height // self.model.row_height - 1)
        steps = {
            Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_Home: -len(self.model.lines), Qt.Key.Key_End: len(self.model.lines),
        }  # fmt: skip
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.model.selected > 0:
            self.model.line_entered.emit(self.model.selected)
        elif Qt.Key(event.key()) in steps and not event.modifiers():
            self.model.move(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    # ---- painting ----------------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.token("canvas"))
            for line in self.model.visible():
                self._paint_line(painter, line)
            if self.across.isVisible():
                painter.fillRect(0, self.across.y(), self.width(), self.across.height(), theme.token("canvas"))
            self._paint_head(painter)

    def _paint_line(self, painter: QPainter, line: int) -> None:
        model = self.model
        y, high = model.y_of(line), model.row_height
        chosen = line + 1 == model.selected
        if chosen:
            painter.fillRect(0, y, self.width(), high, theme.token("sel"))
        numbers = fonts.scaled(_NUMBERS)
        painter.setFont(fonts.mono(fonts.SMALL))
        painter.setPen(theme.token("seltext" if chosen else "text3"))
        side = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(0, y, numbers - 8, high), side, str(line + 1))
        heat = model.heat(line)
        if heat > 0:
            painter.fillRect(QRectF(numbers, y + 1, fonts.scaled(_HEAT), high - 2), source_cells.heat(heat))
        elif model.record(line) >= 0:
            painter.fillRect(QRectF(numbers, y + 1, 2, high - 2), theme.token("strong"))
        painter.save()
        painter.setClipRect(self.code_left - 2, model.head_height, self.width() - self.code_left + 2, self.height())
        self._paint_marks(painter, line, y, high)
        self._paint_text(painter, line, y, high, chosen=chosen)
        painter.restore()

    def _paint_marks(self, painter: QPainter, line: int, y: int, high: int) -> None:
        """Selected text and matches, below the letters."""
        metrics, text = QFontMetricsF(fonts.mono()), self.model.lines[line]
        x0 = self.code_left - self.left
        span = self.selected_span()
        if span is not None and span[0][0] <= line <= span[1][0]:
            start = span[0][1] if line == span[0][0] else 0
            end = span[1][1] if line == span[1][0] else len(text) + 1
            a, b = metrics.horizontalAdvance(text[:start]), metrics.horizontalAdvance(text[:end].ljust(end))
            ground = theme.token("accentfill")
            ground.setAlphaF(0.45)
            painter.fillRect(QRectF(x0 + a, y, b - a, high), ground)
        for i in self.model.matches_of(line):
            match = self.model.matches[i]
            a, b = metrics.horizontalAdvance(text[: match.start]), metrics.horizontalAdvance(text[: match.end])
            current = i == self.model.match_at
            ground = QColor(theme.token("warn")) if current else QColor(theme.token("warnbg"))
            if current:
                ground.setAlphaF(0.35)
            painter.setPen(QPen(theme.token("warn"), 2 if current else 1))
            painter.setBrush(ground)
            painter.drawRect(QRectF(x0 + a - 0.5, y + 1.5, b - a + 1, high - 3))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_text(self, painter: QPainter, line: int, y: int, high: int, *, chosen: bool) -> None:
        font = fonts.mono()
        painter.setFont(font)
        metrics, text = QFontMetricsF(font), self.model.lines[line]
        base = y + (high + metrics.ascent() - metrics.descent()) / 2
        x, at = float(self.code_left - self.left), 0
        plain = theme.token("seltext" if chosen else "text")
        for token in (*self.model.tokens(line), None):
            start = token.start if token is not None else len(text)
            pieces = [(text[at:start], plain)]
            if token is not None:
                ink = plain if chosen and token.kind == source_tokens.COMMENT else source_tokens.colour(token.kind)
                pieces.append((text[start : token.end], ink))
                at = token.end
            for piece, ink in pieces:
                wide = metrics.horizontalAdvance(piece)
                if piece.strip() and x + wide >= 0 and x <= self.width():
                    painter.setPen(ink)
                    painter.drawText(QPointF(x, base), piece)
                x += wide

    def _paint_head(self, painter: QPainter) -> None:
        high = self.model.head_height
        painter.fillRect(0, 0, self.width(), high, theme.token("raised"))
        painter.setPen(theme.token("border"))
        painter.drawLine(0, high - 1, self.width(), high - 1)
        painter.setFont(fonts.ui(bold=True))
        painter.setPen(theme.token("text2"))
        numbers = fonts.scaled(_NUMBERS)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(0, 0, numbers - 8, high - 1), middle | int(Qt.AlignmentFlag.AlignRight), "#")
        loaded = self.model.loaded
        name = (loaded.file or "").replace("\\", "/").rpartition("/")[2] if loaded is not None else ""
        box = QRectF(self.code_left, 0, self.width() - self.code_left - 8, high - 1)
        shown = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, int(box.width()))
        painter.drawText(box, middle, shown)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            line = self.model.line_at(event.pos().y())
            loaded = self.model.loaded
            text = (loaded.file or "") if loaded is not None and event.pos().y() < self.model.head_height else ""
            if loaded is not None and line >= 0 and event.pos().x() < self.code_left and self.model.heat(line) > 0:
                share = f"{float(loaded.shares[line]) * 100:.1f} %"
                text = tr("{0}: {1} of the file").format(loaded.heat_name, share)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)


class Minimap(QWidget):
    """The whole file: shapes of its lines, their heat, matches, and the part on screen."""

    def __init__(self, model: CodeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self._kept: tuple[tuple[object, ...], QPixmap] | None = None
        self.setFixedWidth(fonts.scaled(_MINIMAP))
        model.changed.connect(self.update)
        parts.repaint_on_theme(self)

    def sizeHint(self) -> QSize:
        return QSize(fonts.scaled(_MINIMAP), 200)

    @property
    def row(self) -> float:
        """Pixels of a line."""
        return min(_MINIMAP_ROW, self.height() / max(1, len(self.model.lines)))

    def paintEvent(self, _event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        key = (id(self.model.loaded), self.width(), self.height(), theme.is_dark(), ratio, self.model.loaded is None)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._drawn(ratio)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._kept[1])
            row, model = self.row, self.model
            painter.setPen(Qt.PenStyle.NoPen)
            for match in model.matches[:2000]:
                painter.fillRect(QRectF(self.width() - 8, match.line * row, 8, max(2.0, row)), theme.token("warn"))
            if model.selected > 0:
                painter.fillRect(
                    QRectF(0, (model.selected - 1) * row, self.width(), max(2.0, row)), theme.token("focus")
                )
            if model.total_height > model.height:
                top = model.top / model.row_height * row
                high = model.height / model.row_height * row
                ground = theme.token("text")
                ground.setAlphaF(0.10)
                painter.fillRect(QRectF(0, top, self.width(), max(high, 6.0)), ground)
            painter.setPen(theme.token("border"))
            painter.drawLine(0, 0, 0, self.height())

    def _drawn(self, ratio: float) -> QPixmap:
        drawn = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(theme.token("canvas"))
        lines, row = self.model.lines, self.row
        if not lines:
            return drawn
        ink = theme.token("text3")
        ink.setAlphaF(0.45)
        scale = (self.width() - 12) / 110
        step = max(1, int(1 / row) // 2) if row < 1 else 1
        with QPainter(drawn) as painter:
            for i in range(0, len(lines), step):
                text = lines[i]
                stripped = text.strip()
                if stripped:
                    left = 4 + (len(text) - len(text.lstrip())) * scale
                    wide = min(len(stripped) * scale, self.width() - left - 6)
                    painter.fillRect(QRectF(left, i * row, max(wide, 1.0), max(row - 1, 0.6)), ink)
            heat = self.model.loaded.heat if self.model.loaded is not None else np.zeros(0)
            for i in np.flatnonzero(heat > 0)[:20_000]:
                wide = 4 + float(heat[i]) * (self.width() - 8)
                colour = source_cells.heat(float(heat[i]))
                colour.setAlphaF(0.75)
                painter.fillRect(QRectF(1, float(i) * row, wide, max(row, 1.5)), colour)
        return drawn

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event.position().y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        wheel(self.model, event, None)

    def _go(self, y: float) -> None:
        line = y / self.row
        self.model.set_top(round(line * self.model.row_height - self.model.height / 2))


class CodeView(QWidget):
    """Code and attributes side by side, scrolled as one, with minimap and scroll bar."""

    def __init__(self, model: CodeModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.text, self.attributes, self.minimap = TextPane(model), AttributePane(model), Minimap(model)
        self.down = QScrollBar(Qt.Orientation.Vertical)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for i, pane in enumerate((self.text, self.attributes)):
            self.splitter.addWidget(pane)
            self.splitter.setStretchFactor(i, 1 - i)
            self.splitter.setCollapsible(i, False)
        self.splitter.setHandleWidth(1)
        row = parts.columns(self, gap=0)
        for widget in (self.splitter, self.minimap, self.down):
            row.addWidget(widget, 1 if widget is self.splitter else 0)
        self.down.valueChanged.connect(model.set_top)
        model.scrolled.connect(self._show_bar)
        self._is_sized = False
        self.splitter.splitterMoved.connect(lambda *_: setattr(self, "_is_sized", True))

    def renew(self) -> None:
        """Other code or figures."""
        self.attributes.renew()
        self.attributes.setVisible(bool(self.attributes.columns))
        self.text.clear_selection()
        self.text.fit()
        self._fit()

    def _fit(self) -> None:
        """Attributes get what their columns need, at most 46 % of the width."""
        if not self._is_sized:
            wanted = min(self.attributes.wanted_width(), round(self.splitter.width() * 0.46))
            self.splitter.setSizes([max(1, self.splitter.width() - wanted), wanted])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _show_bar(self) -> None:
        self.down.blockSignals(True)
        self.down.setRange(0, self.model.most_top)
        self.down.setPageStep(max(1, self.model.height))
        self.down.setSingleStep(self.model.row_height)
        self.down.setValue(self.model.top)
        self.down.blockSignals(False)
        self.down.setVisible(self.model.most_top > 0)
