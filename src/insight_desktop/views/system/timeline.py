"""The Timeline page: toolbar, the timeline itself, the bottom panel; what is remembered of them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QSplitter, QToolButton, QVBoxLayout, QWidget

from insight_desktop.engine.timeline import selection
from insight_desktop.views.common import icons, number_text, theme
from insight_desktop.views.common.arrow_table import ArrowTable
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.context import Context, Jump
from insight_desktop.views.common.page import Page, Tab
from insight_desktop.views.timeline import extra_panels, times
from insight_desktop.views.timeline.body import TimelineBody
from insight_desktop.views.timeline.bottom_panel import BottomPanel
from insight_desktop.views.timeline.filter_box import FilterBox
from insight_desktop.views.timeline.guests import Guests
from insight_desktop.views.timeline.layout import Unit
from insight_desktop.views.timeline.range_panel import choice_of
from insight_desktop.views.timeline.search_bar import SearchBar
from insight_desktop.views.timeline.search_results import Within
from insight_desktop.views.timeline.state import Selected, TimelineState
from insight_desktop.views.timeline.system_view_parts import TimeFilter
from insight_desktop.views.timeline.tool_row import ToolRow
from insight_desktop.views.timeline.tooltip import lane_name

_LEAST_PART = 1e-4  # a slice shorter than this part of the view is shown as if it were that long after a jump
_PANEL_HEIGHT = 300
_PULSE_MS = 300  # how often the rows of cards that are being read are painted


class TimelinePage(Page):
    """Lanes over time of all cards of the project."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.state = TimelineState(context, self)
        self.body = TimelineBody(self.state, self)
        self.search = SearchBar(context)
        self.filter_box = FilterBox(self.state.filter)
        self.panel = BottomPanel(context)
        self.panel.colour_of = self.state.colouring.of_name
        extra_panels.add(self.panel, self.state)
        self.commands = extra_panels.Commands(self)
        self.body.verbs.set_filter = self.filter_box.set_text
        self.guests = Guests(self.state, self)
        self._closed_by_hand = False
        self._pending: dict[str, Any] | None = None  # a state that waits for its first card
        self._context_of: Selected | None = None
        self._before: Selected | None = None  # the slice that was selected before the newest one
        self._latest: Selected | None = None
        self._tips = Asker(context, self)  # its questions must not supersede those of the selection
        self._pulse = QTimer(self, interval=_PULSE_MS)
        self._pulse.timeout.connect(self._reading_moved)
        self._build()
        self._connect()
        self.retranslate()
        self._tell_history()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.undo_button, self.redo_button = self._tool("arrow-u-up-left"), self._tool("arrow-u-up-right")
        self.range_button = self._tool("arrows-out-line-horizontal")
        self.hand_button = self._tool("hand")
        self.markers_button, self.flows_button = self._tool("flag"), self._tool("flow-arrow")
        self.lanes_button = self._tool("rows")
        self.colour_button, self.fold_button = self._tool("palette"), self._tool("arrows-in-line-horizontal")
        self.fold_button.setCheckable(True)
        self.hand_button.setCheckable(True)
        self.out_button, self.in_button = self._tool("minus"), self._tool("plus")
        self.whole_button = self._tool("crosshair-simple")
        self.whole_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.chip = QLabel()
        self.chip.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.chip.setMinimumWidth(64)
        buttons = (
            self.markers_button, self.lanes_button, self.flows_button, self.colour_button, self.fold_button, self.hand_button,
            self.undo_button, self.redo_button, self.range_button, self.out_button,
        )  # fmt: skip
        fields: list[tuple[QWidget, int] | None] = [
            (self.chip, 0),
            (self.in_button, 0),
            (self.search, 3),
            (self.filter_box, 1),
        ]
        leaving = (
            self.hand_button, self.range_button, self.markers_button, self.redo_button, self.undo_button, self.lanes_button,
            self.flows_button, self.fold_button, self.colour_button, self.whole_button, self.out_button, self.in_button,
        )  # fmt: skip
        self.tools = ToolRow([*((b, 0) for b in buttons), *fields, None, (self.whole_button, 0)], leaving)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.body)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setCollapsible(0, False)
        self.panel.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(self.splitter, 1)

    def _tool(self, icon: str) -> QToolButton:
        button = QToolButton()
        icons.put(button, icon)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _connect(self) -> None:
        viewport, verbs = self.state.viewport, self.body.verbs
        self.undo_button.clicked.connect(viewport.undo)
        self.redo_button.clicked.connect(viewport.redo)
        self.range_button.clicked.connect(verbs.zoom_into_range)
        self.markers_button.clicked.connect(verbs.show_markers)
        self.lanes_button.clicked.connect(lambda: verbs.show_lane_filter(self.tools.anchor(self.lanes_button)))
        self.flows_button.clicked.connect(lambda: verbs.show_flow_menu(self.tools.anchor(self.flows_button)))
        self.colour_button.clicked.connect(lambda: verbs.show_colours(self.tools.anchor(self.colour_button)))
        self.fold_button.clicked.connect(self.state.folding.toggle)
        self.state.colouring.changed.connect(self.panel.recolour)
        self.state.modes.changed.connect(lambda: self.fold_button.setChecked(self.state.folding.is_on))
        self.hand_button.toggled.connect(self.state.set_pan_mode)
        self.state.mode_changed.connect(lambda: self.hand_button.setChecked(self.state.pan_mode))
        self.out_button.clicked.connect(lambda: verbs.zoom(-1))
        self.in_button.clicked.connect(lambda: verbs.zoom(1))
        self.whole_button.clicked.connect(viewport.show_all)
        self.panel.toggled.connect(self._panel_toggled)
        self.panel.summary_changed.connect(self._tell_range)
        viewport.changed.connect(self._tell_span)
        viewport.history_changed.connect(self._tell_history)
        self.state.selection_changed.connect(self._selection_changed)
        self.state.range_changed.connect(self._range_changed)
        self.body.jump_wanted.connect(self.go_to)
        self.body.panel_toggled.connect(self.toggle_panel)
        self.body.search_wanted.connect(self.search.focus)
        self.body.nothing_yet.read_wanted.connect(lambda: self.context.parse_requested.emit([]))
        self.body.tip_shown.connect(self._context_line)
        self.search.hit_selected.connect(self.jump)
        self.search.matches_changed.connect(self.state.set_matches)
        self.search.cleared.connect(lambda: self.state.set_matches(None))
        self.search.find_wanted.connect(self.panel.show_answer)
        self.search.answer_changed.connect(self.panel.keep_answer)
        self.search.left.connect(self.body.canvas.setFocus)
        self.filter_box.left.connect(self.body.canvas.setFocus)
        self.state.filter_changed.connect(self._filter_tables)
        self.panel.tab_changed.connect(lambda _tab: self._filter_tables())
        self.panel.tables_changed.connect(self._filter_tables)
        self.panel.hit_chosen.connect(self.search.set_place)
        self.panel.filter_cleared.connect(self.state.modes.end_analysis)
        self.state.modes.analysis_changed.connect(self._analysis_changed)
        self.state.modes.changed.connect(self._lock_changed)
        self.context.stretch_wanted.connect(self.show_stretch)
        self.context.events_wanted.connect(self.panel.show_events)
        self.context.jump.connect(self.jump)
        self.context.store_changed.connect(self.refresh)
        self.context.theme_changed.connect(self.restyle)
        self.context.language_changed.connect(self.retranslate)
        theme.notifier.changed.connect(self.restyle)

    def retranslate(self) -> None:
        """All texts in the current language."""
        for button, text, key in (
            (self.markers_button, self.tr("Marker List"), "Shift+K"),
            (self.lanes_button, self.tr("Filter cards and lanes"), ""),
            (self.flows_button, self.tr("Flow Events"), ""),
            (self.colour_button, self.tr("Colour by"), "C"),
            (self.fold_button, self.tr("Fold idle gaps"), "G"),
            (self.hand_button, self.tr("Drag pans"), "H"),
            (self.undo_button, self.tr("Undo zoom"), "Backspace"),
            (self.redo_button, self.tr("Redo zoom"), "Shift+Backspace"),
            (self.range_button, self.tr("Zoom into selection"), "Shift+Z"),
            (self.out_button, self.tr("Zoom out"), "S"),
            (self.in_button, self.tr("Zoom in"), "W"),
            (self.whole_button, self.tr("Whole data"), ""),
        ):
            button.setToolTip(f"{text} ({key})" if key else text)
            button.setAccessibleName(text)
        self.whole_button.setText(self.tr("Whole data"))
        self.chip.setAccessibleName(self.tr("Visible time"))
        self.restyle()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.state.cards:
            self.refresh()
        if self.focusWidget() is None:
            self.body.canvas.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def restyle(self) -> None:
        """Theme or text size changed."""
        self.tools.fit()
        self.body.arrange()
        for canvas in self.body.canvases.values():
            canvas.restyle()
        self.body.minimap.restyle()
        for widget in self.body.findChildren(QWidget):
            widget.update()

    # ---- data --------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Take over what the store has now."""
        self.state.refresh()
        extra_panels.add_requests(self.panel, self.state)
        self._apply_pending()
        self.guests.look()
        for canvas in self.body.canvases.values():
            canvas.restyle()
        self.body.minimap.renew()
        self.body.steps.renew()
        self._pulse.start() if self.state.is_reading() else self._pulse.stop()
        self.body.arrange()
        self._tell_span()

    def _reading_moved(self) -> None:
        """Cards that are being read have come further, or new ones have been added to them."""
        waiting = {name for name, opened in self.state.cards.items() if opened.capture is None}
        if not self.state.is_reading() or not waiting:
            self.refresh()
        else:
            self.body.canvas.update()
            self.body.tree.update()

    # ---- going somewhere ---------------------------------------------------------------------------------------------

    def jump(self, to: Jump) -> None:
        """Go to a slice of a card, or to a stretch of recorded time."""
        capture = self.state.capture(to.card)
        if capture is None:
            self._not_found()
            return
        if to.slice_id is not None:
            count = len(capture.slice_start)
            chosen = self.state.slice(to.card, to.slice_id)
            if chosen is None:
                at = to.slice_id - count
                track = sum(1 for offset in capture.instant_offset[1:] if offset <= at)
                chosen = self.state.instant(to.card, at, track)
            if chosen is None:
                self._not_found()
                return
            self.go_to(chosen)
            return
        unit = self._unit_of(to)
        if unit is not None:
            self.state.reveal(unit)
            self.state.select_lanes([unit.key])
            row = self.state.rows.of(unit.key)
            if row is not None:
                self.body.area.bring_in(row.y, row.height)
        if to.start_ns is not None:
            shift = self.state.shift_ns(to.card, unit)
            end = to.end_ns if to.end_ns is not None else to.start_ns
            self.state.viewport.settle()
            self.state.viewport.show(to.start_ns - shift, end - shift)

    def show_stretch(self, card: str, start_ns: int, end_ns: int) -> None:
        """Show a stretch of recorded time of a card."""
        if self.state.capture(card) is not None and end_ns > start_ns:
            shift = self.state.shift_ns(card)
            self.state.viewport.show(start_ns - shift, end_ns - shift)

    def _unit_of(self, to: Jump) -> Unit | None:
        """The lane or counter of a jump without a slice."""
        if to.track is not None:
            return self.state.unit_of_track(to.card, to.track)
        if to.series is None:
            return None
        units = self.state.cards[to.card].units.values()
        return next((unit for unit in units if to.series in unit.series), None)

    def go_to(self, chosen: Selected) -> None:
        """Open and unhide what is above a slice, show it with its surroundings, select it."""
        unit = self.state.unit_of_track(chosen.card, chosen.track)
        if unit is None:
            self._not_found()
            return
        self.state.reveal(unit)
        self.state.select_lanes([unit.key])
        shift, viewport = self.state.shift_of(chosen), self.state.viewport
        least = (
            max(1, round(min(viewport.span_ns, viewport.total_ns) * _LEAST_PART))
            if chosen.end_ns == chosen.start_ns
            else 1
        )
        viewport.settle()
        viewport.jump_to(chosen.start_ns - shift, chosen.end_ns - shift, least)
        self.body.scroll_to(chosen)
        self.state.set_range(None)
        self.state.select(chosen)

    def _not_found(self) -> None:
        self.context.message.emit(
            "warning", self.tr("Jump target not found."), self.tr("The card may have been removed or read anew.")
        )

    def _filter_tables(self) -> None:
        """The filter of the toolbar holds for the tables of the bottom panel too."""
        held = self.state.filter
        for table in self.panel.findChildren(ArrowTable):
            table.set_passing(held.mask if held.is_on else None)

    # ---- panels and status -------------------------------------------------------------------------------------------

    def toggle_panel(self) -> None:
        """Show or hide the bottom panel."""
        self.panel.toggle()

    def _panel_toggled(self, is_open: bool) -> None:
        """Once the user has closed the panel it does not open by itself again."""
        self._closed_by_hand = not is_open
        if is_open and self.splitter.sizes()[1] == 0:
            height = min(_PANEL_HEIGHT, self.splitter.height() // 3)
            self.splitter.setSizes([self.splitter.height() - height, height])

    def _open_for(self, tab: str) -> None:
        if not self.state.awaited.returning:
            self.panel.show_tab(tab, open_panel=not self._closed_by_hand)

    def _selection_changed(self) -> None:
        chosen = self.state.selected
        self._before, self._latest = (self._latest, chosen) if chosen is not None else (self._before, self._latest)
        if chosen is None:
            self.panel.clear_slice()
            if self.state.range is None:
                self.context.status.emit([])
            return
        if chosen.kind == "slice":
            self.panel.detail.show_slice(chosen.card, chosen.id)
            self.ask(
                selection.slice_facts,
                then=lambda facts: self._tell_slice(chosen, facts),
                card=chosen.card,
                slice_id=chosen.id,
            )
        else:
            self.panel.detail.show_instant(chosen.card, chosen.id)
        self._tell_slice(chosen, None)
        self._open_for("detail")

    def _tell_slice(self, chosen: Selected, facts: selection.SliceFacts | None) -> None:
        if chosen != self.state.selected:
            return
        unit = self.state.unit_of_track(chosen.card, chosen.track)
        texts = [chosen.name]
        if chosen.kind == "slice":
            texts.append(number_text.duration(chosen.end_ns - chosen.start_ns))
        texts.append(self.tr("lane {0}").format(lane_name(self.state, unit)))
        if facts is not None:
            same = self.tr("{0} of this name, sum {1}").format(
                number_text.count(facts.same), number_text.duration(facts.same_ns)
            )
            texts.append(same)
            if facts.gap_ns is not None:
                texts.append(self.tr("gap before {0}").format(number_text.duration(facts.gap_ns)))
        between = self.body.verbs.gap_text(self._before, chosen)
        if between:
            texts.append(between)
        self.context.status.emit(texts)

    def _range_changed(self) -> None:
        found = self.state.range
        self.range_button.setEnabled(found is not None)
        if found is None:
            self.panel.clear_range()
            return
        self.context.status.emit([self.tr("Range {0}").format(number_text.duration(found.end_ns - found.start_ns))])
        self._open_for(self.panel.show_range(choice_of(self.state, found)))

    def _lock_changed(self) -> None:
        """The search finds only what lies inside a locked selection."""
        found = self.state.modes.locked
        if found is None:
            self.search.set_within(None)
            return
        part = times.part_of(self.state, found)
        self.search.set_within(Within(found.card, part.tracks, part.from_ns, part.to_ns))

    def _analysis_changed(self) -> None:
        """The System View follows the time-range analysis."""
        found = self.state.modes.analysis
        self.panel.set_time_filter(None if found is None else TimeFilter(found.start_ns, found.end_ns))

    def _tell_range(self, texts: list[str]) -> None:
        """The figures of the range for the status bar; the selected slice speaks for itself."""
        if self.state.selected is None:
            self.context.status.emit(texts)

    def _context_line(self, chosen: Selected) -> None:
        """Ask how long a slice is among its name, for the tooltip that is about to be shown."""
        if chosen.kind == "slice" and chosen != self._context_of:
            self._context_of = chosen
            self._tips.ask(
                selection.slice_facts,
                then=lambda facts: self._show_context(chosen, facts),
                card=chosen.card,
                slice_id=chosen.id,
            )

    def _show_context(self, chosen: Selected, facts: selection.SliceFacts) -> None:
        if chosen == self._context_of and facts.shorter is not None:
            text = self.tr("{0} of its name").format(number_text.percent(facts.shorter, 0))
            self.body.tooltip.renew_title(chosen.name, (self.tr("Longer than"), text))

    def _tell_span(self) -> None:
        viewport = self.state.viewport
        has_data = self.state.first_card is not None
        self.chip.setText(number_text.chip(round(viewport.span_ns)) if has_data else number_text.MISSING)
        view = viewport.view
        if has_data:
            self.context.stretch_shown.emit(view.first_ns, view.last_ns)
        self.chip.setToolTip(
            self.tr("Visible {0} – {1} of {2}").format(number_text.ruler(view.first_ns), number_text.ruler(view.last_ns), number_text.duration(viewport.total_ns))
        )  # fmt: skip
        self.context.view_changed.emit()

    def _tell_history(self) -> None:
        viewport = self.state.viewport
        self.undo_button.setEnabled(viewport.undo_count > 0)
        self.redo_button.setEnabled(viewport.redo_count > 0)
        self.range_button.setEnabled(self.state.range is not None)

    # ---- what is remembered ------------------------------------------------------------------------------------------

    def view_state(self) -> dict[str, Any]:
        """Everything the user arranged, as JSON values."""
        if self._pending is not None:
            return self._pending
        return {
            **self.state.as_dict(),
            "scroll": self.body.area.scroll,
            "tree_width": self.body.tree_width,
            "pinned_height": self.body.pinned_height,
            "panel": {**self.panel.view_state(), "sizes": self.splitter.sizes(), "closed_by_hand": self._closed_by_hand},
            "search": self.search.view_state(),
            "guests": self.guests.as_dict(),
        }  # fmt: skip

    def restore_state(self, state: dict[str, Any]) -> None:
        """Bring back what `view_state` gave; unknown keys are passed over, cards that come later take their part then."""
        self._pending = dict(state)
        if not self.state.cards:
            self.state.refresh()
        self._apply_pending()

    def _apply_pending(self) -> None:
        """Bring a state back when there are data to show it with."""
        if self._pending is not None and self.state.first_card is not None:
            state, self._pending = self._pending, None
            self._restore(state)

    def _restore(self, state: dict[str, Any]) -> None:
        panel = state.get("panel", {})
        self._closed_by_hand = True  # the selection that comes back must not open a panel that was closed
        self.guests.restore(state.get("guests", {}))
        self.state.restore(state)
        self.body.tree_width = int(state.get("tree_width", self.body.tree_width))
        self.body.pinned_height = int(state.get("pinned_height", self.body.pinned_height))
        self.filter_box.set_text(str(state.get("filter", "")))
        self.body.arrange()
        self.body.area.set_scroll(int(state.get("scroll", 0)))
        self.panel.restore_state({"open": False, **panel})
        self._closed_by_hand = bool(panel.get("closed_by_hand", False))
        if panel.get("sizes") and self.panel.is_open():
            self.splitter.setSizes([int(size) for size in panel["sizes"]])
        for canvas in self.body.canvases.values():
            canvas.restyle()


TAB = Tab("system.timeline", "Timeline", TimelinePage)
