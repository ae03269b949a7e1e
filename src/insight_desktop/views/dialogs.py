"""Dialogs: questions, keys, settings, about, problem paths, relink."""

from __future__ import annotations

import platform
import re
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

import insight_desktop
from insight_desktop.engine import places
from insight_desktop.views import path_check
from insight_desktop.views.common import fonts, icons, language, number_text, parts, settings, theme
from insight_desktop.views.common.language import tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.reading import MAX_CACHE_GB, MIN_CACHE_GB, cache_limit_gb
from insight_desktop.views.workspace import Checked

WIDTH = 560
PACKAGES = (
    "PySide6-Essentials", "pyqtgraph", "duckdb", "pyarrow", "numpy", "numba", "orjson", "adbc-driver-sqlite", "platformdirs",
    "qtawesome", "QtPy", "zstandard", "fontpkg-inter", "fontpkg-jetbrains-mono",
)  # fmt: skip


class Dialog(QDialog):
    """Title, content, verbs at the right; Esc cancels."""

    def __init__(self, title: str, parent: QWidget | None = None, *, width: int = WIDTH) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(min(width, 420))
        self._width = width
        self.outer = parts.rows(self, margins=(16, 14, 16, 14), gap=8)
        self.content: QVBoxLayout = parts.rows(gap=8)
        self.outer.addLayout(self.content, 1)
        self.outer.addSpacing(4)
        self._verbs = parts.columns(gap=8)
        self._verbs.addStretch(1)
        self.outer.addLayout(self._verbs)

    def showEvent(self, event: QShowEvent) -> None:
        height = max(self.sizeHint().height(), self.outer.totalHeightForWidth(self._width))
        self.resize(self._width, height)
        super().showEvent(event)

    def add_verb(self, text: str, act: Any, *, default: bool = False) -> Any:
        button = parts.button(text, default=default, click=act)
        self._verbs.addWidget(button)
        return button


class QuestionDialog(Dialog):
    """A question that cannot be undone: title, consequence, Cancel and a verb."""

    def __init__(self, title: str, text: str, verb: str, parent: QWidget | None = None, *, width: int = 460) -> None:
        super().__init__(title, parent, width=width)
        head = parts.label(title, strong=True)
        head.setWordWrap(True)
        self.content.addWidget(head)
        about = parts.label(text, level=2)
        about.setWordWrap(True)
        self.content.addWidget(about)
        self.add_verb(tr("Cancel"), self.reject)
        self.verb = self.add_verb(verb, self.accept, default=True)


def delete_question(projects: list[str], cards: list[str], parent: QWidget | None = None) -> QuestionDialog:
    """Ask before projects and cards are taken off the list."""
    if len(projects) + len(cards) == 1:
        title = (
            tr("Delete the project {name}?").format(name=projects[0])
            if projects
            else tr("Delete card {name} from the project?").format(name=cards[0])
        )
    else:
        title = tr("Delete {count} entries?").format(count=len(projects) + len(cards))
    text = tr("Only the entry and its view go. The profiling files on the disk stay as they are.")
    return QuestionDialog(title, text, tr("Delete"), parent)


class ProblemsDialog(Dialog):
    """Paths with problems: a list with reasons; Continue where that is possible, else only Close."""

    def __init__(self, checked: Checked, parent: QWidget | None = None) -> None:
        super().__init__(tr("Some paths have problems"), parent, width=720)
        problems = checked.problems
        self.checked = checked
        self.content.addWidget(parts.label(_problem_head(checked), strong=True))
        self.table = QTableWidget(len(problems), 2)
        self.table.setHorizontalHeaderLabels([tr("Path"), tr("Problem")])
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setColumnWidth(0, 360)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setMinimumHeight(120)
        for row, problem in enumerate(problems):
            path = QTableWidgetItem(str(problem.path))
            path.setToolTip(str(problem.path))
            mark = ("warning", "warn") if problem.passable else ("x-circle", "error")
            why = QTableWidgetItem(icons.icon(*mark), reason(problem))
            why.setToolTip(reason(problem))
            self.table.setItem(row, 0, path)
            self.table.setItem(row, 1, why)
        self.table.verticalHeader().setDefaultSectionSize(fonts.scaled(24))
        self.content.addWidget(self.table)
        note = parts.label(tr("Nothing was read yet. The files are not changed."), level=2)
        self.content.addWidget(note)
        can_go_on = checked.discovery is not None and bool(checked.discovery.cards)
        self.add_verb(tr("Cancel") if can_go_on else tr("Close"), self.reject, default=not can_go_on)
        self.continue_button = self.add_verb(tr("Continue"), self.accept, default=True) if can_go_on else None


