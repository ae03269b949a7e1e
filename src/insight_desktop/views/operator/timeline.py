"""The operator's Timeline: the Timeline page over the kernels of the project, with their critical path."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from insight_desktop.engine.operator import instruction_slices
from insight_desktop.engine.timeline.filter_capture import FilteredCapture
from insight_desktop.views.common import icons, number_text
from insight_desktop.views.common.context import Context, InstructionPlace, Jump, SourcePlace
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.page import Tab
from insight_desktop.views.operator import slice_source
from insight_desktop.views.operator.critical_panel import CriticalPanel
from insight_desktop.views.operator.kernel_context import KernelContext
from insight_desktop.views.system.timeline import TimelinePage
from insight_desktop.views.timeline.colouring import GIVEN
from insight_desktop.views.timeline.filter_state import Light
from insight_desktop.views.timeline.verbs import SYNC_TERM

CRITICAL = "critical"


class OperatorTimelinePage(TimelinePage):
    """Pipes of the cores over time. There is no System View: its figures are those of a whole training job."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        self.inner = inner = KernelContext(context)
        self._place: SourcePlace | None = None  # where the selected instruction comes from
        self._wanted: InstructionPlace | None = None  # whose slices are shown when its lanes are there
        self._is_lit = False  # only the slices of an instruction are lit
        super().__init__(inner, parent)
        inner.setParent(self)
        self.body.steps.is_wanted = False
        self.state.filter.vanishing = SYNC_TERM
        self.state.colouring.set_mode(GIVEN)
        self.state.modes.any_categories = self.state.modes.links_end_late = True
        for panel in ("system", "free", "compare"):
            self.panel.remove_panel(panel)
        self.panel.add_lazy(CRITICAL, "Critical Path", lambda: CriticalPanel(self.state))
        self.sync_button.clicked.connect(self.toggle_sync)
        self.path_button.clicked.connect(lambda: self.panel.show_tab(CRITICAL))
        self.source_button.clicked.connect(self._go_to_source)
        context.instruction_wanted.connect(self.show_instruction)
        self.state.selection_changed.connect(self._put_out)
        self.state.filter_changed.connect(self._show_sync)
        self.state.rows_changed.connect(self._show_sync)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.state.selected is None and self.state.range is None:
            self.context.status.emit([])  # what another page had selected is not on screen any more
        self.inner.want_traces()

    def _build(self) -> None:
        super()._build()
        self.sync_button, self.path_button = self._tool("arrows-left-right"), self._tool("path")
        self.source_button = self._tool("code")
        self.source_button.setEnabled(False)
        self.sync_button.setCheckable(True)
        for button in (self.source_button, self.path_button, self.sync_button):
            self.tools.insert(button)

    def retranslate(self) -> None:
        super().retranslate()
        self._show_sync()
        for button, text in ((self.path_button, tr("Critical Path")), (self.sync_button, self._sync_text())):
            button.setToolTip(text)
            button.setAccessibleName(text)
            button.setText(tr("Critical Path") if button is self.path_button else "SET/WAIT")
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            icons.put(button, "path" if button is self.path_button else "arrows-left-right")
        self.source_button.setToolTip(tr("Show in Source"))
        self.source_button.setAccessibleName(tr("Show in Source"))

    # ---- an instruction of the Source page ---------------------------------------------------------------------------

    def jump(self, to: Jump | InstructionPlace) -> None:
        """Go to a slice, or to those of an instruction."""
        if isinstance(to, InstructionPlace):
            self.show_instruction(to)
        else:
            super().jump(to)

    def show_instruction(self, place: InstructionPlace) -> None:
        """Select the first slice of an instruction and dim everything but its slices, as soon as its lanes are there."""
        self._wanted = place
        self.inner.want_traces()
        self._look()

    def refresh(self) -> None:
        super().refresh()
        self._look()

    def _look(self) -> None:
        place = self._wanted
        if place is None or getattr(self.inner.reading.get(place.card), "status", "") in ("waiting", "reading"):
            return
        self._wanted = None
        outer = self.inner.outer.store
        others = [
            card.name for card in outer.cards_of("operator") if card.kind == "simulation" and card.name != place.card
        ]
        self.ask(
            instruction_slices.find, then=lambda found: self._show_slices(place, found), card=place.card, others=others,
            ranges=place.ranges, file=place.file, line=place.line, name=place.name, pipe=place.pipe, core=place.core,
        )  # fmt: skip

    def _show_slices(self, place: InstructionPlace, found: instruction_slices.Found) -> None:
        capture = self.state.capture(found.card)
        first = self.state.slice(found.card, int(found.ids[0])) if len(found.ids) else None
        what = place.name or tr("Line : {0}").format(place.line)
        if capture is None or first is None:
            text = tr("{0}: no slice of the Timeline belongs to it.").format(what)
            self.context.message.emit("warning", text, tr("It may not have run on the cores that the trace has."))
            return
        self.go_to(first)
        if len(found.ids) > 1:
            shift = self.state.shift_of(first)
            end = int(np.asarray(capture.slice_end)[found.ids].max()) - shift
            start = first.start_ns - shift
            around = (end - start) // 20
            self.state.viewport.show(max(0, start - around), end + around)
        mask = np.zeros(len(capture.slice_start), np.bool_)
        mask[found.ids] = True
        self._is_lit = True
        self.state.filter.set_focus({found.card: Light(None, FilteredCapture(capture, mask))})
        self.inner.chain_shown.emit(found.card, found.ids.tolist())  # frames show the narrow ones
        count = number_text.count(len(found.ids))
        if len(found.ids) > 1:
            text = tr("{0}: {1} slices. The first one is selected, the others of the kernel are dimmed.").format(
                what, count
            )
        else:
            text = tr("{0}: one slice.").format(what)
        by_name = tr("The trace tells neither address nor line: they were found by name.")
        self.context.message.emit("info", text, by_name if found.how == instruction_slices.NAME else "")

    def _put_out(self) -> None:
        """Nothing is selected any more (Esc): everything is lit again."""
        if self._is_lit and self.state.selected is None:
            self._is_lit = False
            self.state.filter.set_focus({})
            self.body.chain.clear()

    def toggle_sync(self) -> None:
        """Take SET and WAIT with their links out of the chart, or bring them back."""
        self.body.verbs.toggle_sync()
        self._show_sync()

    def _selection_changed(self) -> None:
        super()._selection_changed()
        self._place = None
        self.source_button.setEnabled(False)
        chosen = self.state.selected
        if chosen is not None and chosen.kind == "slice" and chosen.card in self._with_source():
            self.ask(slice_source.place_of, then=self._take_place, card=chosen.card, slice_id=chosen.id)

    def _with_source(self) -> set[str]:
        """Kernels that have a Source page; a trace alone has none."""
        return {card.name for card in self.inner.outer.store.cards_of("operator") if card.kind == "operator"}

    def _take_place(self, place: SourcePlace | None) -> None:
        self._place = place
        self.source_button.setEnabled(place is not None)

    def _go_to_source(self) -> None:
        if self._place is not None:
            self.context.source_wanted.emit(self._place)

    def _sync_text(self) -> str:
        return tr("Show SET/WAIT events") if self.body.verbs.hides_sync() else tr("Hide SET/WAIT events")

    def _show_sync(self) -> None:
        """The button tells what holds; without SET and WAIT there are no links to choose."""
        hidden = self.body.verbs.hides_sync()
        self.sync_button.setChecked(hidden)
        self.sync_button.setToolTip(self._sync_text())
        self.flows_button.setEnabled(not hidden)

    def restore_state(self, state: dict[str, Any]) -> None:
        super().restore_state(state)
        self._show_sync()


TAB = Tab("operator.timeline", "Timeline", OperatorTimelinePage)
