"""Pictures without a display."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from tests.views.test_reading import write_trace

from insight_desktop.engine import places
from insight_desktop.errors import BadArgument
from insight_desktop.views import shots


@pytest.mark.usefixtures("look")
def test_tab_is_drawn_and_the_user_s_projects_stay_as_they_are(qapp: QApplication, tmp_path: Path) -> None:
    write_trace(tmp_path / "run", 0)
    out = tmp_path / "out" / "timeline.png"
    shots.render(tmp_path / "run", "system.timeline", out, "1280x720", "light", "zh")
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1280, 720)
    assert image.pixelColor(20, 400).name() == "#eceef1"  # the rail of the light theme
    assert not places.projects_file().exists()


@pytest.mark.usefixtures("look")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("system.timeline", "1x1", "dark", "en"), "1x1 is no size."),
        (("system.timeline", "1280x720", "pink", "en"), "There is no theme pink."),
        (("system.timeline", "1280x720", "dark", "fr"), "There is no language fr."),
    ],
)
def test_wrong_arguments_are_told(qapp: QApplication, tmp_path: Path, arguments: tuple[str, ...], text: str) -> None:
    tab, size, theme, lang = arguments
    with pytest.raises(BadArgument) as told:
        shots.render(tmp_path, tab, tmp_path / "x.png", size, theme, lang)
    assert told.value.message == text