def _problem_head(checked: Checked) -> str:
    blocked = sum(not p.passable for p in checked.problems)
    if checked.discovery is None or not checked.discovery.cards:
        return tr("Nothing can be opened.")
    if blocked:
        return tr("{count} paths are left out; the others can be opened.").format(count=blocked)
    return tr("The import can continue.")


def reason(problem: path_check.Problem) -> str:
    """Text of a result code."""
    texts = {
        "missing": tr("does not exist"),
        "unreadable": tr("no read permission"),
        "odd character": tr("holds the control character {value}").format(value=problem.value),
        "too long": tr("is {value} characters long; 4096 are possible").format(value=problem.value),
        "not regular": tr("is neither a file nor a folder"),
        "large": tr("is {size} large; reading may take long").format(
            size=number_text.bytes_text(int(problem.value or 0))
        ),
        "other": problem.value,
    }
    return texts.get(problem.what, problem.what)


class KeysDialog(Dialog):
    """All keys, by group."""

    def __init__(self, groups: list[tuple[str, list[tuple[str, str]]]], parent: QWidget | None = None) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent, width=760)
        self.groups = groups
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Filter"))
        self.search.setAccessibleName(tr("Filter"))
        self.search.textChanged.connect(self._fill)
        self.content.addWidget(self.search)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._inside = QWidget()
        self._inside.setObjectName("surface")
        self._columns = parts.columns(self._inside, margins=(0, 4, 12, 4), gap=28)
        area.setWidget(self._inside)
        area.setMinimumHeight(440)
        self.content.addWidget(area, 1)
        self.add_verb(tr("Close"), self.accept, default=True)
        self._fill("")

    def _fill(self, wanted: str) -> None:
        parts.clear(self._columns)
        needle = wanted.strip().lower()
        shown = [(g, [k for k in keys if needle in f"{k[0]} {k[1]}".lower()]) for g, keys in self.groups]
        shown = [(g, keys) for g, keys in shown if keys]
        half = (sum(len(keys) + 2 for _, keys in shown) + 1) // 2
        column = parts.rows(gap=6)
        lines = 0
        for group, keys in shown:
            if lines and lines >= half:
                column.addStretch(1)
                self._columns.addLayout(column, 1)
                column, lines = parts.rows(gap=6), 0
            column.addWidget(parts.label(group, strong=True))
            for key, text in keys:
                row = parts.columns(gap=12)
                words = parts.label(text, level=2)
                words.setWordWrap(True)
                row.addWidget(words, 1)
                row.addWidget(_caps(key), 0, Qt.AlignmentFlag.AlignTop)
                column.addLayout(row)
            column.addSpacing(8)
            lines += len(keys) + 2
        column.addStretch(1)
        self._columns.addLayout(column, 1)

    def texts(self) -> list[str]:
        """All lines as `key: text`."""
        return [f"{key}: {text}" for _, keys in self.groups for key, text in keys]


def _caps(keys: str) -> QWidget:
    """`W / S` and `A / D, ←` become caps with plain words between them."""
    box = QWidget()
    row = parts.columns(box, gap=3)
    row.addStretch(1)
    for number, alternative in enumerate(re.split(r" / |, ", keys)):
        if number:
            row.addWidget(parts.label("/", level=3))
        row.addWidget(parts.key_caps(alternative.strip()))
    return box


