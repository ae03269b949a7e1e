"""The look: tokens, contrast, fonts, switching."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtGui import QFontInfo, QFontMetrics, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from insight_desktop.views.common import fonts, icons, settings, theme, tokens

THEMES = {"dark": tokens.DARK, "light": tokens.LIGHT}


def ratio(one: str, other: str) -> float:
    """WCAG 2 contrast, written out here so that it does not lean on the code under test."""

    def bright(colour: str) -> float:
        total = 0.0
        for at, weight in ((1, 0.2126), (3, 0.7152), (5, 0.0722)):
            value = int(colour[at : at + 2], 16) / 255
            total += weight * (value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
        return total

    high, low = sorted((bright(one), bright(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("text", ["text", "text2", "text3"])
@pytest.mark.parametrize("ground", ["window", "surface", "raised", "field", "zebra", "hover", "canvas", "infobg"])
def test_text_can_be_read_on_every_ground(name: str, text: str, ground: str) -> None:
    assert ratio(THEMES[name][text], THEMES[name][ground]) >= 4.5


@pytest.mark.parametrize("name", ["dark", "light"])
@pytest.mark.parametrize("line", ["strong", "focus"])
@pytest.mark.parametrize("ground", ["window", "surface", "raised", "field", "canvas"])
def test_outlines_and_focus_rings_are_seen(name: str, line: str, ground: str) -> None:
    assert ratio(THEMES[name][line], THEMES[name][ground]) >= 3


@pytest.mark.parametrize(
    ("name", "text", "ground", "least"),
    [
        ("dark", "text", "surface", 12.5), ("light", "text", "surface", 16.6), ("dark", "text2", "raised", 6.8),
        ("light", "text2", "raised", 6.7), ("dark", "text3", "hover", 4.75), ("light", "text3", "hover", 4.85),
        ("dark", "accent", "window", 6.6), ("light", "accent", "window", 4.7), ("dark", "seltext", "sel", 9.0),
        ("light", "seltext", "sel", 12.9), ("dark", "ok", "okbg", 5.4), ("light", "ok", "okbg", 4.9),
        ("dark", "warn", "warnbg", 6.4), ("light", "warn", "warnbg", 5.1), ("dark", "error", "errbg", 4.85),
        ("light", "error", "errbg", 4.85),
    ],
)  # fmt: skip
def test_promised_contrast_is_kept(name: str, text: str, ground: str, least: float) -> None:
    assert ratio(THEMES[name][text], THEMES[name][ground]) >= least


def test_white_is_readable_on_the_default_button() -> None:
    assert ratio("#FFFFFF", tokens.DARK["accentfill"]) >= 4.85
    assert ratio("#FFFFFF", tokens.LIGHT["accentfill"]) >= 5.45


@pytest.mark.parametrize(("fills", "least"), [(tokens.SLICES_DARK, 5.1), (tokens.SLICES_LIGHT, 5.6)])
def test_labels_on_slices_reach_their_contrast(fills: tuple[str, ...], least: float) -> None:
    assert len(fills) == 24
    assert min(ratio(tokens.ink_for(fill), fill) for fill in fills) >= least - 0.05


@pytest.mark.parametrize(("fills", "least"), [(tokens.SAFE_DARK, 4.7), (tokens.SAFE_LIGHT, 4.8)])
def test_labels_on_safe_colours_reach_their_contrast(fills: tuple[str, ...], least: float) -> None:
    assert len(fills) == 10
    assert min(ratio(tokens.ink_for(fill), fill) for fill in fills) >= least - 0.05


@pytest.mark.parametrize(("series", "canvas"), [(tokens.SERIES_DARK, "#16181B"), (tokens.SERIES_LIGHT, "#FFFFFF")])
def test_chart_series_stand_out_from_the_canvas(series: tuple[str, ...], canvas: str) -> None:
    assert len(set(series)) == 10
    # The weakest is the brown-yellow of the light theme with 3.85, written as 3.9 in the design.
    assert min(ratio(colour, canvas) for colour in series) >= 3.85


def test_ink_of_each_dark_slice_is_the_one_of_the_design() -> None:
    wanted = "WDDWDDWDDDWDDWDDDWDDWDDW"
    assert "".join({"#FFFFFF": "W", "#0E1013": "D"}[tokens.ink_for(fill)] for fill in tokens.SLICES_DARK) == wanted


def test_free_is_grey() -> None:
    assert tokens.MEANINGS["free"] == ("#5A616C", "#B9C0CA")
    assert tokens.MEANINGS["computing"] == ("#5AA7F0", "#1F6FD0")
    assert tokens.MEANINGS["communication"] == ("#F2A33C", "#C46A00")


@pytest.mark.usefixtures("look")
class TestSwitching:
    @pytest.mark.row("system-timeline", 12)
    def test_theme_switches_at_once_and_is_remembered(self, qapp: QApplication) -> None:
        theme.set_theme("dark")
        assert qapp.palette().color(QPalette.ColorRole.Window).name() == "#1a1c20"
        theme.set_theme("light")
        assert qapp.palette().color(QPalette.ColorRole.Window).name() == "#eceef1"
        assert "#F5F6F8" in qapp.styleSheet()
        assert settings.read("theme") == "light"
        theme.set_theme("dark", remember=False)
        theme.start(qapp)  # what the next start does
        assert not theme.is_dark()

    def test_first_start_is_dark(self, qapp: QApplication) -> None:
        theme.start(qapp)
        assert theme.is_dark()

    def test_inactive_selection_is_grey(self, qapp: QApplication) -> None:
        theme.set_theme("light", remember=False)
        palette = qapp.palette()
        group = QPalette.ColorGroup
        assert palette.color(group.Active, QPalette.ColorRole.Highlight).name() == "#cde1fb"
        assert palette.color(group.Inactive, QPalette.ColorRole.Highlight).name() == "#e1e5eb"

    def test_style_sheet_has_no_open_token(self) -> None:
        import re

        assert re.findall(r"\{(?:[a-z0-9]+)\}", theme.style_sheet()) == []

    def test_slice_colours_are_packed_for_the_raster(self) -> None:
        theme.set_theme("dark", remember=False)
        assert theme.slices().dtype == np.uint32
        assert [hex(v) for v in theme.slices()[:2]] == ["0xff396fb5", "0xffc57e44"]
        assert [hex(v) for v in theme.inks()[:2]] == ["0xffffffff", "0xff0e1013"]
        theme.set_theme("light", remember=False)
        assert hex(theme.slices()[23]) == "0xff6b59b4"

    def test_safe_colours_replace_slices_and_series(self) -> None:
        theme.set_safe_colours(True)
        assert theme.series()[0].name() == "#708cfe"
        assert hex(theme.slices()[1]) == "0xffebc408"
        theme.set_safe_colours(False)
        assert theme.series()[0].name() == "#5aa7f0"

    def test_icons_follow_the_theme(self) -> None:
        theme.set_theme("dark", remember=False)
        dark = icons.pixmap("x", "text", 16).toImage().pixelColor(8, 8)
        theme.set_theme("light", remember=False)
        assert icons.pixmap("x", "text", 16).toImage().pixelColor(8, 8) != dark

    def test_figures_are_equally_wide_and_the_fonts_are_bundled(self) -> None:
        metrics = QFontMetrics(fonts.ui())
        assert metrics.horizontalAdvance("1111") == metrics.horizontalAdvance("8888")
        assert QFontInfo(fonts.ui()).family() == "Inter"
        assert QFontInfo(fonts.mono()).family() == "JetBrains Mono"

    def test_text_size_scales_fonts_and_style_sheet(self) -> None:
        theme.set_text_scale(150)
        assert fonts.ui(12).pixelSize() == 18
        assert "min-height: 36px" in theme.style_sheet()
        theme.set_text_scale(100)
        assert fonts.ui(12).pixelSize() == 12


def many_widgets(qtbot: QtBot) -> QWidget:
    top = QWidget()
    qtbot.addWidget(top)
    column = QVBoxLayout(top)
    for _ in range(40):
        box = QFrame()
        box.setObjectName("box")
        row = QHBoxLayout(box)
        for made in (QLineEdit("text"), QToolButton(), QLabel("name"), QComboBox(), QPushButton("press")):
            row.addWidget(made)
        column.addWidget(box)
    top.show()
    return top


@pytest.mark.usefixtures("look")
def test_a_switch_costs_no_more_than_dressing_all_widgets_anew(qtbot: QtBot, qapp: QApplication) -> None:
    top = many_widgets(qtbot)
    assert len(top.findChildren(QWidget)) > 300

    def seconds(work: Callable[[], object]) -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    def anew() -> None:
        sheet = qapp.styleSheet()
        qapp.setStyleSheet("")
        qapp.setStyleSheet(sheet)

    switches = [seconds(lambda name=name: theme.set_theme(name, remember=False)) for name in ("light", "dark") * 3]  # type: ignore[misc]
    dressings = [seconds(anew) for _ in range(6)]
    assert min(switches) < 2.5 * min(dressings)


@pytest.mark.usefixtures("look")
def test_there_and_back_looks_as_before(qtbot: QtBot) -> None:
    top = many_widgets(qtbot)
    before = top.grab().toImage()
    theme.set_theme("light", remember=False)
    assert top.grab().toImage() != before
    theme.set_theme("dark", remember=False)
    assert top.grab().toImage() == before
