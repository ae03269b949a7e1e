"""The popover that chooses categories of links whose links are all drawn."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from insight_desktop.engine.timeline import links
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.flag_edit import swatch
from insight_desktop.views.timeline.flow_lines import MOST_CATEGORIES, colour_of
from insight_desktop.views.timeline.state import TimelineState


def categories(state: TimelineState) -> dict[str, int]:
    """All categories of the open cards with the number of their links, by name."""
    found: dict[str, int] = {}
    for opened in state.cards.values():
        if opened.capture is not None:
            for name, count in links.categories(opened.capture).items():
                found[name] = found.get(name, 0) + count
    return dict(sorted(found.items()))


class FlowMenu(QFrame):
    """Search box, check boxes, All and None; at most ten categories are drawn at once, unless the page allows any number."""

    def __init__(self, state: TimelineState, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.state = state
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search"))
        self.field.setAccessibleName(tr("Search categories of links"))
        self.field.textChanged.connect(self._keep)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Flow Events"))
        self.hint = parts.label(level=3)
        for name, count in categories(state).items():
            item = QListWidgetItem(swatch(colour_of(name).name()), f"{name} ({number_text.count(count)})", self.list)
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = name in state.modes.flow_categories
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.list.itemChanged.connect(lambda _item: self._apply())
        row = parts.columns(margins=(0, 0, 0, 0))
        row.addWidget(parts.button(tr("All"), click=lambda: self.check_all(True)))
        row.addWidget(parts.button(tr("None"), click=lambda: self.check_all(False)))
        row.addStretch(1)
        box = parts.rows(self, margins=(8, 8, 8, 8), gap=6)
        box.addWidget(self.field)
        box.addWidget(self.list, 1)
        box.addLayout(row)
        box.addWidget(self.hint)
        self.resize(300, 260)
        self._apply()

    def checked(self) -> list[str]:
        """The categories that are on, in the order of the list."""
        items = [self.list.item(i) for i in range(self.list.count())]
        return [str(i.data(Qt.ItemDataRole.UserRole)) for i in items if i.checkState() == Qt.CheckState.Checked]

    def check_all(self, on: bool) -> None:
        """Switch what the search box shows on or off."""
        self.list.blockSignals(True)
        for i in range(self.list.count()):
            item = self.list.item(i)
            if not item.isHidden():
                item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.list.blockSignals(False)
        self._apply()

    def _keep(self, text: str) -> None:
        for i in range(self.list.count()):
            item = self.list.item(i)
            item.setHidden(text.strip().lower() not in item.text().lower())

    def _apply(self) -> None:
        names = self.checked()
        is_free = self.state.modes.any_categories
        self.state.modes.set_flow_categories(names if is_free else names[:MOST_CATEGORIES])
        if not self.list.count():
            self.hint.setText(tr("The data have no links."))
        elif len(names) > MOST_CATEGORIES and is_free:
            self.hint.setText(tr("More than {0} categories: lines lie on each other.").format(MOST_CATEGORIES))
        elif len(names) > MOST_CATEGORIES:
            self.hint.setText(
                tr("At most {0} categories are drawn: the first {0} of the list.").format(MOST_CATEGORIES)
            )
        else:
            self.hint.setText("")