class AboutDialog(Dialog):
    """Product, version, and the licences of what it is built from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("About Insight Desktop"), parent)
        top = parts.columns(gap=14)
        top.addWidget(parts.IconLabel("chart-bar-horizontal", "accent", 40))
        words = parts.rows(gap=2)
        words.addWidget(parts.label("Insight Desktop", role="title"))
        words.addWidget(parts.label(version_text(), level=2))
        words.addWidget(parts.label(tr("Licence: Apache 2.0. Works offline; your files are never changed."), level=2))
        top.addLayout(words, 1)
        self.content.addLayout(top)
        self.content.addWidget(parts.label(tr("Built with"), strong=True))
        self.licences = QPlainTextEdit()
        self.licences.setReadOnly(True)
        self.licences.setFont(fonts.mono(fonts.SMALL))
        self.licences.setPlainText("\n".join(licence_lines()))
        self.licences.setMinimumHeight(240)
        self.content.addWidget(self.licences, 1)
        self.add_verb(tr("Copy"), lambda: QApplication.clipboard().setText(self.text()))
        self.add_verb(tr("Close"), self.accept, default=True)

    def text(self) -> str:
        return "\n".join([version_text(), *licence_lines()])


def version_text() -> str:
    return tr("Version {version} · Python {python} · {system}").format(
        version=insight_desktop.__version__, python=platform.python_version(), system=platform.platform(terse=True)
    )


def licence_lines() -> list[str]:
    """One line per package: name, version, licence."""
    lines = []
    for name in PACKAGES:
        try:
            about: Any = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        licence = about.get("License-Expression") or _short(about.get("License")) or _classified(about)
        lines.append(f"{about['Name']:<24} {about['Version']:<14} {licence}")
    return lines


def _short(text: str | None) -> str:
    first = (text or "").strip().splitlines()
    return first[0] if first and len(first[0]) < 60 else ""


def _classified(about: Any) -> str:
    found = [c.rsplit("::", 1)[-1].strip() for c in about.get_all("Classifier") or [] if c.startswith("License")]
    return ", ".join(found) or "see the package"


class SettingsDialog(Dialog):
    """Theme, language, text size, colours, start, cache. Changes apply at once.

    Signals:
        cache_limit_changed: the new limit in GB.
    """

    cache_limit_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Settings"), parent)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(1, 1)
        self.content.addLayout(grid)
        self._build_look()
        self._build_rest()
        rows: tuple[QWidget, ...] = (
            self.theme_box, self.language_box, self.scale_box, self.safe_box, self.reopen_box, self.cache_box,
            parts.ElidedLabel(str(places.captures_dir())), parts.ElidedLabel(str(places.log_dir())),
        )  # fmt: skip
        self._rows = [(parts.label(level=2), widget) for widget in rows]
        for number, (label, widget) in enumerate(self._rows):
            grid.addWidget(label, number, 0)
            grid.addWidget(widget, number, 1)
            if isinstance(widget, parts.ElidedLabel):
                widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                widget.setToolTip(widget.full_text())
        self._close = self.add_verb("", self.accept, default=True)
        self.retranslate()

    def _build_look(self) -> None:
        self.theme_box = _combo([("dark", ""), ("light", ""), ("system", "")], theme.choice())
        self.theme_box.currentIndexChanged.connect(lambda _i: theme.set_theme(self.theme_box.currentData()))
        self.language_box = _combo([("en", "English"), ("zh", "简体中文")], language.current())
        self.language_box.currentIndexChanged.connect(lambda _i: language.set_language(self.language_box.currentData()))
        self.scale_box = QSpinBox()
        parts.pad(self.scale_box)
        self.scale_box.setRange(fonts.MIN_SCALE, fonts.MAX_SCALE)
        self.scale_box.setSingleStep(10)
        self.scale_box.setSuffix(" %")
        self.scale_box.setValue(fonts.scale())
        self.scale_box.valueChanged.connect(theme.set_text_scale)
        self.safe_box = QCheckBox()
        self.safe_box.setChecked(theme.is_safe())
        self.safe_box.toggled.connect(theme.set_safe_colours)

    def _build_rest(self) -> None:
        self.reopen_box = QCheckBox()
        self.reopen_box.setChecked(settings.read_flag("reopen_last", default=False))
        self.reopen_box.toggled.connect(lambda on: settings.write_flag("reopen_last", on))
        self.cache_box = QSpinBox()
        parts.pad(self.cache_box)
        self.cache_box.setRange(MIN_CACHE_GB, MAX_CACHE_GB)
        self.cache_box.setSuffix(" GB")
        self.cache_box.setKeyboardTracking(False)  # 5 on the way to 50 must not throw captures away
        self.cache_box.setValue(cache_limit_gb())
        self.cache_box.valueChanged.connect(self.cache_limit_changed)

    def retranslate(self) -> None:
        self.setWindowTitle(tr("Settings"))
        for at, text in enumerate((tr("Dark"), tr("Light"), tr("As the system"))):
            self.theme_box.setItemText(at, text)
        self.safe_box.setText(tr("Colours that are safe for colour-blind eyes"))
        self.reopen_box.setText(tr("Open the last project at the start"))
        self.cache_box.setToolTip(tr("Captures that were not used for longest go first; your files stay untouched."))
        titles = (
            tr("Theme"), tr("Language"), tr("Text size"), tr("Colours"), tr("Start"), tr("Cache limit"), tr("Cache"),
            tr("Log files"),
        )  # fmt: skip
        for (label, widget), title in zip(self._rows, titles, strict=True):
            label.setText(title)
            widget.setAccessibleName(title)
        self._close.setText(tr("Close"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange and hasattr(self, "_close"):
            self.retranslate()
        super().changeEvent(event)


def _combo(entries: list[tuple[str, str]], chosen: str) -> QComboBox:
    box = Select()
    for value, text in entries:
        box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    return box


class RelinkDialog(Dialog):
    """Data moved: for every missing path, where it is now.

    Args:
        missing: paths that are not there.
    """

    def __init__(self, name: str, missing: list[Path], parent: QWidget | None = None) -> None:
        super().__init__(tr("Where are the data of {name} now?").format(name=name), parent, width=680)
        head = parts.label(
            tr("These paths are not there any more. Choose their new place; everything you arranged stays."), level=2
        )
        head.setWordWrap(True)
        self.content.addWidget(head)
        self.missing = missing
        self.fields: list[QLineEdit] = []
        for path in missing:
            old = parts.ElidedLabel(str(path))
            old.setFont(fonts.mono(fonts.SMALL))
            self.content.addWidget(old)
            row = parts.columns(gap=8)
            field = QLineEdit()
            field.setPlaceholderText(tr("New path"))
            field.setAccessibleName(tr("New path"))
            field.textChanged.connect(self._check)
            browse = parts.button(tr("Choose…"), "folder-open", click=partial(self._browse, field, path))
            row.addWidget(field, 1)
            row.addWidget(browse)
            self.content.addLayout(row)
            self.fields.append(field)
        self.hint = parts.label(state="error")
        self.content.addWidget(self.hint)
        self.add_verb(tr("Cancel"), self.reject)
        self.verb = self.add_verb(tr("Relink"), self.accept, default=True)
        self._check()

    def answers(self) -> dict[Path, Path]:
        """Old path → new path."""
        return {old: Path(path_check.clean_path(f.text())) for old, f in zip(self.missing, self.fields, strict=True)}

    def _check(self, _text: str = "") -> None:
        texts = [path_check.clean_path(f.text()) for f in self.fields]
        wrong = [t for t in texts if t and not Path(t).exists()]
        self.hint.setText(tr("{path} does not exist.").format(path=wrong[0]) if wrong else "")
        self.verb.setEnabled(all(texts) and not wrong)

    def _browse(self, field: QLineEdit, old: Path) -> None:
        start = str(next((p for p in old.parents if p.exists()), Path.home()))
        if old.suffix:
            chosen, _ = QFileDialog.getOpenFileName(self, tr("New path"), start)
        else:
            chosen = QFileDialog.getExistingDirectory(self, tr("New path"), start)
        if chosen:
            field.setText(chosen)


def fit_to_screen(window: QWidget, size: QSize) -> None:
    """Resize a window, but not beyond the screen."""
    screen = QGuiApplication.primaryScreen()
    room = screen.availableSize() if screen is not None else size
    window.resize(min(size.width(), room.width()), min(size.height(), room.height()))
