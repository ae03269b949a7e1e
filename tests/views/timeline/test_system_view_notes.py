"""Notes of the engine: every sentence that it writes has a text in the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from insight_desktop.engine.timeline import advice, kernel_e2e
from insight_desktop.views.common import language
from insight_desktop.views.timeline.system_view_notes import note_text, translated


@pytest.fixture
def chinese(qapp: object) -> Iterator[None]:
    language.set_language("zh", remember=False)
    yield
    language.set_language("en", remember=False)


NOTES = [
    advice.NO_COMPILE,
    advice.AVOID_TYPE,
    advice.AVOID_AICPU,
    advice.aicpu_note("cast", "complex64", "float", 0),
    "Needs CANN 7.0 or later.",
    "The AI Core frequency drops by 7 % (between 1000 and 930 MHz): look at power and temperature of the device.",
    "The AI Core frequency is steady: it drops by 4 % (between 1000 and 960 MHz).",
    *[note for note in kernel_e2e.NOTES if note],
    *kernel_e2e.STATUS,
    *[kernel_e2e._why(role, aclnn) for role in kernel_e2e.ROLE_TITLES for aclnn in (False, True)],
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.usefixtures("chinese")
def test_every_note_has_a_chinese_text(note: str) -> None:
    assert note_text(note) != note


def test_numbers_and_names_in_a_note_stay() -> None:
    assert note_text(advice.NO_COMPILE) == advice.NO_COMPILE
    assert note_text("something else 5 %") == "something else 5 %"


def test_columns_are_translated_by_their_distinct_texts() -> None:
    table = pa.table({"note": ["missing launch", None, "missing launch"], "n": [1, 2, 3]})
    assert translated(table, "note").column("note").to_pylist() == ["missing launch", None, "missing launch"]
