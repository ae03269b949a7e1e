"""The tool bar that floats over the chart: what a drag does, row heights, slice selection, and a guide to the mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QFrame, QGraphicsOpacityEffect, QGridLayout, QWidget

from insight_desktop.views.common import icons, parts
from insight_desktop.views.common.language import tr
from insight_desktop.views.timeline.state import TimelineState

TOP, RIGHT = 78, 8
FAINT = 0.35  # how much of the bar is seen while it lies over lanes and the mouse is elsewhere


class MouseGuide(QFrame):
    """One line per gesture."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 10, 12, 10)
        grid.setHorizontalSpacing(16)
        for row, (icon, gesture, effect) in enumerate(self.lines()):
            picture = parts.icon_button(icon, gesture)
            picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            grid.addWidget(picture, row, 0)
            grid.addWidget(parts.label(gesture, strong=True), row, 1)
            grid.addWidget(parts.label(effect, level=2), row, 2)

    @staticmethod
    def lines() -> list[tuple[str, str, str]]:
        """Icon, gesture and what it does."""
        return [
            ("mouse-simple", tr("Click"), tr("Select a slice; on empty space: clear")),
            ("selection", tr("Drag"), tr("Select a range; its edges catch slices, Alt lets go")),
            ("magnifying-glass-plus", tr("Alt+drag"), tr("Zoom into a box")),
            ("hand", tr("Ctrl+drag, or pan mode"), tr("Pan")),
            ("selection-all", tr("Drag in slice selection mode"), tr("Select only the depth rows below the rectangle")),
            ("arrows-down-up", tr("Wheel"), tr("Scroll the lanes; Ctrl: zoom; Shift: pan")),
            ("flag", tr("Click below the time axis"), tr("New flag; double click on a flag: edit")),
            ("list", tr("Right click"), tr("Context menu")),
        ]


class FloatBar(QFrame):
    """A column of switches at the right edge of the chart; can be collapsed to one button."""

    def __init__(self, state: TimelineState, parent: QWidget) -> None:
        super().__init__(parent)
        self.state = state
        self.collapsed = False
        self._covers = False
        self._effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(self._effect)
        self.setObjectName("surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.arrow = parts.icon_button("cursor", click=lambda: state.set_pan_mode(False))
        self.hand = parts.icon_button("hand", click=lambda: state.set_pan_mode(True))
        self.fit = parts.icon_button(
            "arrows-in-line-vertical", click=lambda: state.modes.set_auto_fit(not state.modes.auto_fit)
        )
        self.levels = parts.icon_button(
            "selection-all", click=lambda: state.modes.set_depth_mode(not state.modes.depth_mode)
        )
        self.guide = parts.icon_button("mouse-simple", click=self._guide)
        self.fold = parts.icon_button("caret-double-right", click=lambda: self.set_collapsed(not self.collapsed))
        self.tools = (self.arrow, self.hand, self.fit, self.levels, self.guide)
        for button in self.tools[:4]:
            button.setCheckable(True)
        box = parts.rows(self, margins=(3, 3, 3, 3), gap=2)
        for button in (*self.tools, self.fold):
            box.addWidget(button)
        state.mode_changed.connect(self.tell)
        state.modes.changed.connect(self.tell)
        self.retranslate()
        self.tell()

    def retranslate(self) -> None:
        """All texts in the current language."""
        for button, text, key in (
            (self.arrow, tr("Drag selects"), "H"),
            (self.hand, tr("Drag pans"), "H"),
            (self.fit, tr("Auto Fit Unit Height"), ""),
            (self.levels, tr("Slice Selection Mode"), ""),
            (self.guide, tr("Mouse guide"), ""),
            (self.fold, tr("Collapse tools"), ""),
        ):
            parts.set_tip(button, text, key)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def tell(self) -> None:
        """Show which modes are on."""
        modes = self.state.modes
        self.arrow.setChecked(not self.state.pan_mode)
        self.hand.setChecked(self.state.pan_mode)
        self.fit.setChecked(modes.auto_fit)
        self.levels.setChecked(modes.depth_mode)
        self.levels.setEnabled(modes.analysis is None)

    def set_collapsed(self, on: bool) -> None:
        """Show only the button that brings the tools back."""
        self.collapsed = on
        for button in self.tools:
            button.setVisible(not on)
        icons.put(self.fold, "caret-double-left" if on else "caret-double-right")
        self.place()

    def place(self) -> None:
        """Stay at the right edge of the chart: below its lanes where there is room, else over them and faint."""
        self.adjustSize()
        owner = self.parentWidget()
        if owner is None:
            return
        left = max(0, owner.width() - self.width() - RIGHT - 8)
        free = self._free()
        self._covers = free < self.height() + 2 * RIGHT
        top = TOP + 24 if self._covers else owner.height() - self.height() - RIGHT - 10
        self.move(left, top)
        self.raise_()
        self._fade()

    def _free(self) -> int:
        """Height below the last lane."""
        owner = self.parentWidget()
        area = getattr(owner, "area", None)
        return int(area.height - area.rows.height) if area is not None else 0

    def _fade(self) -> None:
        self._effect.setOpacity(FAINT if self._covers and not self.underMouse() else 1.0)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._fade()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._effect.setOpacity(FAINT if self._covers else 1.0)
        super().leaveEvent(event)

    def _guide(self) -> None:
        self.show_guide()

    def show_guide(self) -> MouseGuide:
        """What the mouse does, as a popup beside the button."""
        guide = MouseGuide(self)
        guide.adjustSize()
        corner = self.guide.mapToGlobal(self.guide.rect().topLeft())
        guide.move(max(0, corner.x() - guide.width() - 6), corner.y())
        guide.show()
        return guide
