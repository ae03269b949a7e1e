"""From the Source page to the Timeline: the slices of an instruction or of a line, and why there are none."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from insight_desktop.views.common import icons
from insight_desktop.views.common.context import Context, InstructionPlace
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.source_load import Loaded
from insight_desktop.views.operator.source_model import CodeModel
from insight_desktop.views.operator.source_table import InstructionTable


def of_instruction(loaded: Loaded, place: int) -> InstructionPlace | None:
    """What the Timeline is to show for an instruction (0 first)."""
    if loaded.instructions is None or not 0 <= place < loaded.instructions.num_rows:
        return None
    row = loaded.instructions.slice(place, 1).to_pylist()[0]
    at = row.get("address_value")
    line = loaded.code.line_of(place, loaded.file) if loaded.file is not None else -1
    name = str(row.get("Source") or "").split(" ", 1)[0]
    return InstructionPlace(
        loaded.card, () if at is None else (int(at), int(at)), file=loaded.file if line > 0 else None,
        line=line if line > 0 else None, name=name, pipe=str(row.get("Pipe") or ""), core=loaded.core,
    )  # fmt: skip


def of_line(loaded: Loaded, line: int) -> InstructionPlace | None:
    """What the Timeline is to show for a line of the code (1 first); None for lines that made no instruction."""
    row = loaded.figures.get(line)
    if row is None or loaded.line_table is None or loaded.file is None:
        return None
    ranges = loaded.line_table["ranges"][row].as_py() or []
    return InstructionPlace(loaded.card, tuple(ranges), file=loaded.file, line=line, core=loaded.core)


class TimelineWay:
    """The entry of the menus and the keys of one Source page."""

    def __init__(self, context: Context, owner: QWidget, model: CodeModel, table: InstructionTable) -> None:
        self.context, self.owner, self.model, self.table = context, owner, model, table
        table.row_activated.connect(lambda row: self._go(self._instruction(row)))
        table.ways = self._instruction_entry
        model.line_entered.connect(lambda line: self._go(self._line(line)))
        model.menu_wanted.connect(self._pop)

    def menu(self, line: int) -> QMenu:
        """The context menu of a line of the code."""
        menu = QMenu(self.owner)
        menu.setObjectName("line menu")
        self._entry(menu, self._line(line), tr("No instruction was made of this line."))
        return menu

    def _pop(self, line: int, at: QPoint) -> None:
        menu = self.menu(line)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _instruction_entry(self, menu: QMenu) -> None:
        row = self.table.current_row()
        place = self._instruction(row) if row >= 0 else None
        self._entry(menu, place, tr("Choose an instruction."))

    def _entry(self, menu: QMenu, place: InstructionPlace | None, missing: str) -> None:
        """*Show in Timeline*; without a place, or without lanes, it says why it cannot."""
        action = QAction(icons.icon("crosshair-simple"), tr("Show in Timeline"), menu)
        reason = self.reason() or (missing if place is None else "")
        action.setEnabled(not reason)
        action.setToolTip(reason)
        menu.setToolTipsVisible(True)
        action.triggered.connect(lambda: self._go(place))
        menu.insertAction(menu.actions()[0] if menu.actions() else None, action)  # type: ignore[arg-type]
        if len(menu.actions()) > 1:
            menu.insertSeparator(menu.actions()[1])

    def reason(self) -> str:
        """Why no instruction can be shown over time; empty when they can."""
        loaded = self.model.loaded
        if loaded is None or not loaded.has_lanes:
            return tr("The kernel has no instructions over time: collect it with the simulator of msprof op.")
        return ""

    def _instruction(self, row: int) -> InstructionPlace | None:
        return of_instruction(self.model.loaded, row) if self.model.loaded is not None else None

    def _line(self, line: int) -> InstructionPlace | None:
        return of_line(self.model.loaded, line) if self.model.loaded is not None else None

    def _go(self, place: InstructionPlace | None) -> None:
        reason = self.reason()
        if reason:
            self.context.message.emit("warning", reason, "")
        elif place is not None:
            self.context.instruction_wanted.emit(place)
