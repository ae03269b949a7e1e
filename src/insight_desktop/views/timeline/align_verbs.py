"""Putting cards and lanes side by side: benchmark slice, time alignment, alignment by collectives, recorded time."""

from __future__ import annotations

import pyarrow as pa
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from insight_desktop.engine.timeline import align
from insight_desktop.engine.timeline.align import Alignment, Edge, Move
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.arrow_table import ArrowTable, ColumnSpec
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import Selected, TimelineState

_COLUMNS = (
    ColumnSpec("card", "Card"),
    ColumnSpec("offset_ns", "Offset", "ns", kind="count"),
    ColumnSpec(
        "residual_ns", "Residual", "ns", kind="count", tooltip="Median distance of the matched ends after the move"
    ),
    ColumnSpec("matches", "Matches", kind="count"),
    ColumnSpec("reason", "Reason"),
)


class AlignReport(QDialog):
    """The offsets that an alignment by collectives proposes, with the residual of every rank."""

    def __init__(self, found: pa.Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Align cards by collectives"))
        self.table = ArrowTable(columns=_COLUMNS, filter_row=False)
        self.table.show_table(found)
        hint = parts.label(
            tr("Operators of a shared group end together on all ranks. Cards without matches keep their place."),
            level=2,
        )
        hint.setWordWrap(True)
        buttons = QDialogButtonBox()
        buttons.addButton(tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box = QVBoxLayout(self)
        box.addWidget(hint)
        box.addWidget(self.table, 1)
        box.addWidget(buttons)
        self.resize(560, 320)


class AlignVerbs:
    """Alignments of one timeline."""

    def __init__(self, state: TimelineState, owner: QWidget) -> None:
        self.state, self.owner = state, owner
        self._asker = Asker(state.context, owner)

    def base_slice(self) -> Selected | None:
        """The selected slice if it can be the benchmark or be aligned."""
        chosen = self.state.selected
        return chosen if chosen is not None and chosen.kind == "slice" else None

    def can_align(self) -> bool:
        """Whether a slice of another second-level lane than the benchmark's is selected."""
        chosen, lead = self.base_slice(), self.state.modes.lead
        return chosen is not None and lead is not None and self._second(chosen) != self._second(lead)

    def align(self, edge: Edge) -> None:
        """Put the start or end of the selected slice below that of the benchmark slice."""
        chosen, lead = self.base_slice(), self.state.modes.lead
        if chosen is None or lead is None or not self.can_align():
            return
        move = align.benchmark(
            self.state.context.store, base=(lead.card, lead.id), target=(chosen.card, chosen.id), edge=edge,
            base_offset_ns=self._offset(lead),
        )  # fmt: skip
        self._apply([move])

    def time_align(self, edge: Edge) -> None:
        """Put the k-th slice of the name on every other card below the selected one; tells which cards have none."""
        chosen = self.base_slice()
        if chosen is None:
            return
        found = align.by_slice(
            self.state.context.store,
            card=chosen.card,
            slice_id=chosen.id,
            edge=edge,
            base_offset_ns=self._offset(chosen),
        )
        self._apply([move for move in found.moves if move.status == "moved"])
        self._report(found)

    def by_collectives(self) -> None:
        """Propose offsets from the collectives that the cards share, and apply them if the user agrees."""
        base = self.state.context.card
        self._asker.ask(align.alignment, then=self._show, method="collectives", base=base)

    def recover(self) -> None:
        """All cards at their recorded time, the full range, no benchmark."""
        self.state.modes.set_lead(None)
        self.state.placing.raw_time = True
        self.state.awaited.forget_times()
        self.state.set_offsets(dict.fromkeys(self.state.cards, 0))
        self.state.viewport.settle()
        self.state.viewport.show_all()

    def _show(self, found: pa.Table) -> None:
        dialog = AlignReport(found, self.owner)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self.apply_table(found)

    def apply_table(self, found: pa.Table) -> None:
        """Give the cards the offsets of an alignment."""
        self.state.set_offsets({row["card"]: row["offset_ns"] for row in found.to_pylist()})

    def _apply(self, moves: list[Move]) -> None:
        offsets: dict[str, int] = {}
        for move in moves:
            for track in move.tracks:
                unit = self.state.unit_of_track(move.card, track)
                if unit is not None and move.offset_ns is not None:
                    offsets[unit.second_key] = move.offset_ns
        self.state.set_lane_offsets(offsets)

    def _report(self, found: Alignment) -> None:
        context = self.state.context
        moved = sum(move.status == "moved" for move in found.moves)
        text = tr("{0} cards aligned by {1}, number {2} of its name.").format(moved, found.name, found.ordinal)
        if not found.unmoved:
            context.message.emit("success", text, "")
            return
        said = []
        for move in found.unmoved:
            card = self.state.card_title(move.card)
            if move.status == "missing":
                said.append(tr("{0} has no slice of this name.").format(card))
            else:
                said.append(tr("{0} has only {1} of them.").format(card, number_text.count(move.occurrences)))
        context.message.emit("warning", text, " ".join([*said, tr("They stay where they are.")]))

    def _second(self, chosen: Selected) -> str | None:
        unit = self.state.unit_of_track(chosen.card, chosen.track)
        return unit.second_key if unit is not None else None

    def _offset(self, chosen: Selected) -> int:
        return self.state.offset_ns(chosen.card, self.state.unit_of_track(chosen.card, chosen.track))
