"""Names on slices: elided texts and their pixmaps, kept, because the same few names are drawn in every frame."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPixmap

from insight_desktop.views.common import fonts

LEAST_WIDTH = 26  # pixels of a slice below which it has no text
PADDING = 4
_STEP = 4  # elided texts are made for widths in these steps
_LIMIT = 6000


class Labels:
    """Draws texts left-aligned into slices, from a cache of pixmaps."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything: theme, text size or screen changed."""
        self.font = fonts.ui(11)
        self._metrics = QFontMetricsF(self.font)
        self._widths: dict[str, float] = {}
        self._cut: dict[tuple[str, int], str] = {}
        self._pixmaps: dict[tuple[str, int], QPixmap] = {}

    def fitting(self, text: str, width: float) -> str:
        """The text as it fits into a slice of `width` pixels: whole, elided at the right, or nothing."""
        room = width - 2 * PADDING
        if width < LEAST_WIDTH or not text:
            return ""
        full = self._widths.get(text)
        if full is None:
            if len(self._widths) > _LIMIT:
                self._widths.clear()
            full = self._widths[text] = self._metrics.horizontalAdvance(text[:400])
        if full <= room:
            return text
        key = (text, int(room) // _STEP)
        cut = self._cut.get(key)
        if cut is None:
            if len(self._cut) > _LIMIT:
                self._cut.clear()
            cut = self._metrics.elidedText(text[:400], Qt.TextElideMode.ElideRight, key[1] * _STEP)
            self._cut[key] = cut = "" if cut in ("…", "") else cut
        return cut

    def draw(self, painter: QPainter, x: float, y: float, width: float, height: int, text: str, ink: int) -> None:
        """Draw what fits of `text` into the box; `ink` is 0xFFRRGGBB."""
        shown = self.fitting(text, width)
        if not shown:
            return
        ratio = painter.device().devicePixelRatio()
        pixmap = self._pixmaps.get((shown, ink))
        if pixmap is None or pixmap.devicePixelRatio() != ratio:
            pixmap = self._pixmap(shown, ink, ratio)
        top = y + (height - pixmap.height() / ratio) / 2
        painter.drawPixmap(QPointF(round(x) + PADDING, round(top)), pixmap)

    def _pixmap(self, text: str, ink: int, ratio: float) -> QPixmap:
        if len(self._pixmaps) > _LIMIT:
            self._pixmaps.clear()
        width = int(self._metrics.horizontalAdvance(text)) + 2
        height = int(self._metrics.height()) + 1
        pixmap = QPixmap(max(1, int(width * ratio)), max(1, int(height * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setFont(self.font)
        painter.setPen(QColor.fromRgb(ink))
        painter.drawText(QPointF(0, self._metrics.ascent()), text)
        painter.end()
        self._pixmaps[text, ink] = pixmap
        return pixmap
