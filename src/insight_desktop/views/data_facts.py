"""Below the data tree: facts of the current card, or how far the running import is."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from insight_desktop.views.cards import FAILED, IDLE, NOTES, READY, CardRow, card_title, kind_text
from insight_desktop.views.common import number_text, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.workspace import Pace, Workspace


class CardFacts(QFrame):
    """Three lines about the current card, and a chip per kind of data to switch between text and db."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._card: CardRow | None = None
        self.setObjectName("surface")
        self.setProperty("edge", "top")
        layout = parts.rows(self, margins=(12, 8, 12, 10), gap=3)
        top = parts.columns(gap=8)
        self.name = parts.ElidedLabel()
        self.state = parts.label()
        top.addWidget(self.name, 1)
        top.addWidget(self.state)
        layout.addLayout(top)
        self.file = parts.ElidedLabel()
        self.file.setProperty("level", "2")
        self.amount = parts.ElidedLabel()
        self.amount.setProperty("level", "2")
        layout.addWidget(self.file)
        layout.addWidget(self.amount)
        self.kinds = QWidget()
        self._kind_row = parts.columns(self.kinds, margins=(0, 4, 0, 0), gap=0)
        layout.addWidget(self.kinds)
        self.refresh()

    def retranslate(self) -> None:
        self.refresh()

    def show_card(self, card: CardRow | None) -> None:
        """Show a card that is not the current one (it failed, or was not read)."""
        self._card = card
        self.refresh()

    def refresh(self) -> None:
        project = self.workspace.current
        card = self._card if project is not None and self._card in (project.cards or []) else None
        if card is None and project is not None and self.workspace.context.card:
            card = project.card(self.workspace.context.card)
        for widget in (self.name, self.state, self.file, self.amount, self.kinds):
            widget.setVisible(card is not None)
        if card is None:
            return
        title = card_title(card)
        name = tr("Card {name}").format(name=card.name) if title != card.name else title
        device = card.source.device
        self.name.set_text(name if device is None else tr("{card} · device {device}").format(card=name, device=device))
        words = {READY: (tr("ready"), "ok"), NOTES: (tr("with notes"), "warning"), FAILED: (tr("failed"), "error")}
        text, state = words.get(card.status, (tr("not read") if card.status == IDLE else "", ""))
        self.state.setText(text)
        parts.set_state(self.state, state=state, level="2")
        self.file.set_text(card.path.name)
        self.file.setToolTip(str(card.path))
        size = number_text.bytes_text(card.source.source(card.kind).size_bytes)
        slices = card.counts.get("slices")
        self.amount.set_text(
            size if not slices else tr("{size} · {count} slices").format(size=size, count=number_text.count(slices))
        )
        self._show_kinds(card)

    def _show_kinds(self, card: CardRow) -> None:
        parts.clear(self._kind_row)
        self.kinds.setVisible(bool(card.other_kinds))
        chips = []
        for kind in card.source.kinds if card.other_kinds else ():
            chip = parts.Segment(kind_text(kind))
            chip.setChecked(kind == card.kind)
            chip.setToolTip(tr("Use {kind} data").format(kind=kind_text(kind)))
            chip.clicked.connect(lambda _=False, kind=kind: self.workspace.set_kind(card.name, kind))
            self._kind_row.addWidget(chip)
            chips.append(chip)
        parts.join(chips)
        self._kind_row.addStretch(1)


class ImportProgress(QFrame):
    """`Importing 16 cards`, a bar, bytes, rate, time left, and cancel; or the button that starts a large project."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self.setObjectName("surface")
        self.setProperty("edge", "top")
        layout = parts.rows(self, margins=(12, 8, 12, 12), gap=6)
        top = parts.columns(gap=4)
        self.title = parts.label(strong=True)
        self.stop = parts.icon_button("x", click=workspace.cancel)
        top.addWidget(self.title)
        top.addStretch(1)
        top.addWidget(self.stop)
        layout.addLayout(top)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        layout.addWidget(self.bar)
        self.bytes = parts.label(level=2)
        self.rate = parts.label(level=2)  # a line of its own: both do not fit side by side in a narrow panel
        layout.addWidget(self.bytes)
        layout.addWidget(self.rate)
        self.start = parts.button("", "play", default=True, click=lambda: workspace.read(None))
        layout.addWidget(self.start)
        self.hint = parts.label(level=2)
        self.hint.setWordWrap(True)
        layout.addWidget(self.hint)
        self.retranslate()

    def retranslate(self) -> None:
        parts.set_tip(self.stop, tr("Stop the import"))
        self.start.setText(tr("Start global analysis"))
        self.hint.setText(tr("Many cards: nothing is read until you ask. ▶ in a row reads one card."))
        self.refresh()

    def refresh(self) -> None:
        project = self.workspace.current
        busy = project is not None and project.busy
        idle = project is not None and any(c.status == IDLE for c in project.cards or [])
        for widget in (self.stop, self.bar, self.bytes, self.rate):
            widget.setVisible(busy)
        self.start.setVisible(idle and not busy)
        self.hint.setVisible(idle and not busy)
        if project is None:
            return
        if not busy:
            self.title.setText(tr("{count} cards").format(count=number_text.count(len(project.cards or []))))
            return
        pace = self.workspace.pace()
        self.title.setText(
            tr("Importing {count} cards").format(count=number_text.count(pace.cards))
            if pace.cards != 1
            else tr("Importing 1 card")
        )
        self.bar.setValue(pace.done_bytes * 1000 // pace.total_bytes if pace.total_bytes else 0)
        self.bytes.setText(bytes_of(pace))
        self.rate.setText(rate_text(pace))


def bytes_of(pace: Pace) -> str:
    """`18.5 GiB of 29.4 GiB`."""
    done, total = number_text.bytes_text(pace.done_bytes), number_text.bytes_text(pace.total_bytes)
    if done.split()[-1] == total.split()[-1]:
        done = done.split()[0]
    return tr("{done} of {total}").format(done=done, total=total)


def rate_text(pace: Pace) -> str:
    """`412.0 MiB/s · 26 s left`."""
    rate = f"{number_text.bytes_text(pace.bytes_per_second, decimals=0)}/s"
    left = left_text(pace)
    return f"{rate} · {left}" if left else rate


def left_text(pace: Pace) -> str:
    """`26 s left`, `3 min left`; empty while nobody can tell."""
    if pace.seconds_left is None:
        return ""
    seconds = max(1, round(pace.seconds_left))
    if seconds < 100:
        return tr("{seconds} s left").format(seconds=seconds)
    return tr("{minutes} min left").format(minutes=round(seconds / 60))
