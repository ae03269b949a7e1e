"""The start page: drop zone, path box, recent projects, samples, what opens, keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from insight_desktop.views.common import fonts, icons, parts, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.path_check import clean_path
from insight_desktop.views.recent_list import Recent, RecentList
from insight_desktop.views.samples import Sample, samples


def what_opens() -> list[tuple[str, str]]:
    """Kinds of files that open now, with what they are."""
    return [
        (tr("Folder"), tr("profiler output of one card or a whole cluster")),
        (".json .json.gz", tr("trace_view, msprof, chrome_tracing")),
        (".db", tr("profilers, cluster analysis, serving, MemScope")),
        (".bin", tr("visualize_data of msprof op")),
        (".pickle .pkl", tr("memory snapshots of torch_npu")),
        (".csv", tr("kernels, memory, steps, serving, MemScope")),
        (".insight", tr("a saved session")),
    ]


def first_keys() -> list[tuple[str, str]]:
    """The few keys worth knowing at the start."""
    return [
        (tr("Open"), "Ctrl+O"),
        (tr("Zoom and pan"), "W S A D"),
        (tr("Search"), "Ctrl+F"),
        (tr("Commands"), "Ctrl+Shift+P"),
        (tr("All keys"), "?"),
    ]


class StartPage(QScrollArea):
    """What the window shows while no project is open.

    Signals:
        folder_wanted, file_wanted: the native dialogs.
        paths_wanted: list of paths to open.
        recent_wanted: a Recent to open; recent_forgotten: one to take off the list; recent_cleared: all of them.
        keys_wanted: the sheet with all keys.
    """

    folder_wanted = Signal()
    file_wanted = Signal()
    paths_wanted = Signal(list)
    recent_wanted = Signal(object)
    recent_forgotten = Signal(object)
    recent_cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surface")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._inside = QWidget()
        self._inside.setObjectName("surface")
        self.setWidget(self._inside)
        outer = parts.rows(self._inside, margins=(44, 30, 44, 24))
        self.title = parts.label(role="start")
        self.subtitle = parts.label(level=2)
        outer.addWidget(self.title)
        outer.addSpacing(2)
        outer.addWidget(self.subtitle)
        outer.addSpacing(18)
        columns = parts.columns(gap=18)
        outer.addLayout(columns, 1)
        left = parts.rows(gap=12)
        columns.addLayout(left, 72)
        left.addWidget(self._build_drop())
        left.addLayout(self._build_path())
        left.addWidget(self._build_recent())
        left.addStretch(1)
        self._right = parts.rows(gap=14)
        columns.addLayout(self._right, 28)
        self.retranslate()

    # ---- building ----------------------------------------------------------------------------------------------------

    def _build_drop(self) -> QWidget:
        self.drop = DropZone()
        self.drop.setMinimumHeight(196)
        self.drop.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        layout = parts.rows(self.drop, margins=(12, 28, 12, 28))
        layout.addStretch(1)
        layout.addWidget(parts.IconLabel("download-simple", "accent", 34), 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(10)
        self.drop_title = parts.label(strong=True, role="explain")
        self.drop_title.setProperty("role", "title")
        layout.addWidget(self.drop_title, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(8)
        self.drop_hint = parts.label(level=2)
        layout.addWidget(self.drop_hint, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(12)
        row = parts.columns(gap=8)
        self.folder_button = parts.button("", "folder-open", default=True, click=self.folder_wanted.emit)
        self.file_button = parts.button("", "file", click=self.file_wanted.emit)
        row.addStretch(1)
        row.addWidget(self.folder_button)
        row.addWidget(self.file_button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addStretch(1)
        return self.drop

    def _build_path(self) -> QVBoxLayout:
        box = parts.rows(gap=4)
        row = parts.columns(gap=8)
        self.path = QLineEdit()
        self.path.setMaxLength(4096)
        self._path_icon = QAction(self.path)
        icons.put(self._path_icon, "terminal")
        self.path.addAction(self._path_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.open_button = parts.button("", click=self._open_typed)
        self.open_button.setEnabled(False)
        self.path.textChanged.connect(self._path_edited)
        self.path.returnPressed.connect(self._open_typed)
        row.addWidget(self.path, 1)
        row.addWidget(self.open_button)
        self.path_hint = parts.label(state="error")
        self.path_hint.hide()
        box.addLayout(row)
        box.addWidget(self.path_hint)
        return box

    def _build_recent(self) -> QWidget:
        self.recent_box = QFrame()
        self.recent_box.setObjectName("box")
        layout = parts.rows(self.recent_box, margins=(1, 1, 1, 1))
        head = QWidget()
        row = parts.columns(head, margins=(11, 4, 6, 4))
        self.recent_title = parts.label(strong=True)
        self.recent_count = parts.label(level=2)
        self.filter = QLineEdit()
        self.filter.setMaximumWidth(220)
        self.filter.setMinimumWidth(120)
        self._filter_icon = QAction(self.filter)
        icons.put(self._filter_icon, "funnel-simple")
        self.filter.addAction(self._filter_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.clear_button = parts.button("", "trash", flat=True, click=self.recent_cleared.emit)
        row.addWidget(self.recent_title)
        row.addWidget(self.recent_count)
        row.addStretch(1)
        row.addWidget(self.filter, 1)
        row.addWidget(self.clear_button)
        layout.addWidget(head)
        layout.addWidget(parts.line())
        self.recent = RecentList()
        self.filter.textChanged.connect(self._filter_recent)
        self.recent.chosen.connect(self.recent_wanted.emit)
        self.recent.forgotten.connect(self.recent_forgotten.emit)
        layout.addWidget(self.recent)
        self.recent_box.hide()
        return self.recent_box

    def _build_right(self) -> None:
        parts.clear(self._right)
        found = samples()
        if found:
            self._right.addWidget(self._samples_box(found))
        self._right.addWidget(_facts_box(tr("What opens"), what_opens()))
        self._right.addWidget(_keys_box(tr("Keys"), first_keys()))
        self._right.addStretch(1)

    def _samples_box(self, found: list[Sample]) -> QWidget:
        box, layout = _box(tr("Samples"), tr("built in"))
        for number, sample in enumerate(found):
            if number:
                layout.addWidget(parts.line())
            layout.addWidget(SampleRow(sample, partial(self._open_sample, sample)))
        return box

    def retranslate(self) -> None:
        self.title.setText(tr("Open a profile"))
        self.subtitle.setText(tr("Reads in place. Your files are never changed, and nothing leaves this machine."))
        self.drop_title.setText(tr("Drop files or folders here"))
        self.drop_hint.setText(tr("Several at once is fine. Kinds are recognised by content, not by name."))
        self.folder_button.setText(tr("Open folder…"))
        self.file_button.setText(tr("Open file…"))
        self.path.setPlaceholderText(tr("Paste a path, with or without quotes or file://"))
        self.path.setAccessibleName(tr("Path"))
        self.open_button.setText(tr("Open"))
        self.recent_title.setText(tr("Recent"))
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setAccessibleName(tr("Filter recent projects"))
        self.recent.setAccessibleName(tr("Recent"))
        self.clear_button.setText(tr("Clear"))
        self._build_right()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    # ---- use ---------------------------------------------------------------------------------------------------------

    def set_recent(self, rows: list[Recent]) -> None:
        """Show these projects and sessions; the box is left out while there are none."""
        self.recent.rows.set_rows(rows)
        self.recent_box.setVisible(bool(rows))
        self.recent_count.setText(str(len(rows)))
        self._fit_recent()

    def set_over(self, over: bool) -> None:
        """Something that can be dropped is above the window."""
        self.drop.set_over(over)

    def show_path_error(self, text: str) -> None:
        """Say below the path box why a path cannot be opened; empty text takes it away."""
        self.path_hint.setText(text)
        self.path_hint.setVisible(bool(text))
        parts.set_state(self.path, state="error" if text else "")

    def _fit_recent(self) -> None:
        rows = max(1, self.recent.rows.rowCount())
        height = self.recent.sizeHintForRow(0) if self.recent.rows.rowCount() else 52
        self.recent.setFixedHeight(min(rows, 8) * max(height, 40))

    def _filter_recent(self, text: str) -> None:
        self.recent.rows.set_filter(text)
        self._fit_recent()

    def _path_edited(self, text: str) -> None:
        self.open_button.setEnabled(bool(text.strip()))
        self.show_path_error("")

    def _open_sample(self, sample: Sample) -> None:
        self.paths_wanted.emit([sample.path])

    def _open_typed(self) -> None:
        text = clean_path(self.path.text())
        if not text:
            return
        path = Path(text)
        if not _exists(path):
            self.show_path_error(tr("{path} does not exist.").format(path=text))
            return
        self.paths_wanted.emit([path])


class DropZone(QWidget):
    """The dashed frame; it lights up while something is held above the window."""

    def __init__(self) -> None:
        super().__init__()
        self._over = False
        parts.repaint_on_theme(self)

    def set_over(self, over: bool) -> None:
        self._over = over
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(theme.token("focus" if self._over else "strong"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(theme.token("infobg" if self._over else "canvas"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()


class SampleRow(QPushButton):
    """A sample: icon, name, one line; a click opens it."""

    def __init__(self, sample: Sample, act: Callable[[], None]) -> None:
        super().__init__()
        self.setProperty("flat", "true")
        self.setProperty("tall", "true")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = parts.columns(self, margins=(12, 5, 8, 5), gap=12)
        layout.addWidget(parts.IconLabel(sample.icon, "accent", 18))
        words = parts.rows(gap=1)
        words.addWidget(parts.label(sample.title, strong=True))
        words.addWidget(parts.label(sample.about, level=2))
        layout.addLayout(words, 1)
        self.setToolTip(str(sample.path))
        self.setAccessibleName(f"{sample.title}. {sample.about}")
        self.clicked.connect(lambda _=False: act())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)


def _box(title: str, aside: str = "") -> tuple[QFrame, QVBoxLayout]:
    box = QFrame()
    box.setObjectName("box")
    layout = parts.rows(box, margins=(1, 1, 1, 1))
    head = QWidget()
    parts.keep_height(head, 34)
    row = parts.columns(head, margins=(10, 0, 10, 0))
    row.addWidget(parts.label(title, strong=True))
    row.addWidget(parts.label(aside, level=2))
    row.addStretch(1)
    layout.addWidget(head)
    layout.addWidget(parts.line())
    return box, layout


def _facts_box(title: str, facts: list[tuple[str, str]]) -> QWidget:
    box, layout = _box(title)
    inside = parts.rows(margins=(12, 8, 12, 10), gap=8)
    layout.addLayout(inside)
    for left, right in facts:
        row = parts.columns(gap=8)
        name = QLabel(left)
        name.setFont(fonts.mono(fonts.SMALL))
        name.setFixedWidth(fonts.scaled(110))
        row.addWidget(name)
        text = parts.label(right, level=2)
        text.setWordWrap(True)
        row.addWidget(text, 1)
        inside.addLayout(row)
    return box


def _keys_box(title: str, keys: list[tuple[str, str]]) -> QWidget:
    box, layout = _box(title)
    inside = parts.rows(margins=(12, 8, 12, 10), gap=6)
    layout.addLayout(inside)
    for left, right in keys:
        row = parts.columns()
        row.addWidget(parts.label(left, level=2))
        row.addStretch(1)
        row.addWidget(parts.key_caps(right))
        inside.addLayout(row)
    return box


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
