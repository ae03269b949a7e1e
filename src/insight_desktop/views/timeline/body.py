"""The timeline without its panels: overview, axis, pinned lanes, lanes; one widget that lays them out and takes keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QScrollBar, QToolButton, QWidget

from insight_desktop.views.common import fonts, icons, language, number_text, theme
from insight_desktop.views.common.actions import as_given, event_of
from insight_desktop.views.timeline import folding, links, menu, tooltip
from insight_desktop.views.timeline.area import Area
from insight_desktop.views.timeline.canvas import Canvas
from insight_desktop.views.timeline.chain import Chain
from insight_desktop.views.timeline.float_bar import FloatBar
from insight_desktop.views.timeline.hops import Hops
from insight_desktop.views.timeline.interaction import Hit
from insight_desktop.views.timeline.keys import HeldKeys
from insight_desktop.views.timeline.keys import actions as key_actions
from insight_desktop.views.timeline.lane_tree import LaneTree
from insight_desktop.views.timeline.layout import Row
from insight_desktop.views.timeline.minimap import Minimap
from insight_desktop.views.timeline.nothing_yet import NothingYet, has_events
from insight_desktop.views.timeline.ruler import Ruler
from insight_desktop.views.timeline.state import Selected, TimelineState
from insight_desktop.views.timeline.step_band import StepBand

TREE_WIDTH = 250
_LEAST_CHART = 100
_BAR = 8
_GRIP = 5
PINNED_HEIGHT = 100
_H_STEPS = 1_000_000


class Corner(QWidget):
    """Left of overview and axis: what the data are, and how many lanes are shown."""

    def __init__(self, state: TimelineState, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = state
        self.steps = 0
        self.map_height = 0  # of the overview beside it
        self.expand = self._button("caret-double-down", self.tr("Expand all"))
        self.collapse = self._button("caret-double-up", self.tr("Collapse all"))
        state.rows_changed.connect(self.update)

    def _button(self, icon: str, name: str) -> QToolButton:
        button = QToolButton(self)
        icons.put(button, icon)
        button.setAutoRaise(True)
        button.setToolTip(name)
        button.setAccessibleName(name)
        icons.fit(button, icons.BUTTON, 24)
        return button

    def resizeEvent(self, _event: QResizeEvent) -> None:
        side = self.expand.width()
        y = self.map_height + (self.height() - self.map_height - side) // 2
        self.expand.move(self.width() - 2 * side - 8, y)
        self.collapse.move(self.width() - side - 7, y)

    def facts(self) -> tuple[str, str]:
        """Length (with the number of steps) and date of the data; empty before there are any."""
        if self.state.first_card is None:
            return "", ""
        total = number_text.duration(self.state.viewport.total_ns)
        if self.steps:
            head = self.tr("1 step") if self.steps == 1 else self.tr("{0} steps").format(number_text.count(self.steps))
            total = f"{head} · {total}"
        return total, number_text.wall_clock(self.state.base_ns)

    def lanes(self) -> tuple[int, int]:
        """Lanes that are shown, and all there are."""
        shown = sum(
            1 for row in self.state.rows.rows if row.unit is not None and row.unit.is_lane and row.kind != "hidden"
        )
        return shown, sum(unit.is_lane for opened in self.state.cards.values() for unit in opened.units.values())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.token("surface"))
        length, date = self.facts()
        painter.setFont(fonts.ui(12))
        painter.setPen(theme.token("text2"))
        if date:
            metrics, half = painter.fontMetrics(), (self.map_height - 6) / 2
            cut, room = Qt.TextElideMode.ElideRight, self.width() - 14
            length, date = (metrics.elidedText(text, cut, room) for text in (length, date))
            painter.drawText(QRectF(10, 3, self.width() - 14, half), Qt.AlignmentFlag.AlignVCenter, length)
            painter.drawText(QRectF(10, 3 + half, self.width() - 14, half), Qt.AlignmentFlag.AlignVCenter, date)
        else:
            whole = QRectF(10, 0, self.width() - 14, self.map_height - 1)
            painter.drawText(whole, Qt.AlignmentFlag.AlignVCenter, length)
        shown, every = self.lanes()
        words = self.tr("Lanes {0} of {1}").format(number_text.count(shown), number_text.count(every))
        painter.setPen(theme.token("text"))
        painter.drawText(
            QRectF(10, self.map_height, self.width() - 70, self.height() - self.map_height),
            Qt.AlignmentFlag.AlignVCenter,
            words,
        )
        for y in (self.map_height - 1, self.height() - 1):
            painter.fillRect(0, y, self.width(), 1, theme.token("border"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.token("border"))
        painter.end()


class TimelineBody(QWidget):
    """Lays out the parts by hand and connects them.

    Signals:
        tip_shown: (Selected) a tooltip of a slice was asked for; the page may add a line of context.
        jump_wanted: a Selected to go to.
        panel_toggled: the key of the bottom panel was pressed.
        search_wanted: the key of the search was pressed.
    """

    tip_shown = Signal(object)
    jump_wanted = Signal(object)
    panel_toggled = Signal()
    search_wanted = Signal()

    def __init__(self, state: TimelineState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.tree_width = fonts.scaled(TREE_WIDTH)
        self.pinned_height = PINNED_HEIGHT
        self.corner = Corner(state, self)
        self.minimap = Minimap(state, self)
        self.ruler = Ruler(state, self)
        self.steps = StepBand(state, self)
        self.areas = {True: Area(state, pinned=True), False: Area(state, pinned=False)}
        self.trees = {pinned: LaneTree(area, self) for pinned, area in self.areas.items()}
        self.canvases = {pinned: Canvas(area, self) for pinned, area in self.areas.items()}
        self.bars = {pinned: QScrollBar(Qt.Orientation.Vertical, self) for pinned in self.areas}
        self.h_bar = QScrollBar(Qt.Orientation.Horizontal, self)
        self.float_bar = FloatBar(state, self)
        self.chain = Chain(state)
        self.hops = Hops(state)
        self.hops.arrived.connect(self.jump_wanted)
        for canvas in self.canvases.values():
            canvas.chain = self.chain
            self.chain.changed.connect(canvas.update)
        self.nothing_yet = NothingYet(self)
        self.tooltip = tooltip.Tooltip(self)
        self.verbs = menu.Verbs(state, self, self.jump_wanted.emit)
        self.keys = HeldKeys(state.viewport, self._mouse_part, self._scroll_lanes, self)
        self._grip = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab goes to the parts inside, which show that they have it
        self.setAccessibleName(self.tr("Timeline"))
        self._connect()

    @property
    def canvas(self) -> Canvas:
        """The main chart."""
        return self.canvases[False]

    @property
    def tree(self) -> LaneTree:
        """The main tree."""
        return self.trees[False]

    @property
    def area(self) -> Area:
        return self.areas[False]

    def _connect(self) -> None:
        for pinned, area in self.areas.items():
            canvas, tree, bar = self.canvases[pinned], self.trees[pinned], self.bars[pinned]
            area.scrolled.connect(lambda area=area, bar=bar: self._bar_from(area, bar))
            bar.valueChanged.connect(area.set_scroll)
            canvas.tip_wanted.connect(lambda hit, at, canvas=canvas: self._chart_tip(hit, canvas.mapTo(self, at)))
            tree.tip_wanted.connect(lambda row, at, tree=tree: self._tree_tip(row, tree.mapTo(self, at)))
            for widget in (canvas, tree):
                widget.menu_wanted.connect(self._menu)
                widget.installEventFilter(self)
        self.state.rows_changed.connect(self._rows_changed)
        self.state.viewport.changed.connect(self._h_bar_from_view)
        self.h_bar.valueChanged.connect(self._view_from_h_bar)
        self.minimap.steps_found.connect(self._steps_found)
        self.minimap.wheel_turned.connect(self.canvas.gestures.wheel)
        self.ruler.wheel_turned.connect(self.canvas.gestures.wheel)
        self.steps.wheel_turned.connect(self.canvas.gestures.wheel)
        self.steps.shown_changed.connect(self.arrange)
        self.corner.expand.clicked.connect(lambda: self.verbs.open_everything(True))
        self.corner.collapse.clicked.connect(lambda: self.verbs.open_everything(False))
        self.state.hover_changed.connect(self._tell_cursor)

    # ---- geometry ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self.arrange()

    def arrange(self) -> None:
        """Place everything. The chart keeps at least 100 px; the pinned area is as high as its rows, up to its limit."""
        width, height = self.width(), self.height()
        left = max(120, min(self.tree_width, width - _LEAST_CHART - _BAR))
        self.minimap.fit()
        self.ruler.fit()
        top, chart, above = self.head(), width - left - _BAR, self.minimap.height()
        self.corner.map_height = above
        self.corner.setGeometry(0, 0, left, top)
        self.minimap.setGeometry(left, 0, chart + _BAR, above)
        self.ruler.setGeometry(left, above, chart, self.ruler.height())
        self.steps.setGeometry(left, above + self.ruler.height(), chart, self.steps.wanted_height)
        self.steps.setVisible(self.steps.wanted_height > 0)
        pinned = self.pinned_shown()
        main_top = top + pinned + (2 if pinned else 0)
        for is_pinned, y, h in ((True, top, pinned), (False, main_top, max(0, height - main_top - _BAR))):
            self.trees[is_pinned].setGeometry(0, y, left, h)
            self.canvases[is_pinned].setGeometry(left, y, chart, h)
            self.bars[is_pinned].setGeometry(width - _BAR, y, _BAR, h)
            for part in (self.trees[is_pinned], self.canvases[is_pinned], self.bars[is_pinned]):
                part.setVisible(h > 0)  # what has no room takes no focus
            self.areas[is_pinned].set_height(h)
        self.nothing_yet.setGeometry(self.rect())
        self.nothing_yet.explain(has_cards=bool(self.state.cards))
        self.nothing_yet.setVisible(
            not has_events(c.capture for c in self.state.cards.values()) and not self.state.context.reading
        )
        self.float_bar.setVisible(bool(self.state.cards) and height > 360)
        self.float_bar.place()
        self.h_bar.setGeometry(left, height - _BAR, chart, _BAR)
        self._h_bar_from_view()
        self.update()

    def head(self) -> int:
        """Height of overview, axis and steps."""
        return self.minimap.height() + self.ruler.height() + self.steps.wanted_height

    def pinned_shown(self) -> int:
        """Height of the pinned area now."""
        most = max(0, self.height() - self.head() - 120)
        return min(self.state.pinned_rows.height, self.pinned_height, most)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.token("surface"))
        if self.pinned_shown():
            y = self.head() + self.pinned_shown()
            painter.fillRect(0, y, self.width(), 2, theme.token("strong"))
        painter.end()

    def _rows_changed(self) -> None:
        if self.canvases[True].height() != self.pinned_shown():
            self.arrange()
        for area in self.areas.values():
            area.set_scroll(area.scroll, force=True)
        self.float_bar.place()

    def _bar_from(self, area: Area, bar: QScrollBar) -> None:
        bar.blockSignals(True)
        bar.setRange(0, area.max_scroll)
        bar.setPageStep(max(1, area.height))
        bar.setSingleStep(20)
        bar.setValue(area.scroll)
        bar.blockSignals(False)

    def _h_bar_from_view(self) -> None:
        viewport = self.state.viewport
        part = min(1.0, viewport.span_ns / viewport.length_ns)
        self.h_bar.blockSignals(True)
        self.h_bar.setRange(0, round(_H_STEPS * (1 - part)))
        self.h_bar.setPageStep(max(1, round(_H_STEPS * part)))
        self.h_bar.setSingleStep(max(1, round(_H_STEPS * part / 20)))
        self.h_bar.setValue(round(_H_STEPS * viewport.view.left_ns / viewport.length_ns))
        self.h_bar.blockSignals(False)

    def _view_from_h_bar(self, value: int) -> None:
        self.state.viewport.move_to(value * self.state.viewport.length_ns // _H_STEPS)

    def _steps_found(self, count: int) -> None:
        self.corner.steps = count
        self.corner.update()

    # ---- grips between the parts -------------------------------------------------------------------------------------

    def _grip_at(self, at: QPoint) -> str:
        if abs(at.x() - self.corner.width()) <= _GRIP:
            return "tree"
        split = self.head() + self.pinned_shown()
        return "pinned" if self.pinned_shown() and abs(at.y() - split) <= _GRIP else ""

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """The border of the tree lies on two widgets: a press close to it is a drag of the border."""
        if isinstance(event, QKeyEvent) or event.type() not in (
            QEvent.Type.MouseMove,
            QEvent.Type.MouseButtonPress,
            QEvent.Type.MouseButtonRelease,
        ):
            return False
        if not isinstance(event, QMouseEvent):
            return False
        at = watched.mapTo(self, event.position().toPoint())
        if self._grip:
            if event.type() == QEvent.Type.MouseButtonRelease:
                self._grip = ""
                self.state.context.view_changed.emit()
            elif event.type() == QEvent.Type.MouseMove:
                self._drag_grip(at)
            return True
        grip = self._grip_at(at)
        on_tree = isinstance(watched, LaneTree)
        if grip == "tree" and not on_tree and at.x() > self.corner.width():
            grip = ""
        if event.type() == QEvent.Type.MouseButtonPress and grip and event.button() == Qt.MouseButton.LeftButton:
            self._grip = grip
            return True
        if on_tree and event.type() == QEvent.Type.MouseMove:
            shape = {"tree": Qt.CursorShape.SplitHCursor, "pinned": Qt.CursorShape.SplitVCursor}.get(grip)
            watched.setCursor(shape) if shape else watched.unsetCursor()
        return False

    def _drag_grip(self, at: QPoint) -> None:
        if self._grip == "tree":
            self.set_tree_width(at.x())
        else:
            self.pinned_height = max(22, at.y() - self.head())
            self.arrange()

    def set_tree_width(self, width: int) -> None:
        """Another width of the tree column: 160 at least, and 100 px for the chart."""
        self.tree_width = max(160, min(width, self.width() - _LEAST_CHART - _BAR))
        self.arrange()

    # ---- tips, cursor, menu ------------------------------------------------------------------------------------------

    def _chart_tip(self, hit: Hit | None, at: QPoint) -> None:
        tip = None
        gap = self.state.folding.gap_at(at.x() - self.corner.width(), self.canvas.width()) if hit is not None else None
        if gap is not None:
            tip = tooltip.Tip(language.tr("Folded idle gap"), None, folding.gap_lines(gap))
        elif hit is not None and hit.selected is not None and self.state.sql_lanes.rid(hit.unit, hit.own or 0) is None:
            tip = tooltip.slice_tip(self.state, hit.unit, hit.selected, self.colour_of(hit.selected))
        elif hit is not None and hit.own is not None:
            tip = tooltip.query_tip(self.state, hit.unit, hit.own)
        elif hit is not None and hit.row.kind == "counter":
            tip = tooltip.counter_tip(self.state, hit.unit, hit.time_ns)
        self.tooltip.offer(tip, at)
        if tip is not None and hit is not None and hit.selected is not None:
            self.tip_shown.emit(hit.selected)

    def _tree_tip(self, row: Row | None, at: QPoint) -> None:
        unit = row.unit if row is not None and row.kind != "hidden" else None
        self.tooltip.offer(tooltip.row_tip(self.state, unit) if unit is not None else None, at)

    def colour_of(self, chosen: Selected) -> Any:
        """Fill of a slice as it is drawn."""
        from PySide6.QtGui import QColor

        from insight_desktop.views.timeline.bands import fixed_colour

        capture = self.state.capture(chosen.card)
        unit = self.state.unit_of_track(chosen.card, chosen.track)
        if capture is None or unit is None:
            return None
        palette = theme.slices()
        fixed = fixed_colour(unit, capture)
        own = self.state.colouring.colour(chosen) if not fixed else None
        if own is not None:
            return own
        return QColor.fromRgb(fixed or int(palette[int(capture.string_hash[chosen.name_id]) % len(palette)]))

    def _tell_cursor(self) -> None:
        at = self.state.hover.time_ns
        self.state.context.cursor.emit(number_text.ruler(at) if at is not None else "")

    def _menu(self, at: QPoint) -> None:
        self.tooltip.offer(None, at)
        menu.build(self.verbs, self).popup(at)

    # ---- keys --------------------------------------------------------------------------------------------------------

    def _mouse_part(self) -> float:
        """Where the mouse is on the time axis, as a part of the width; the middle when it is elsewhere."""
        for canvas in self.canvases.values():
            if canvas.gestures.inside or canvas.underMouse():
                return min(max(canvas.gestures.at.x() / max(canvas.width(), 1), 0.0), 1.0)
        return 0.5

    def _scroll_lanes(self, pixels: int) -> None:
        area = self.areas[self.canvases[True].gestures.inside]
        area.set_scroll(area.scroll + pixels)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        given = as_given(event, key_actions())
        if given is not None and (self.keys.press(given) or self._once(given)):
            event.accept()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        given = as_given(event, key_actions())
        if given is None or not self.keys.release(given):
            super().keyReleaseEvent(event)

    def tap(self, keys: str) -> None:
        """Do what a key does, named as in the list of keys."""
        press = event_of(keys)
        if self.keys.press(press):
            self.keys.release(event_of(keys, QEvent.Type.KeyRelease))
        else:
            self._once(press)

    def focusOutEvent(self, event: Any) -> None:
        self.keys.let_go()
        super().focusOutEvent(event)

    def _once(self, event: QKeyEvent) -> bool:
        """Keys that act once per press."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        key, viewport = Qt.Key(event.key()), self.state.viewport
        verbs = {
            (Qt.Key.Key_Backspace, False, False): viewport.undo,
            (Qt.Key.Key_Backspace, False, True): viewport.redo,
            (Qt.Key.Key_0, True, False): viewport.reset,
            (Qt.Key.Key_Z, False, True): self.verbs.zoom_into_range,
            (Qt.Key.Key_F, False, False): self.verbs.fit,
            (Qt.Key.Key_H, False, False): lambda: self.state.set_pan_mode(not self.state.pan_mode),
            (Qt.Key.Key_F, True, False): self.search_wanted.emit,
            (Qt.Key.Key_Q, False, False): self.panel_toggled.emit,
            (Qt.Key.Key_Right, True, False): lambda: self.state.command_wanted.emit("next_step"),
            (Qt.Key.Key_Left, True, False): lambda: self.state.command_wanted.emit("previous_step"),
            (Qt.Key.Key_N, False, False): lambda: self.state.command_wanted.emit("next_of_name"),
            (Qt.Key.Key_N, False, True): lambda: self.state.command_wanted.emit("previous_of_name"),
            (Qt.Key.Key_B, False, False): lambda: self.state.command_wanted.emit("other_card"),
            (Qt.Key.Key_Period, False, False): lambda: self.step_slice(1),
            (Qt.Key.Key_Comma, False, False): lambda: self.step_slice(-1),
            (Qt.Key.Key_R, False, False): self.align_end_or_range,
            (Qt.Key.Key_L, False, False): lambda: self.verbs.alignment.align("start"),
            (Qt.Key.Key_BracketRight, False, False): lambda: self.follow(1),
            (Qt.Key.Key_BracketLeft, False, False): lambda: self.follow(-1),
            (Qt.Key.Key_M, False, False): self.state.modes.toggle_mask,
            (Qt.Key.Key_G, False, False): self.state.folding.toggle,
            (Qt.Key.Key_C, False, False): lambda: self.state.command_wanted.emit("colour_by"),
            (Qt.Key.Key_K, False, False): self.create_flag,
            (Qt.Key.Key_K, False, True): self.verbs.show_markers,
            (Qt.Key.Key_Escape, False, False): self.clear,
        }
        verb = verbs.get((key, control, shift))
        if verb is None:
            return False
        if not event.isAutoRepeat() or key in (Qt.Key.Key_Period, Qt.Key.Key_Comma, Qt.Key.Key_Backspace):
            verb()
        return True

    def clear(self) -> None:
        """Close the Marker List where it is open; else drop slice, range and chain."""
        if self.verbs.close_markers():
            return
        self.chain.clear()
        self.state.trail.follow(None)
        self.state.select(None)
        self.state.set_range(None)

    def create_flag(self) -> None:
        """A flag of the range or the slice, else at the mouse, else in the middle of the view."""
        view, at = self.state.viewport.view, self.state.hover.time_ns
        if self.state.first_card is not None:
            self.state.flags.create(max(0, at if at is not None else view.time_at(0.5, 1)))

    def align_end_or_range(self) -> None:
        """With a benchmark slice: align the ends; else the range of the selected slice."""
        if self.verbs.alignment.can_align():
            self.verbs.alignment.align("end")
        else:
            self.range_of_slice()

    def follow(self, by: int) -> None:
        """Go to the next or previous event of the followed request, or of the chain of links of the selected slice."""
        chosen = self.state.selected
        if self.state.trail.ids and self.state.trail.place is not None:
            number = self.state.trail.step(by)
            found_slice = self.state.slice(self.state.trail.place.card, number) if number is not None else None
            if found_slice is not None:
                self.jump_wanted.emit(found_slice)
            return
        if chosen is not None:
            if by < 0 and self.hops.back(chosen):
                return
            found = links.next_of_chain(self.state, chosen, 1 if by > 0 else -1)
            if found is not None:
                self.jump_wanted.emit(found)
            else:
                self.hops.hop(chosen, by)

    def range_of_slice(self) -> None:
        """Turn the selected slice into a range on its lane."""
        found = self.state.range_of_selected()
        if found is not None:
            self.state.set_range(found)

    def step_slice(self, by: int) -> None:
        """Select the next or previous slice of the same depth row and bring it into view."""
        chosen = self.state.selected
        capture = self.state.capture(chosen.card) if chosen is not None else None
        if chosen is None or capture is None or chosen.kind != "slice":
            return
        unit = self.state.unit_of_track(chosen.card, chosen.track)
        found = self.state.merges.neighbour(unit, capture, chosen.id, by)
        if found is not None:
            new: Selected | None = self.state.slice(chosen.card, found)
            self.state.select(new)
            if new is not None:
                self.bring_in(new)

    def bring_in(self, chosen: Selected) -> None:
        """Move the view as little as needed to see a slice."""
        view, shift = self.state.viewport.view, self.state.shift_of(chosen)
        start, end = chosen.start_ns - shift, chosen.end_ns - shift
        if end <= view.first_ns or start >= view.last_ns:
            self.state.viewport.centre((start + end) // 2)
        self.scroll_to(chosen)

    def scroll_to(self, chosen: Selected) -> None:
        """Scroll the lanes so that the depth row of a slice is on screen."""
        row = self.state.row_of(chosen.card, chosen.track)
        if row is not None:
            inside = self.state.depth_of(chosen) * 20 if row.kind == "lane" else 0
            self.area.bring_in(row.y + inside, 20 if row.kind == "lane" else row.height, centre=True)
