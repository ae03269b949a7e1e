"""Reads only a part of a snapshot's events: what the bar says of it, its menu, and the question from which to which event."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QMenu, QVBoxLayout, QWidget

from insight_desktop.engine.load_options import EVENTS, EventRange
from insight_desktop.engine.memory.snapshot_data import Device
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr

if TYPE_CHECKING:
    from insight_desktop.views.memory.snapshot import SnapshotPage

_NUMBER = re.compile(r"\s*[0-9][0-9,_ ]{0,18}\s*")


def whole(device: Device) -> int:
    """Events of the whole trace in the file."""
    return int(device.facts.get("whole_events", device.events))


def before(device: Device) -> int:
    """Events of the file before the first one that was read."""
    return int(device.facts.get("first_event", 0))


def said(device: Device) -> str:
    """Which events were read."""
    count = number_text.count
    if device.events == whole(device):
        return tr("All events")
    if not device.events:
        return tr("no events of {0}").format(count(whole(device)))
    first = before(device)
    return tr("events {0} – {1} of {2}").format(count(first), count(first + device.events - 1), count(whole(device)))


def show_menu(page: SnapshotPage) -> None:
    """The menu below its button."""
    button = page.bar.part
    menu(page).exec(button.mapToGlobal(QPoint(0, button.height())))


def menu(page: SnapshotPage) -> QMenu:
    """The visible range, any range, everything."""
    made, found, visible = QMenu(page), page.opened, page.visible_range
    if found is None:
        return made
    device = found.device
    made.addAction(tr("Read only the visible range"), lambda: read_visible(page)).setEnabled(visible is not None)
    made.addAction(tr("Read only events…"), lambda: _ask(page)).setEnabled(whole(device) > 0)
    made.addSeparator()
    everything = made.addAction(tr("Read all events"), lambda: read(page, EventRange()))
    everything.setEnabled(bool(found.snapshot.facts.get("range")))
    return made


def read_visible(page: SnapshotPage) -> None:
    """Read only what the chart shows."""
    found, visible = page.opened, page.visible_range
    if found is not None and visible is not None:
        first = before(found.device)
        read(page, EventRange(first + visible[0], first + visible[1]))


def read(page: SnapshotPage, part: EventRange) -> None:
    """Have the card read again in this part."""
    if page.opened is not None:
        page.context.option_wanted.emit(page.opened.card, EVENTS, part.text)


def _ask(page: SnapshotPage) -> None:
    found, visible = page.opened, page.visible_range
    if found is None:
        return
    first = before(found.device)
    low, high = visible or (0, found.device.events - 1)
    dialog = PartDialog(first + low, first + high, whole(found.device), page)
    if dialog.exec():
        part = dialog.part()
        if part is not None:
            read(page, part)


class PartDialog(QDialog):
    """From which to which event.

    Args:
        first, last: what is filled in.
        events: of the whole trace.
    """

    def __init__(self, first: int, last: int, events: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Read only events"))
        self._events = events
        self.first, self.last = QLineEdit(number_text.count(first)), QLineEdit(number_text.count(max(first, last)))
        self.first.setAccessibleName(tr("First event"))
        self.last.setAccessibleName(tr("Last event"))
        self.hint = parts.label(level=3)
        self.hint.setWordWrap(True)
        self.hint.setMinimumHeight(52)
        self.buttons = QDialogButtonBox()
        self._apply = self.buttons.addButton(tr("Read"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self._apply.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        row = parts.columns(gap=8)
        for text, field in ((tr("From event"), self.first), (tr("to"), self.last)):
            row.addWidget(parts.label(text, level=2))
            row.addWidget(field, 1)
            field.textChanged.connect(lambda _text: self._show())
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(10)
        box.addLayout(row)
        box.addWidget(self.hint)
        box.addWidget(self.buttons)
        self.setMinimumWidth(420)
        self.first.selectAll()
        self._show()

    def part(self) -> EventRange | None:
        """The part as typed; None when it holds no event."""
        first, last = _number(self.first.text()), _number(self.last.text())
        if first is None or last is None or last < first or first >= self._events:
            return None
        return EventRange(first, None if last >= self._events - 1 else last)

    def _show(self) -> None:
        part = self.part()
        self._apply.setEnabled(part is not None)
        if part is None:
            text = tr("Write two event numbers from 0 to {0}, the smaller one first.").format(
                number_text.count(max(self._events - 1, 0))
            )
        else:
            low, high = part.within(self._events)
            text = tr("{0} of {1} events are read. Blocks that live at the first one count as allocated before; totals and states stay those of the whole file.").format(number_text.count(high - low), number_text.count(self._events))  # fmt: skip
        self.hint.setText(text)
        parts.set_state(self.hint, state="error" if part is None else "")


def _number(text: str) -> int | None:
    return int(re.sub(r"[,_ ]", "", text)) if _NUMBER.fullmatch(text) else None
