"""Writes the selection of the Timeline to a file that other tools open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QLabel, QLineEdit, QWidget

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline.export import SUFFIXES, Exported, Selection, export
from insight_desktop.errors import InsightError
from insight_desktop.views.common import number_text, parts, settings
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.select import Select
from insight_desktop.views.timeline.chosen import Chosen, title
from insight_desktop.views.timeline.state import TimelineState

SETTING = "export_folder"
FORMATS: tuple[tuple[str, str], ...] = (
    (".json.gz", QT_TRANSLATE_NOOP("insight", "Chrome JSON, compressed (.json.gz)")),
    (".json", QT_TRANSLATE_NOOP("insight", "Chrome JSON (.json)")),
    (".parquet", QT_TRANSLATE_NOOP("insight", "Parquet (.parquet)")),
    (".csv", QT_TRANSLATE_NOOP("insight", "CSV (.csv)")),
    (".arrow", QT_TRANSLATE_NOOP("insight", "Arrow (.arrow)")),
)


def write(store: Store, *, selection: Selection, path: Path) -> Exported:
    """Write a selection; raises InsightError when the file cannot be written."""
    try:
        return export(store, selection, path)
    except OSError as error:
        raise InsightError(
            f"{path} cannot be written: {error.strerror or error}.", fix="Choose another folder."
        ) from error


class ExportDialog(QDialog):
    """What is written, in which format, where.

    Args:
        state: the timeline.
        part: what is selected.
    """

    def __init__(self, state: TimelineState, part: Chosen, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.part = part
        self.written: Exported | None = None
        self._asker = Asker(state.context, self)
        self.setWindowTitle(tr("Export selection"))
        self.setMinimumWidth(560)
        self.format = Select()
        for suffix, text in FORMATS:
            self.format.addItem(tr(text), suffix)
        self.format.setAccessibleName(tr("Format"))
        self.format.currentIndexChanged.connect(lambda _i: self._suffix_chosen())
        self.path = QLineEdit(str(Path(settings.read(SETTING) or Path.home()) / f"{_file_name(part)}.json.gz"))
        self.path.setAccessibleName(tr("File"))
        self.path.textChanged.connect(lambda _text: self._tell(""))
        browse = parts.button(tr("Choose…"), "folder-open", click=self._browse)
        self.whole = QCheckBox(tr("Slices keep their whole length"))
        self.whole.setToolTip(tr("Otherwise they are cut to the range"))
        self.whole.setEnabled(part.from_ns is not None)
        self.counters = QCheckBox(tr("Counters of the selection go along (Chrome JSON)"))
        self.counters.setChecked(bool(part.series))
        self.counters.setEnabled(bool(part.series))
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.ok = parts.button(tr("Export"), default=True, click=self.export)
        box = parts.rows(self, margins=(16, 14, 16, 14), gap=10)
        box.addWidget(parts.label(title(state, part), strong=True))
        box.addWidget(self.format)
        row = parts.columns(gap=8)
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        box.addLayout(row)
        for widget in (self.whole, self.counters, self.note):
            box.addWidget(widget)
        verbs = parts.columns(gap=8)
        verbs.addStretch(1)
        verbs.addWidget(parts.button(tr("Cancel"), click=self.reject))
        verbs.addWidget(self.ok)
        box.addLayout(verbs)

    def selection(self) -> Selection:
        """What the engine is asked for."""
        part = self.part
        series = part.series if self.counters.isChecked() else ()
        return Selection(part.card, part.tracks, part.from_ns, part.to_ns, self.whole.isChecked(), series, part.rows)

    def export(self) -> None:
        """Write the file; the dialog closes when it is there."""
        path = Path(self.path.text().strip()).expanduser()
        self.ok.setEnabled(False)
        self._tell(tr("Writing…"))
        self._asker.ask(
            write, selection=self.selection(), path=path, then=lambda done: self._done(path, done), failed=self._failed
        )

    def _done(self, path: Path, done: Exported) -> None:
        self.written = done
        settings.write(SETTING, str(path.parent))
        text = tr("{n} slices were written to {path}.").format(n=number_text.count(done.rows), path=path)
        self.state.context.message.emit("warning" if done.args_note else "success", text, done.args_note)
        self.accept()

    def _failed(self, error: InsightError) -> None:
        self.ok.setEnabled(True)
        self._tell(f"{error.message} {error.fix}".strip(), "error")

    def _tell(self, text: str, state: str = "") -> None:
        self.note.setText(text)
        parts.set_state(self.note, state=state)

    def _suffix_chosen(self) -> None:
        path = self.path.text()
        known = next((s for s in sorted(SUFFIXES, key=len, reverse=True) if path.lower().endswith(s)), "")
        self.path.setText(
            path.removesuffix(path[len(path) - len(known) :] if known else "") + self.format.currentData()
        )

    def _browse(self) -> None:
        kinds = f"{self.format.currentText()} (*{self.format.currentData()})"
        name, _ = QFileDialog.getSaveFileName(self, tr("Export selection"), self.path.text(), kinds)
        if name:
            self.path.setText(name)
            if not name.lower().endswith(SUFFIXES):
                self.path.setText(name + self.format.currentData())


def _file_name(part: Chosen) -> str:
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in part.card)
    return f"card_{safe}_selection"
