"""Heading of a table with a row of filter fields below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QLineEdit, QTableView, QWidget

from insight_desktop.views.common import fonts, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec

FILTER_DELAY_MS = 150
_FILTER_ROW = 28
_FIELD_AIR = 20  # px: edges, paddings and caret of a field, and the gaps to its neighbours


class FilterHeader(QHeaderView):
    """Headings, and one filter field per column.

    Signals:
        filters_changed: texts by column name, a moment after the last key.
        leave_downwards: the user wants to go on into the rows.
    """

    filters_changed = Signal(dict)
    leave_downwards = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._fields: list[QLineEdit] = []
        self._specs: Sequence[ColumnSpec] = ()
        self._shown = True
        self._later = QTimer(self, singleShot=True, interval=FILTER_DELAY_MS)
        self._later.timeout.connect(self.emit_filters)
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(fonts.scaled(40))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        for signal in (self.sectionResized, self.sectionMoved, self.sectionCountChanged, self.geometriesChanged):
            signal.connect(self._place)
        theme.notifier.changed.connect(self._restyle)

    def set_columns(self, specs: Sequence[ColumnSpec]) -> None:
        """New columns: new, empty filter fields."""
        for field in self._fields:
            field.hide()  # it must not show through until it is gone
            field.deleteLater()
        self._specs = specs
        self._fields = []
        before: QWidget | None = None
        for spec in specs:
            field = QLineEdit(self)
            field.setProperty("inplace", True)
            field.setClearButtonEnabled(False)
            field.textEdited.connect(lambda _text: self._later.start())
            field.returnPressed.connect(self._return)
            field.installEventFilter(self)
            field.setVisible(self._shown and spec.filters)
            if before is not None:
                self.setTabOrder(before, field)
            before = field
            self._fields.append(field)
        self.retranslate()
        self.updateGeometries()

    def retranslate(self) -> None:
        """Set the texts of the fields in the current language."""
        for spec, field in zip(self._specs, self._fields, strict=True):
            field.setPlaceholderText(tr("contains…") if spec.is_text else tr(">, <, a..b"))
            field.setAccessibleName(tr("Filter {column}").format(column=spec.heading()))

    def show_filters(self, shown: bool) -> None:
        """Show or hide the filter row; hidden filters do not filter."""
        self._shown = shown
        for spec, field in zip(self._specs, self._fields, strict=True):
            field.setVisible(shown and spec.filters)
        self.updateGeometries()
        parent = self.parentWidget()
        if isinstance(parent, QTableView):
            parent.updateGeometry()

    def filters(self) -> dict[str, str]:
        """What is typed, by column name; empty fields left out."""
        if not self._shown:
            return {}
        typed = ((s.name, f.text().strip()) for s, f in zip(self._specs, self._fields, strict=True))
        return {name: text for name, text in typed if text}

    def set_filters(self, filters: dict[str, str]) -> None:
        """Fill the fields and filter at once."""
        for spec, field in zip(self._specs, self._fields, strict=True):
            field.setText(filters.get(spec.name, ""))
        self.emit_filters()

    def show_error(self, column: str | None, message: str = "") -> None:
        """Mark the field that cannot be read; None when all can."""
        for spec, field in zip(self._specs, self._fields, strict=True):
            wrong = spec.name == column
            state = "error" if wrong else "active" if field.text().strip() else ""
            field.setToolTip(message if wrong else "")
            if field.property("state") != state:
                field.setProperty("state", state)
                field.style().unpolish(field)
                field.style().polish(field)

    def field(self, column: str) -> QLineEdit:
        """The filter field of a column."""
        return self._fields[[s.name for s in self._specs].index(column)]

    def field_width(self, section: int) -> int:
        """What a column needs so that the words in its empty filter field are not cut; 0 without a field."""
        if not self._shown or not self._specs[section].filters:
            return 0
        field = self._fields[section]
        return QFontMetrics(fonts.ui()).horizontalAdvance(field.placeholderText()) + _FIELD_AIR

    def emit_filters(self) -> None:
        """Tell the filters now."""
        self._later.stop()
        self.filters_changed.emit(self.filters())

    def sizeHint(self) -> QSize:
        size = super().sizeHint()
        return QSize(size.width(), fonts.scaled(26) + (self._filter_height() if self._fields else 0))

    def updateGeometries(self) -> None:
        self.setViewportMargins(0, 0, 0, self._filter_height() if self._fields else 0)
        super().updateGeometries()
        self._place()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Down:
                self.leave_downwards.emit()
                return True
            if event.key() == Qt.Key.Key_Escape and isinstance(watched, QLineEdit) and watched.text():
                watched.clear()
                self.emit_filters()
                return True
        return False

    def _filter_height(self) -> int:
        return fonts.scaled(_FILTER_ROW) if self._shown else 0

    def _return(self) -> None:
        self.emit_filters()
        self.leave_downwards.emit()

    def _place(self, *_args: object) -> None:
        height = self._filter_height()
        top = self.height() - height + 2
        for i, field in enumerate(self._fields):
            hidden = self.isSectionHidden(i) or not self._shown or not self._specs[i].filters
            field.setVisible(not hidden)
            if not hidden:
                field.setGeometry(self.sectionViewportPosition(i) + 3, top, self.sectionSize(i) - 6, height - 4)

    def _restyle(self) -> None:
        self.setMinimumSectionSize(fonts.scaled(40))
        self.updateGeometries()

    def place_fields(self) -> None:
        """Move the fields to their columns, after scrolling."""
        self._place()
