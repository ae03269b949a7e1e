"""The import dialog: a path box over a tree of folders; Confirm works on a selection only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QDir, QEvent, QModelIndex, QSortFilterProxyModel, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFileSystemModel, QLineEdit, QTreeView, QWidget

from insight_desktop.views.common import icons, parts, settings
from insight_desktop.views.common.language import tr
from insight_desktop.views.path_check import MAX_PATH, clean_path

LAST_PATH = "last_import_path"


class _FoldersFirst(QSortFilterProxyModel):
    def lessThan(self, left: Any, right: Any) -> bool:
        model = self.sourceModel()
        assert isinstance(model, QFileSystemModel)
        if model.isDir(left) != model.isDir(right):
            return model.isDir(left)
        return _natural(model.fileName(left)) < _natural(model.fileName(right))

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            model = self.sourceModel()
            assert isinstance(model, QFileSystemModel)
            return icons.icon("folder" if model.isDir(self.mapToSource(index)) else "file")
        if role == Qt.ItemDataRole.DisplayRole and index.column() == 3:
            model = self.sourceModel()
            assert isinstance(model, QFileSystemModel)
            return model.lastModified(self.mapToSource(index)).toString(
                "yyyy-MM-dd HH:mm"
            )  # as dates are told everywhere
        return super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (tr("Name"), tr("Size"), tr("Type"), tr("Changed"))[section]
        return super().headerData(section, orientation, role)


def _natural(name: str) -> list[tuple[int, int, str]]:
    parts_of: list[tuple[int, int, str]] = []
    digits = ""
    for letter in name.lower() + "\0":
        if letter.isdigit():
            digits += letter
            continue
        if digits:
            parts_of.append((0, int(digits), ""))
            digits = ""
        parts_of.append((1, 0, letter))
    return parts_of


class ImportDialog(QDialog):
    """Choose files and folders by path or in the tree.

    Args:
        project: name of the project that the data are added to; None makes a new project.
        start: where the tree opens; the last used path when None.
    """

    def __init__(self, project: str | None = None, start: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.project = project
        self._wanted: Path | None = None
        self.resize(800, 520)
        layout = parts.rows(self, margins=(16, 14, 16, 14), gap=6)
        self.about = parts.label(level=2)
        layout.addWidget(self.about)
        layout.addLayout(self._build_box())
        self.hint = parts.label(level=3)
        self.hint.setWordWrap(True)
        layout.addWidget(self.hint)
        layout.addWidget(self._build_tree(), 1)
        layout.addSpacing(4)
        layout.addLayout(self._build_buttons())
        self.retranslate()
        self.locate(start or Path(settings.read(LAST_PATH) or Path.home()))

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_box(self) -> Any:
        row = parts.columns(gap=8)
        self.path = QLineEdit()
        self.path.setMaxLength(MAX_PATH)
        self.path.textEdited.connect(self._edited)
        self.path.textChanged.connect(self._count)
        self.counter = parts.label(level=3)
        self.counter.setMinimumWidth(72)
        self.counter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.refresh_button = parts.icon_button("arrow-clockwise", click=self.reload)
        row.addWidget(self.path, 1)
        row.addWidget(self.counter)
        row.addWidget(self.refresh_button)
        return row

    def _build_tree(self) -> QTreeView:
        self.files = QFileSystemModel(self)
        self.files.setFilter(QDir.Filter.AllEntries | QDir.Filter.NoDotAndDotDot | QDir.Filter.Hidden)
        self.files.setOption(QFileSystemModel.Option.DontUseCustomDirectoryIcons)
        self.files.setRootPath("")
        self.sorted = _FoldersFirst(self)
        self.sorted.setSourceModel(self.files)
        self.sorted.sort(0)
        self.tree = QTreeView()
        self.tree.setProperty("edge", "box")
        self.tree.setModel(self.sorted)
        self.tree.setSelectionMode(QTreeView.SelectionMode.ExtendedSelection)
        self.tree.setUniformRowHeights(True)
        self.tree.setColumnWidth(0, 480)
        self.tree.setColumnHidden(2, True)
        self.tree.clicked.connect(self._clicked)
        self.tree.doubleClicked.connect(lambda _index: self._confirm())
        self.tree.selectionModel().selectionChanged.connect(lambda _new, _old: self._selection_changed())
        self.files.directoryLoaded.connect(lambda _path: self._try_select())
        return self.tree

    def _build_buttons(self) -> Any:
        row = parts.columns(gap=8)
        self.confirm_button = parts.button("", default=True, click=self._confirm)
        self.confirm_button.setEnabled(False)
        self.cancel_button = parts.button("", click=self.reject)
        row.addStretch(1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.confirm_button)
        return row

    def retranslate(self) -> None:
        self.setWindowTitle(tr("Which data should be opened?"))
        text = (
            tr("Adds to the project {name}.").format(name=self.project)
            if self.project
            else tr("Opens as a new project.")
        )
        self.about.setText(text)
        self.path.setPlaceholderText(tr("Type or paste a path, then press Enter"))
        self.path.setAccessibleName(tr("Path"))
        self.confirm_button.setText(tr("Confirm"))
        self.cancel_button.setText(tr("Cancel"))
        parts.set_tip(self.refresh_button, tr("Refresh"))
        self._say("")
        self._count(self.path.text())

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- use ---------------------------------------------------------------------------------------------------------

    def selected(self) -> list[Path]:
        """The chosen files and folders."""
        rows = self.tree.selectionModel().selectedRows(0)
        return [Path(self.files.filePath(self.sorted.mapToSource(index))) for index in rows]

    def locate(self, path: Path) -> bool:
        """Open the tree at a path and select it; False when it does not exist."""
        try:
            there = path.exists()
        except OSError:
            there = False
        if not there:
            self._say(tr("{path} does not exist.").format(path=path), wrong=True)
            return False
        self._wanted = path
        self._try_select()
        return True

    def reload(self) -> None:
        """Read the folders from the disk again."""
        self.files.setRootPath("/nowhere")
        self.files.setRootPath("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.path.hasFocus():
            self._search()  # Enter in the path box looks for the path; it does not press Confirm
            return
        super().keyPressEvent(event)

    def _search(self) -> None:
        text = clean_path(self.path.text())
        if text and self.locate(Path(text)):
            self.path.setText(text)
            self._say("")

    def _try_select(self) -> None:
        """Select the wanted path; folders load in the background, so this is tried again whenever one arrived."""
        if self._wanted is None:
            return
        source = self.files.index(str(self._wanted))
        index = self.sorted.mapFromSource(source)
        if not index.isValid():
            return
        parent = index.parent()
        while parent.isValid():
            self.tree.expand(parent)
            parent = parent.parent()
        self.tree.setCurrentIndex(index)
        self.tree.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter)
        wanted = self._wanted
        QTimer.singleShot(300, self.tree, lambda: self._settle(wanted))

    def _settle(self, path: Path) -> None:
        if self._wanted == path:
            index = self.sorted.mapFromSource(self.files.index(str(path)))
            self.tree.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter)
            self._wanted = None
            if not self.path.isModified():
                self.path.selectAll()  # typing replaces the remembered path

    def _edited(self, _text: str) -> None:
        self._wanted = None
        self.tree.clearSelection()
        self._say("")

    def _count(self, text: str) -> None:
        self.counter.setText(f"{len(text)} / {MAX_PATH}")

    def _clicked(self, index: QModelIndex) -> None:
        self._wanted = None
        self.tree.setExpanded(index, not self.tree.isExpanded(index))
        self.path.setText(self.files.filePath(self.sorted.mapToSource(index)))
        self._say("")

    def _selection_changed(self) -> None:
        chosen = self.selected()
        self.confirm_button.setEnabled(bool(chosen))
        if chosen and not self.path.hasFocus():
            self.path.setText(str(chosen[0]))
        if len(chosen) > 1:
            self._say(tr("{count} files and folders are selected.").format(count=len(chosen)))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        self.hint.setText(text or tr("Choose one or more files or folders. Enter looks for the typed path."))
        parts.set_state(self.hint, state="error" if wrong else "")

    def _confirm(self) -> None:
        chosen = self.selected()
        if chosen:
            settings.write(LAST_PATH, str(chosen[0]))
            self.accept()

    def model(self) -> QAbstractItemModel:
        return self.sorted
