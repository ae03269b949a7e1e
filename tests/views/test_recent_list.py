"""The list of recent projects."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from insight_desktop.views.recent_list import MOVED, Recent, RecentModel, state_text, when


@pytest.mark.usefixtures("look")
@pytest.mark.parametrize(
    ("opened", "text"),
    [
        (datetime(2026, 11, 30, 14, 2), "Today 14:02"),
        (datetime(2026, 11, 29, 9, 0), "Yesterday"),
        (datetime(2026, 11, 27, 9, 0), "Fri 27 Nov"),
        (datetime(2024, 3, 1, 9, 0), "2024-03-01"),
    ],
)
def test_time_of_opening_is_said_as_people_say_it(opened: datetime, text: str) -> None:
    assert when(opened.timestamp(), date(2026, 11, 30)) == text


@pytest.mark.usefixtures("look")
def test_right_column_says_how_it_opens() -> None:
    assert state_text(Recent("a", Path("/a"), seconds=0.44)) == ("opens in 0.4 s", "text2")
    assert state_text(Recent("a", Path("/a"), state=MOVED)) == ("moved: relink…", "error")


def test_filter_looks_at_name_and_path() -> None:
    model = RecentModel()
    model.set_rows([Recent("alpha", Path("/data/one")), Recent("beta", Path("/data/two"))])
    model.set_filter("TWO")
    assert [model.data(model.index(i)) for i in range(model.rowCount())] == ["beta"]
    assert model.total == 2
