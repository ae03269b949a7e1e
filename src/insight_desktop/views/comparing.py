"""The two cards that are compared: the baseline, of any project, and the comparison, of the project that is open.

A baseline of another project is read (its capture is nearly always in the cache) and stands beside the open cards as
`Baseline_<rank>`; a baseline of the same project is there already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from insight_desktop.errors import InsightError
from insight_desktop.ingest.sources import AREA_OF_KIND
from insight_desktop.views.cards import BUSY, USABLE, CardRow, ProjectRow
from insight_desktop.views.common.engine_text import say
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.worker import Door

if TYPE_CHECKING:
    from insight_desktop.views.reading import Update
    from insight_desktop.views.workspace import Workspace

PREFIX = "Baseline_"


class Comparing(QObject):
    """Baseline and comparison of a workspace; both end when another project is opened.

    Signals:
        changed: another card is baseline or comparison, or none.

    Attributes:
        baseline: project and card, as the data panel lists them.
        comparison: card of the open project.
        guest: the row of a baseline of another project, as it stands in the store.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.baseline: tuple[ProjectRow, CardRow] | None = None
        self.comparison: CardRow | None = None
        self.guest: CardRow | None = None
        self._door = Door(self)
        workspace.leaving.connect(self.clear)
        workspace.project_opened.connect(self.clear)
        workspace.card_changed.connect(self.cards_changed)

    # ---- what is asked -----------------------------------------------------------------------------------------------

    def is_baseline(self, card: CardRow) -> bool:
        return self.baseline is not None and self.baseline[1] is card

    def holds(self, project: ProjectRow, card: CardRow | None = None) -> bool:
        """Whether a project, or one card of it, is being compared."""
        rows = [self.baseline[1]] if self.baseline is not None and self.baseline[0] is project else []
        if self.comparison is not None and project is self.workspace.current:
            rows.append(self.comparison)
        return bool(rows) if card is None else any(row is card for row in rows)

    def keeps(self, name: str, project: ProjectRow, card: CardRow | None = None) -> bool:
        """As `holds`, for something that is to be deleted: the user is told that it stays."""
        held = self.holds(project, card)
        if held:
            self._warn(tr("{name} is being compared.").format(name=name), tr("Unset baseline and comparison first."))
        return held

    def can_compare(self, project: ProjectRow, card: CardRow) -> bool:
        """Whether a card can be the comparison: only those of the open project can."""
        return project is self.workspace.current and AREA_OF_KIND.get(card.kind, "system") == "system"

    def can_be_baseline(self, card: CardRow) -> bool:
        return self.workspace.current is not None and AREA_OF_KIND.get(card.kind, "system") == "system"

    # ---- what is done ------------------------------------------------------------------------------------------------

    def set_baseline(self, project: ProjectRow, card: CardRow) -> None:
        """Make a card the baseline in place of the one before."""
        if not self.can_be_baseline(card):
            return
        self._drop_guest()
        self.baseline = (project, card)
        if self.comparison is card:
            self.comparison = None
        if project is self.workspace.current:
            self._read_if_needed(card)
        else:
            self._invite(card)
        self._note_kinds()
        self._tell()

    def set_comparison(self, card: CardRow) -> None:
        """Make a card of the open project the comparison."""
        current = self.workspace.current
        if current is None or not self.can_compare(current, card):
            return
        self.comparison = card
        if self.is_baseline(card):
            self.baseline = None
        self._read_if_needed(card)
        self._note_kinds()
        self._tell()

    def unset_baseline(self) -> None:
        """No baseline any more; a card of another project goes with everything that was arranged on it."""
        if self.baseline is not None:
            self.baseline = None
            self._drop_guest()
            self._tell()

    def unset_comparison(self) -> None:
        if self.comparison is not None:
            self.comparison = None
            self._tell()

    def clear(self) -> None:
        """Neither baseline nor comparison."""
        if self.baseline is not None or self.comparison is not None:
            self.baseline = self.comparison = None
            self._drop_guest()
            self._tell()

    # ---- the card of another project ---------------------------------------------------------------------------------

    def _invite(self, card: CardRow) -> None:
        """Read a card of another project and put it beside the open ones."""
        rank = card.source.rank if card.source.rank is not None else card.name
        name = self._free_name(f"{PREFIX}{rank}")
        row = CardRow(name, replace(card.source, name=name), card.kind, guest=True)
        self.guest = row
        tell: Callable[[CardRow, Update], None] = lambda r, update: self._door.call(self._told, r, update)  # noqa: E731
        self.workspace.reader.start([row], tell)
        if row.item is not None:
            self.workspace.context.reading[name] = row.item
        self.workspace.context.store_changed.emit()

    def _told(self, row: CardRow, update: Update) -> None:
        """News of the guest, in the window's thread."""
        if row is not self.guest or self.baseline is None:
            return
        update.apply(row)
        if row.status in BUSY:
            return
        context = self.workspace.context
        context.reading.pop(row.name, None)
        if row.status in USABLE:
            try:
                self.workspace.reader.open(context.store, row, self.baseline[0])
            except InsightError as error:
                row.status, row.message, row.fix = "failed", error.message, error.fix
        if row.status not in USABLE:
            self._warn(tr("The baseline cannot be read: {0}").format(say(row.message)), say(row.fix))
            self.unset_baseline()
            return
        context.store_changed.emit()
        self._tell()

    def _drop_guest(self) -> None:
        row, self.guest = self.guest, None
        if row is None:
            return
        context, reader = self.workspace.context, self.workspace.reader
        if row.status in BUSY:
            reader.cancel(row)
        context.reading.pop(row.name, None)
        context.store.remove(row.name)
        reader.release(row.name)
        if context.card == row.name:
            first = next((card.name for card in context.store.cards), None)
            self.workspace.select_card(first)
        context.store_changed.emit()
        context.card_forgotten.emit(row.name)

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _read_if_needed(self, card: CardRow) -> None:
        if card.status not in (*USABLE, *BUSY):
            self.workspace.read([card.name])

    def _free_name(self, name: str) -> str:
        current = self.workspace.current
        taken = {card.name for card in current.cards or []} if current is not None else set()
        number, free = 2, name
        while free in taken:
            free, number = f"{name}_{number}", number + 1
        return free

    def _note_kinds(self) -> None:
        """Figures of different kinds may differ by what they count; that is said, not refused."""
        if self.baseline is not None and self.comparison is not None and self.baseline[1].kind != self.comparison.kind:
            text = tr("The baseline is {0} data, the comparison {1} data.").format(
                self.baseline[1].kind, self.comparison.kind
            )
            fix = tr("Use the same kind on both where the card offers it, to compare like with like.")
            self.workspace.context.message.emit("info", text, fix)

    def _tell(self) -> None:
        context = self.workspace.context
        base = None
        if self.baseline is not None:
            base = self.guest.name if self.guest is not None else self.baseline[1].name
        there = {card.name for card in context.store.cards}
        context.set_compared(
            base if base in there else None,
            self.comparison.name if self.comparison is not None and self.comparison.name in there else None,
        )
        self.changed.emit()

    def cards_changed(self) -> None:
        """A card of the project is ready now, or gone."""
        current = self.workspace.current
        rows = (current.cards or []) if current is not None else []
        if self.comparison is not None and all(row is not self.comparison for row in rows):
            self.comparison = None
        if self.baseline is not None or self.comparison is not None:
            self._tell()

    def _warn(self, text: str, fix: str) -> None:
        self.workspace.context.message.emit("warning", text, fix)
