"""Asks for the timestamp offset of a card, in ns; it can be filled in so that the card begins at 0."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr

LIMIT_NS = 30 * 24 * 3600 * 10**9  # 30 days to either side
_NUMBER = re.compile(r"\s*[-+−]?[0-9][0-9,_ ]*\s*")


def parsed(text: str) -> int | None:
    """The ns of a typed offset, grouping marks allowed; None when it is no whole number or too large."""
    if not _NUMBER.fullmatch(text):
        return None
    value = int(re.sub(r"[,_ ]", "", text).replace("−", "-"))
    return value if abs(value) <= LIMIT_NS else None


class OffsetDialog(QDialog):
    """One number and what it does.

    Args:
        title: how the card is called.
        offset_ns: its offset now.
        lead_ns: the offset that makes its first event stand at 0.
    """

    def __init__(self, title: str, offset_ns: int, lead_ns: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Timestamp offset of {0}").format(title))
        self._lead_ns = lead_ns
        self.field = QLineEdit(str(offset_ns))
        self.field.setAccessibleName(tr("Timestamp offset (ns)"))
        self.align = parts.button(tr("Align to start"), click=self.align_to_start)
        self.align.setToolTip(tr("The first event of the card stands at 0"))
        self.hint = parts.label(level=3)
        self.hint.setWordWrap(True)
        self.hint.setMinimumHeight(36)
        self.buttons = QDialogButtonBox()
        self._apply = self.buttons.addButton(tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self._apply.setDefault(True)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        row = parts.columns(gap=8)
        row.addWidget(self.field, 1)
        row.addWidget(parts.label("ns", level=2))
        row.addWidget(self.align)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(10)
        box.addLayout(row)
        box.addWidget(self.hint)
        box.addWidget(self.buttons)
        self.setMinimumWidth(420)
        self.field.textChanged.connect(lambda _text: self._show())
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._show()

    def offset_ns(self) -> int:
        """The offset as typed."""
        return parsed(self.field.text()) or 0

    def align_to_start(self) -> None:
        """Fill in the lead of the card."""
        self.field.setText(str(self._lead_ns))

    def _show(self) -> None:
        value = parsed(self.field.text())
        self._apply.setEnabled(value is not None)
        if value is None:
            text = tr("Write a whole number of ns, at most 30 days to either side.")
        elif value == 0:
            text = tr("The card stands at its recorded time.")
        else:
            moved = tr("The card moves {0} to the left.") if value > 0 else tr("The card moves {0} to the right.")
            text = moved.format(number_text.duration(abs(value)))
        self.hint.setText(text)
        parts.set_state(self.hint, state="error" if value is None else "")
