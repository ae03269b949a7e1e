"""The panel around every chart: head with title, legend, note and buttons; export and copy; what stands without data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QPainter
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QMenu, QSizePolicy, QStackedWidget, QToolButton, QWidget

from insight_desktop.errors import BadArgument
from insight_desktop.views.common import chart_export, fonts, icons, parts
from insight_desktop.views.common.chart_legend import Entry
from insight_desktop.views.common.empty_text import EmptyText
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.table_columns import ColumnSpec
from insight_desktop.views.common.table_text import as_text, write_file

HEAD = 34
_LEAST_TITLE, _LEAST_SUBTITLE = 140, 60  # px


class _Title(parts.YieldingLabel):
    """The title of a chart: other words in the head yield before it does."""

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), fonts.scaled(_LEAST_TITLE)), super().minimumSizeHint().height())


class ChartBox(QFrame):
    """A chart with its head. Subclasses give `entries`, `paint_picture`, `numbers`, `summary` and fill `content`.

    Signals:
        exported: path of a file that was written.
        failed: an InsightError of an export.
        collapsed_changed: True when only the head is left.
    """

    exported = Signal(str)
    failed = Signal(object)
    collapsed_changed = Signal(bool)

    def __init__(self, title: str = "", *, collapsible: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("box")
        self._collapsible = collapsible
        self.title_label = _Title(title, Qt.TextElideMode.ElideRight)
        self.title_label.setProperty("strong", "true")
        self.subtitle = parts.ElidedLabel(mode=Qt.TextElideMode.ElideRight)
        self.subtitle.setProperty("level", "2")
        self.subtitle.least = _LEAST_SUBTITLE
        self.subtitle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note = QLabel()
        self.note.setProperty("chip", "plain")
        self.note.setProperty("level", "2")
        parts.keep_height(self.note, 20)
        self.note.hide()
        self.caret = parts.icon_button("caret-down", click=lambda: self.set_collapsed(not self.is_collapsed))
        self.caret.setVisible(collapsible)
        self.menu_button = parts.icon_button("dots-three", click=self._menu_under_button)
        self.head = QWidget()
        self.head.setObjectName("surface")
        parts.keep_least_height(self.head, HEAD)  # a legend of two lines makes it higher
        self.head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.head_row = parts.columns(self.head, margins=(6 if collapsible else 10, 2, 6, 2), gap=8)
        self.buttons = parts.columns(gap=2)
        self.buttons.addWidget(self.menu_button)
        self.stack = QStackedWidget()
        self.empty = EmptyText()
        self.content = QWidget()
        self.content.setObjectName("canvas")
        self.content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.stack.addWidget(self.content)
        self.stack.addWidget(self.empty)
        self.head_row.addWidget(self.caret)
        self.head_row.addWidget(self.title_label)
        self.head_row.addWidget(self.subtitle, 1)
        self.head_row.addWidget(self.note)
        self.head_row.addLayout(self.buttons)
        column = parts.rows(self, margins=(1, 1, 1, 1))
        column.addWidget(self.head)
        column.addWidget(parts.line())
        column.addWidget(self.stack, 1)
        self.retranslate()

    def add_button(self, icon: str, click: Callable[[], None], *, checkable: bool = False) -> QToolButton:
        """Another button in the head, before the menu."""
        button = parts.icon_button(icon, click=click)
        button.setCheckable(checkable)
        self.buttons.insertWidget(self.buttons.count() - 1, button)
        return button

    # ---- texts -------------------------------------------------------------------------------------------------------

    def set_title(self, title: str, subtitle: str = "") -> None:
        """Title and quiet words behind it, in the current language."""
        self.title_label.set_text(title)
        self.subtitle.set_text(subtitle)
        self._describe()

    @property
    def title(self) -> str:
        """The title."""
        return self.title_label.full_text()

    def set_note(self, text: str) -> None:
        """What is said about how much is drawn; empty for nothing."""
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def set_empty(self, title: str | None, text: str = "") -> None:
        """Words in place of the chart; None shows the chart."""
        if title is not None:
            self.empty.set_texts(title, text)
        self.stack.setCurrentWidget(self.content if title is None else self.empty)
        self._describe()

    @property
    def is_empty(self) -> bool:
        """Words stand in place of the chart."""
        return self.stack.currentWidget() is self.empty

    def retranslate(self) -> None:
        """Texts in the current language."""
        parts.set_tip(self.menu_button, tr("Export and copy"))
        parts.set_tip(self.caret, tr("Collapse or expand"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def set_collapsed(self, collapsed: bool) -> None:
        """Leave only the head, or bring the chart back."""
        if collapsed == self.is_collapsed:
            return
        self.stack.setVisible(not collapsed)
        icons.put(self.caret, "caret-right" if collapsed else "caret-down")
        if collapsed:
            self.setMaximumHeight(max(fonts.scaled(HEAD), self.head.sizeHint().height()) + 2)
        else:
            self.setMaximumHeight(16_777_215)
        self.collapsed_changed.emit(collapsed)

    @property
    def is_collapsed(self) -> bool:
        """Only the head is left."""
        return self.stack.isHidden()

    # ---- what subclasses give ----------------------------------------------------------------------------------------

    def entries(self) -> Sequence[Entry]:
        """Legend of an exported picture."""
        return ()

    def paint_picture(self, painter: QPainter, width: float, height: float) -> None:
        """The chart in any size."""

    def numbers(self) -> tuple[pa.Table, Sequence[ColumnSpec]]:
        """What is shown, as a table."""
        return pa.table({}), ()

    def summary(self) -> str:
        """One line for those who cannot see the chart."""
        return self.title

    def _describe(self) -> None:
        if self.is_empty:
            title, text = self.empty.texts()
            self.setAccessibleName(f"{self.title}: {title} {text}".strip())
        else:
            self.setAccessibleName(self.summary())

    # ---- export ------------------------------------------------------------------------------------------------------

    @property
    def picture_size(self) -> QSize:
        """Size of an exported picture, as on the screen but not tiny."""
        return QSize(max(640, self.content.width()), max(320, self.content.height()) + 40)

    def export(self, path: Path) -> None:
        """Write a .png, .svg or .csv; `exported` or `failed` follows."""
        try:
            if path.suffix.lower() in (".csv", ".tsv", ".md", ".arrow", ".parquet"):
                write_file(path, *self.numbers())
            else:
                chart_export.write_picture(path, self.picture_size, self.title, self.entries(), self.paint_picture)
        except BadArgument as error:
            self.failed.emit(error)
        else:
            self.exported.emit(str(path))

    def export_dialog(self) -> None:
        """Ask for a file and export to it."""
        name, kind = QFileDialog.getSaveFileName(self, tr("Export chart"), "", chart_export.KINDS)
        if name:
            self.export(chart_export.named(name, kind))

    def copy_image(self) -> None:
        """Put the picture on the clipboard."""
        found = chart_export.image(self.picture_size, self.title, self.entries(), self.paint_picture)
        QGuiApplication.clipboard().setImage(found)

    def copy_numbers(self) -> None:
        """Put the numbers on the clipboard, separated by tabs."""
        QGuiApplication.clipboard().setText(as_text(*self.numbers(), "tsv"))

    def menu(self) -> QMenu:
        """Export and copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, text, do in (
            ("copy", tr("Copy picture"), self.copy_image),
            ("", tr("Copy numbers"), self.copy_numbers),
            ("download-simple", tr("Export chart…"), self.export_dialog),
        ):
            action = QAction(text, menu)
            if icon:
                action.setIcon(icons.icon(icon))
            action.setEnabled(not self.is_empty)
            action.triggered.connect(lambda _checked=False, do=do: do())
            menu.addAction(action)
        return menu

    def _menu_under_button(self) -> None:
        self.menu().exec(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height())))

    def show_menu(self, at: QPoint) -> None:
        """The menu at a global position."""
        self.menu().exec(at)
