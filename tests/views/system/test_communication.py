"""The Communication page: selectors, findings, jumps both ways, comparison, missing data, large jobs, language."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import operator, write_rank
from tests.support.communication_page import Driven, job_store

SPEC = "system-summary-communication"
DEFAULT = "default_group:(0, 1, 2, 3)"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


# ---- selectors


@pytest.mark.row(SPEC, 27)
def test_selectors_offer_step_groups_and_operators_with_the_sum_first(four):
    bar = four.page.bar
    assert [bar.step_box.itemText(i) for i in range(bar.step_box.count())] == ["13"]
    assert bar.group_box.count() == 12
    assert bar.group_label == DEFAULT
    assert bar.op == "Total Op Info"
    assert [bar.op_box.itemText(i) for i in range(bar.op_box.count())] == [
        "Total Op Info", "hcom_allGather__612_7_1", "hcom_allReduce__612_4_1", "hcom_allReduce__612_5_1",
        "hcom_allReduce__612_6_1",
    ]  # fmt: skip
    links = four.page.matrix.op_box
    assert links.itemText(0) == "Total Op Info"
    assert "allreduce-top1" in [links.itemText(i) for i in range(links.count())]


@pytest.mark.row(SPEC, 27)
def test_a_group_is_found_by_typing_a_part_of_its_name(four):
    completer = four.page.bar.group_box.completer()
    completer.setCompletionPrefix("dp")
    found = [completer.completionModel().index(i, 0).data() for i in range(completer.completionModel().rowCount())]
    assert found
    assert all("dp" in text.lower() for text in found)


def test_label_of_a_large_group_shows_few_ranks_and_keeps_its_whole_text_in_the_tooltip(qtbot, tmp_path):
    ranks = list(range(9))
    groups = {"g": {"group_name": "tp", "group_rank": 0, "global_ranks": ranks}}
    for rank in ranks:
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@1": operator(elapse=1.0)}, groups=groups)
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    labels = [g.label for g in page.offers.groups]
    assert labels == ["(0, 1, 2, 3, 4, 5, 6, 7, 8):1"]
    assert page.bar.group_box.itemText(0) == "(0, 1, … 8):1"


# ---- findings and status


def test_the_answer_stands_above_the_panels(four):
    assert four.page.findings.texts() == [
        "Rank 3 arrives last: rank 1 waits 2.852 ms longer in step 13.",
        "No link is slower than its peers.",
        "SDMA: communication efficiency is low.",
        "59.2 % of the operators over SDMA move less than 16 MB.",
    ]
