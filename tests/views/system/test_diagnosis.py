"""The Diagnosis page: findings of a job and of a card, their ways, scopes, empty states, language."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from tests.support.cluster_files import write_rank
from tests.support.communication_page import job_store

from insight_desktop.engine.load import import_paths
from insight_desktop.engine.store import Store, StoreCard
from insight_desktop.views.common import language, theme
from insight_desktop.views.common.context import CommunicationPlace, Context, Jump
from insight_desktop.views.system.diagnosis import DiagnosisPage


def make(qtbot: QtBot, store: Store) -> DiagnosisPage:
    theme.set_theme("dark", remember=False)
    page = DiagnosisPage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1200, 800)
    page.show()
    page.refresh()
    return page


@pytest.fixture
def job(qtbot: QtBot, real) -> DiagnosisPage:
    page = make(qtbot, job_store(real("cluster_4rank")))
    qtbot.waitUntil(lambda: len(page.cards) == 6)
    return page


@pytest.fixture
def one_card(qtbot: QtBot, real) -> DiagnosisPage:
    _, imports = import_paths([real("text_level2")])
    page = make(qtbot, Store([StoreCard.of_import(item) for item in imports]))
    qtbot.waitUntil(lambda: bool(page.cards))
    return page


def press(page: DiagnosisPage, card: int, text: str) -> None:
    button = next(b for b in page.cards[card].findChildren(QPushButton) if b.text() == text)
    button.click()


def test_findings_of_a_job_are_sentences_with_their_costs(job: DiagnosisPage) -> None:
    assert job.headline.text() == "Whole job: a step takes 810 ms"
    assert [c.row["code"] for c in job.cards] == [
        "uncovered_communication", "free", "straggler", "straggler", "stages", "straggler",
    ]  # fmt: skip
    texts = [label.text() for label in job.cards[2].findChildren(QLabel)]
    assert "97.7 ms" in texts
    assert "per step · 12.1 %" in texts
    assert "Rank 0 holds up 2 other ranks for 97.7 ms per step. It is idle 21.7 ms longer than the ranks that wait for it." in texts  # fmt: skip


def test_straggler_leads_to_its_operator_and_to_the_summary(job: DiagnosisPage) -> None:
    places: list[CommunicationPlace] = []
    tabs: list[str] = []
    job.context.communication_wanted.connect(places.append)
    job.context.tab_wanted.connect(tabs.append)
    press(job, 2, "Show the operator on all ranks")
    press(job, 2, "Open Summary")
    assert places == [CommunicationPlace(step="13", group="embd:(0, 2)", op="hcom_allReduce__170_1_1", rank=0)]
    assert tabs == ["system.summary"]


def test_text_of_all_findings_goes_to_the_clipboard(job: DiagnosisPage) -> None:
    job.copy()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Whole job: a step takes 810 ms\n\n[High 350 ms] Communication that nothing")
    assert "rank 2 waited 86.4 ms in hcom_allReduce__170_1_1 of embd:(0, 2), step 13." in text


def test_card_has_findings_that_lead_into_its_timeline(one_card: DiagnosisPage) -> None:
    jumps: list[Jump] = []
    one_card.context.jump.connect(jumps.append)
    assert one_card.headline.text() == "Card 0: a step takes 130 ms"
    assert [c.row["code"] for c in one_card.cards][:2] == ["uncovered_communication", "idle"]
    press(one_card, 1, "Show in Timeline")
    assert jumps == [Jump("0", None, 1736412474733239964, 1736412474734478749)]


def test_scope_is_remembered(job: DiagnosisPage) -> None:
    assert job.view_state() == {"scope": None}
    job.restore_state({"scope": "no such card"})
    assert job.current == "job"


def test_nothing_open_says_so(qtbot: QtBot) -> None:
    page = make(qtbot, Store())
    assert page.stack.currentWidget() is page.empty
    assert not page.copy_button.isEnabled()


def test_job_without_step_times_says_what_is_missing(qtbot: QtBot, tmp_path: Path) -> None:
    for rank in (0, 1):
        write_rank(tmp_path, rank, collective={"hcom_a@7": {}})
    page = make(qtbot, job_store(tmp_path))
    qtbot.waitUntil(lambda: page.stack.currentWidget() is page.empty)


def test_all_words_change_with_the_language(qtbot: QtBot, job: DiagnosisPage) -> None:
    try:
        language.set_language("zh", remember=False)
        qtbot.waitUntil(lambda: job.headline.text().startswith("整个任务"))
        words = [label.text() for card in job.cards for label in card.findChildren(QLabel)]
        words += [button.text() for card in job.cards for button in card.findChildren(QPushButton)]
        words += [job.headline.text(), job.lead.text(), job.scope_label.text(), job.copy_button.text()]
        bare = [w for w in words if not any("\u4e00" <= c <= "\u9fff" for c in w)]
        assert [w for w in bare if not w.replace(" ", "").replace(".", "").removesuffix("ms").isdigit()] == []
    finally:
        language.set_language("en", remember=False)


def test_rank_that_is_not_read_can_be_asked_for(job: DiagnosisPage) -> None:
    asked: list[list[str]] = []
    job.context.parse_requested.connect(asked.append)
    press(job, 2, "Read rank 0")
    assert asked == [["0"]]
