"""What slices are coloured by: name, type, card, length among their name, or what the trace says; with a legend."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QButtonGroup, QFrame, QListWidget, QListWidgetItem, QRadioButton, QWidget

from insight_desktop.engine.capture import Capture
from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import colours
from insight_desktop.views.common import number_text, parts, theme
from insight_desktop.views.common.ask import Asker
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.timeline import given_colours

if TYPE_CHECKING:
    from insight_desktop.views.timeline.state import Selected, TimelineState

GIVEN = "given"
MODES: tuple[tuple[str, str], ...] = (
    ("name", QT_TRANSLATE_NOOP("insight", "Name")),
    ("type", QT_TRANSLATE_NOOP("insight", "Type")),
    ("card", QT_TRANSLATE_NOOP("insight", "Card")),
    ("duration", QT_TRANSLATE_NOOP("insight", "Duration among its name")),
    (GIVEN, QT_TRANSLATE_NOOP("insight", "Colour in the trace")),
)
_COLD, _MIDDLE, _HOT = (69, 117, 180), (224, 198, 110), (215, 48, 39)


@dataclass(frozen=True, eq=False)
class Colours:
    """Colours of the slices of a card: `palette[index[name]]`, or by duration when there are `limits`.

    Attributes:
        index: palette place per string id.
        limits: as of `engine.timeline.colours.limits`; slices merged into runs have the last colour of the palette.
        palette, inks: 0xFFRRGGBB of fills and of the labels on them.
    """

    index: npt.NDArray[np.uint8]
    limits: npt.NDArray[np.int64] | None
    palette: npt.NDArray[np.uint32]
    inks: npt.NDArray[np.uint32]

    def place(self, name: int, length_ns: int) -> int:
        """Palette place of a slice."""
        if self.limits is not None:
            return int(np.count_nonzero(self.limits[name] < length_ns)) if name < len(self.limits) else 0
        return int(self.index[name]) if name < len(self.index) else 0


@dataclass(frozen=True, eq=False)
class Found:
    """What a mode needs to know of the cards."""

    mode: str
    types: dict[str, colours.Types]
    limits: dict[str, npt.NDArray[np.int64]]
    given: dict[str, colours.Given]


def look(store: Store, *, mode: str) -> Found:
    """Types, duration limits or colours of the traces of all cards."""
    names = [card.name for card in store.cards]
    types = {name: colours.types(store, card=name) for name in names} if mode == "type" else {}
    limits = {name: colours.limits(store, card=name) for name in names} if mode == "duration" else {}
    given = {name: colours.given(store, card=name) for name in names} if mode == GIVEN else {}
    return Found(mode, types, limits, given)


def slots(labels: Iterable[str], count: int) -> dict[str, int]:
    """A place in a palette for every label, the same in every run, and different ones as long as there are enough."""
    taken: set[int] = set()
    found = {}
    for label in sorted(labels):
        at = zlib.crc32(label.encode()) % count
        while at in taken and len(taken) < count:
            at = (at + 1) % count
        taken.add(at)
        found[label] = at
    return found


def heat() -> npt.NDArray[np.uint32]:
    """Eleven colours: tenths from the shortest to the longest, and one for what is merged."""
    steps = []
    for at in np.linspace(0, 2, colours.BINS):
        low, high, part = (_COLD, _MIDDLE, at) if at <= 1 else (_MIDDLE, _HOT, at - 1)
        steps.append(QColor(*(round(a + (b - a) * part) for a, b in zip(low, high, strict=True))).rgb())
    return np.array([*steps, theme.token("strong").rgb()], np.uint32)


def _inks(palette: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    return np.array([theme.ink_for(QColor.fromRgb(int(fill))).rgb() for fill in palette], np.uint32)


class Colouring(QObject):
    """The mode of one timeline, and the colours that it gives to every card.

    Signals:
        changed: other colours hold.
    """

    changed = Signal()

    def __init__(self, state: TimelineState) -> None:
        super().__init__(state)
        self.state = state
        self.mode = "name"
        self.found: Found | None = None
        self._made: dict[str, Colours] = {}
        self._named: dict[tuple[str, str], QColor | None] = {}
        self._of_track: dict[str, dict[int, Colours]] = {}  # lanes of a card whose colours are others
        self._asker = Asker(state.context, self)
        theme.notifier.changed.connect(self._restyle)
        state.context.store_changed.connect(self._again)

    def set_mode(self, mode: str) -> None:
        """Colour by something else; unknown modes are ignored. What must be counted first comes a moment later."""
        if mode == self.mode or mode not in dict(MODES):
            return
        self.mode = mode
        self._again()
        self.state.context.view_changed.emit()

    def is_given(self) -> bool:
        """Whether a trace gives colours to its slices."""
        captures = [opened.capture for opened in self.state.cards.values()]
        return any(capture is not None and colours.has_given(capture) for capture in captures)

    def of(self, card: str, track: int | None = None) -> Colours | None:
        """Colours of the slices of a card, or of one of its lanes; None where names decide."""
        base = self._of_card(card)
        return base if track is None else self._of_track.get(card, {}).get(track, base)

    def _of_card(self, card: str) -> Colours | None:
        found = self.found
        if found is None:
            return None
        if card not in self._made:
            made = self._colours(found, card)
            if made is None:
                return None
            self._made[card] = made
        return self._made[card]

    def colour(self, chosen: Selected) -> QColor | None:
        """Colour of a slice; None where names decide."""
        own = self.of(chosen.card, chosen.track)
        if own is None:
            return None
        return QColor.fromRgb(int(own.palette[own.place(chosen.name_id, chosen.end_ns - chosen.start_ns)]))

    def of_name(self, card: str, name: str) -> QColor | None:
        """Colour of the slices of a name in tables; None where names or durations decide."""
        own, capture = self._of_card(card), self.state.capture(card)
        if own is None or own.limits is not None or capture is None:
            return None
        if (card, name) not in self._named:
            number = pc.index(capture.strings, pa.scalar(name, capture.strings.type)).as_py()
            self._named[card, name] = QColor.fromRgb(int(own.palette[own.place(number, 0)])) if number >= 0 else None
        return self._named[card, name]

    def legend(self) -> list[tuple[QColor, str]]:
        """Colour and words of everything that is told apart; empty for names."""
        found = self.found
        if found is None:
            return []
        if found.mode == "type":
            palette, places = theme.slices(), self._places(found)
            return [(QColor.fromRgb(int(palette[at])), label or tr("(no type)")) for label, at in places.items()]
        if found.mode == GIVEN:
            labels = dict.fromkeys(label for given in found.given.values() for label in given.labels)
            return [(given_colours.colour(label), label) for label in labels]
        if found.mode == "card":
            series = theme.series()
            names = [n for n, opened in self.state.cards.items() if opened.capture is not None]
            return [(series[at % len(series)], self.state.card_title(name)) for at, name in enumerate(names)]
        shades = [QColor.fromRgb(int(c)) for c in heat()]
        words = [
            tr("{a} to {b} of its name").format(
                a=number_text.percent(k / 10, 0), b=number_text.percent((k + 1) / 10, 0)
            )
            for k in range(colours.BINS)
        ]
        return list(zip(shades, [*words, tr("Several slices in a pixel")], strict=True))

    def _colours(self, found: Found, card: str) -> Colours | None:
        capture = self.state.capture(card)
        if capture is None:
            return None
        if found.mode == "type":
            types, places = found.types.get(card), self._places(found)
            if types is None:
                return None
            slot = np.array([places[label] for label in types.labels] or [0], np.uint8)
            return Colours(slot[types.of_name], None, theme.slices(), theme.inks())
        if found.mode == GIVEN:
            return self._given(found.given.get(card), capture)
        count = max(len(capture.string_hash), 1)
        if found.mode == "card":
            palette = np.array([c.rgb() for c in theme.series()], np.uint32)
            at = list(self.state.cards).index(card) % len(palette)
            return Colours(np.full(count, at, np.uint8), None, palette, _inks(palette))
        limits, palette = found.limits.get(card), heat()
        return None if limits is None else Colours(np.zeros(count, np.uint8), limits, palette, _inks(palette))

    def _given(self, given: colours.Given | None, capture: Capture) -> Colours | None:
        """Names without a colour in the trace keep that of their name."""
        if given is None or not given.labels:
            return None
        own, plain = [given_colours.colour(label).rgb() for label in given.labels], theme.slices()
        palette = np.concatenate([np.array(own, np.uint32), plain])
        inks = _inks(palette)
        by_name = (len(own) + np.asarray(capture.string_hash) % len(plain)).astype(np.int64)

        def made(places: npt.NDArray[Any]) -> Colours:
            known = places[: len(by_name)]
            return Colours(np.where(known >= 0, known, by_name).astype(np.uint8), None, palette, inks)

        card = next(name for name, opened in self.state.cards.items() if opened.capture is capture)
        self._of_track[card] = {track: made(places) for track, places in given.of_track.items()}
        return made(given.of_name)

    def _places(self, found: Found) -> dict[str, int]:
        return slots({label for types in found.types.values() for label in types.labels}, len(theme.slices()))

    def _restyle(self) -> None:
        """Another theme has other colours."""
        self._made.clear()
        self._of_track.clear()
        self._named.clear()

    def _again(self) -> None:
        if self.mode in ("name", "card"):
            self._asker.forget(look)
            self._take(None if self.mode == "name" else Found(self.mode, {}, {}, {}))
        else:
            self._asker.ask(look, mode=self.mode, then=self._take, failed=self._failed)

    def _take(self, found: Found | None) -> None:
        had, self.found = self.found, found
        self._made.clear()
        self._of_track.clear()
        self._named.clear()
        if had is not None or found is not None:
            self.changed.emit()

    def _failed(self, error: Any) -> None:
        self.state.context.message.emit("warning", error.message, error.fix)


class ColourMenu(QFrame):
    """The choice of what slices are coloured by, with the legend of the chosen one."""

    def __init__(self, colouring: Colouring, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.colouring = colouring
        self.setAccessibleName(tr("Colour by"))
        box = parts.rows(self, margins=(10, 8, 10, 8), gap=4)
        box.addWidget(parts.label(tr("Colour by"), strong=True))
        self.choices = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        for mode, text in MODES:
            button = self.buttons[mode] = QRadioButton(tr(text))
            button.setChecked(mode == colouring.mode)
            button.toggled.connect(lambda on, mode=mode: colouring.set_mode(mode) if on else None)
            button.setVisible(mode != GIVEN or mode == colouring.mode or colouring.is_given())
            self.choices.addButton(button)
            box.addWidget(button)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Legend"))
        self.list.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        box.addWidget(self.list)
        colouring.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the legend of what holds now; names need none."""
        self.list.clear()
        for colour, text in self.colouring.legend():
            pixmap = QPixmap(12, 12)
            pixmap.fill(colour)
            QListWidgetItem(QIcon(pixmap), text, self.list)
        rows = self.list.count()
        self.list.setVisible(rows > 0)
        if rows:
            self.list.setFixedHeight(min(rows, 12) * max(self.list.sizeHintForRow(0), 18) + 6)
        self.adjustSize()
