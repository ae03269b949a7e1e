"""The Communication page: selectors, findings, jumps both ways, comparison, missing data, language, state."""

from __future__ import annotations

import json

import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank
from tests.support.communication_page import Driven, cells, job_store

from insight_desktop.engine import cluster
from insight_desktop.engine.store import Store
from insight_desktop.views.common import language
from insight_desktop.views.common.context import CommunicationPlace, Jump

SPEC = "system-summary-communication"
DEFAULT = "default_group:(0, 1, 2, 3)"
REDUCE = "hcom_allReduce__612_4_1"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


def two_jobs(folder):
    """Job `after` and job `before`: rank 0 is 1 ms slower, rank 1 0.5 ms faster; the link 0 → 1 went over RDMA before."""
    groups = {"g": {"group_name": "tp", "group_rank": 0, "global_ranks": [0, 1]}}
    times = {"after": (3.0, 1.5), "before": (2.0, 2.0)}
    key = "hcom_allReduce__1_1_1@" + HASH_G
    for name, of_ranks in times.items():
        transport = "HCCS" if name == "after" else "RDMA"
        for rank, elapse in enumerate(of_ranks):
            write_rank(
                folder / name, rank, groups=groups,
                collective={key: operator(1000.0, elapse=elapse, transit=1.0, wait=1.0, links={"SDMA": (8.0, 1.0, {})})},
                links={f"allreduce-total@{HASH_G}": {
                    "0-0": link(1.0, 1.0, "LOCAL"), "1-1": link(1.0, 1.0, "LOCAL"),
                    "0-1": link(8.0, 1.0 if name == "after" else 2.0, transport),
                }},
            )  # fmt: skip
    return job_store(folder)


def group_hash(text: str) -> str:
    halves = []
    for factor in (29, 131):
        value = 0
        for letter in text:
            value = (value * factor + ord(letter)) % 2**32
        halves.append(value)
    return str(halves[0] * 2**32 + halves[1])


HASH_G = group_hash("g")


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


@pytest.mark.row(SPEC, 27)
def test_another_group_brings_its_own_operators_and_the_sum(four):
    four.choose(op=REDUCE)
    labels = [g.label for g in four.page.offers.groups]
    other = next(label for label in labels if label.startswith("dp:"))
    four.choose(group=other)
    assert four.page.bar.op == "Total Op Info"
    assert REDUCE not in [four.page.bar.op_box.itemText(i) for i in range(four.page.bar.op_box.count())]


def test_label_of_a_large_group_shows_few_ranks_and_keeps_its_whole_text_in_the_tooltip(qtbot, tmp_path):
    ranks = list(range(9))
    for rank in ranks:
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@1": operator(elapse=1.0)})
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert [g.label for g in page.offers.groups] == ["(0, 1, 2, 3, 4, 5, 6, 7, 8):1"]
    assert page.bar.group_box.itemText(0) == "(0, 1, … 8):1"
    assert page.bar.group_box.itemData(0, 3) == "(0, 1, 2, 3, 4, 5, 6, 7, 8):1"  # 3 is the role of tooltips


# ---- findings and status


def test_the_answer_stands_above_the_panels(four):
    assert four.page.findings.texts() == [
        "Rank 3 arrives last: rank 1 waits 2.852 ms longer in step 13.",
        "No link is slower than its peers.",
        "SDMA: communication efficiency is low.",
        "59.2 % of the operators over SDMA move less than 16 MB.",
    ]
    assert four.status[-1] == [DEFAULT, "4 ranks", "Step 13", "Total Op Info"]


# ---- jumps


@pytest.fixture
def with_timelines(qtbot, real):
    """Two ranks whose databases hold timelines and communication."""
    return Driven(qtbot, open_cluster(real("db_level1"), kind="as found")).loaded()


@pytest.mark.row(SPEC, 35)
@pytest.mark.row("system-timeline", 92)
def test_a_slice_of_the_timeline_is_found_on_the_page_and_the_way_back_leads_to_it(with_timelines):
    driven, page = with_timelines, with_timelines.page
    name = "hcom_allReduce__210_1_1"
    page.to_timeline(1, name, None)
    driven.until(lambda: len(driven.jumps) == 1)
    there = driven.jumps[0]
    assert isinstance(there, Jump)
    assert there.card == "1"
    capture = driven.context.store.capture("1")
    assert capture.text(int(capture.slice_name[there.slice_id])) == name

    driven.context.communication_wanted.emit(CommunicationPlace(card="1", slice_id=there.slice_id))
    driven.until(lambda: page.choice.op == name)
    driven.until(lambda: page.thumbnails.area.selected >= 0)
    bars = page.thumbnails.area.bars
    assert bars.names == (name,)
    assert bars.rank_of(page.thumbnails.area.selected) == 1
    assert page.thumbnails.area.marked == page.thumbnails.area.selected

    assert page.thumbnails.timeline_button.isEnabled()
    page.thumbnails.timeline_button.click()
    driven.until(lambda: len(driven.jumps) == 2)
    assert driven.jumps[1] == there


@pytest.mark.row(SPEC, 35)
def test_the_operators_of_a_rank_lead_to_the_timeline(with_timelines):
    driven, page = with_timelines, with_timelines.page
    page.durations.open_operators(0)
    driven.until(lambda: page.durations.operators.table.num_rows > 0)
    first = page.durations.operators.row(0)
    page.durations.operators.link_clicked.emit("timeline", 0)
    driven.until(lambda: bool(driven.jumps))
    capture = driven.context.store.capture("0")
    found = driven.jumps[0].slice_id
    assert capture.text(int(capture.slice_name[found])) == first["name"]
    assert abs(int(capture.slice_start[found]) - first["start_ns"]) < 100_000  # the operator begins with its first task


@pytest.mark.row(SPEC, 35)
def test_a_group_of_the_summary_is_found_by_its_name_and_ranks(four):
    four.context.communication_wanted.emit(CommunicationPlace(group="pp", ranks=(0, 2)))
    four.until(lambda: four.page.choice.group.pg_name == "pp")
    assert four.page.choice.group.ranks == (0, 2)


@pytest.mark.row(SPEC, 35)
def test_an_unknown_group_of_a_jump_shows_the_first_one(four):
    four.choose(group=next(g.label for g in four.page.offers.groups if g.pg_name == "dp"))
    four.context.communication_wanted.emit(CommunicationPlace(group="nobody", ranks=(8, 9)))
    four.until(lambda: four.page.choice.group.label == DEFAULT)


def test_a_slice_that_is_no_operator_of_the_job_is_told(with_timelines):
    driven = with_timelines
    driven.context.communication_wanted.emit(CommunicationPlace(card="0", slice_id=0))
    driven.until(lambda: bool(driven.messages))
    assert driven.messages[0][0] == "error"
    assert "have no operator" in driven.messages[0][1]


@pytest.mark.row(SPEC, 38)
def test_without_timelines_the_way_to_them_is_off(four):
    four.page.thumbnails.area.select(0)
    four.page.thumbnails.area.bar_clicked.emit(0)
    button = four.page.thumbnails.timeline_button
    assert not button.isEnabled()
    assert button.toolTip() == "The Timeline of this rank is not open."
    assert not four.page.thumbnails.operator_menu().actions()[0].isEnabled()


# ---- comparison


@pytest.mark.row(SPEC, 36)
@pytest.mark.row("system-timeline", 11)
@pytest.mark.example(SPEC, "W25")
def test_two_jobs_are_compared_by_difference_once_baseline_and_comparison_are_set(qtbot, tmp_path):
    driven = Driven(qtbot, two_jobs(tmp_path)).loaded()
    page = driven.page
    assert [page.bar.jobs.job_box.itemText(i) for i in range(2)] == ["after", "before"]
    assert not page.bar.base_step_box.isVisible()
    driven.context.choose_jobs("after", "before")
    driven.until(lambda: page.choice is not None and page.choice.base == "before")
    driven.until(lambda: page.durations.compared.pairs == 2 and page.matrix.links.table.num_rows == 3)
    # Every panel asks for itself, so each is waited for.
    driven.until(lambda: page.matrix.cells().values[1, 0] == 4.0 and page.thumbnails.area.bars.sides == 2)
    driven.until(lambda: page.chart.area.bars[0].values == [1.0, -0.5])
    assert page.bar.base_step_box.isVisible()
    assert not page.bar.op_box.isEnabled()
    assert cells(page.durations.compared, columns=3) == [
        ["0", "Difference", "+1.0000"],
        ["1", "Difference", "−0.5000"],
    ]
    page.durations.compared.toggle(0)
    assert cells(page.durations.compared, 3, 3) == [
        ["0", "Difference", "+1.0000"],
        ["0", "Baseline", "2.0000"],
        ["0", "Comparison", "3.0000"],
    ]
    assert [row["elapse_ms"] for row in page.durations.rows()] == [1.0, -0.5]
    assert page.chart.area.bars[0].values == [1.0, -0.5]
    matrix = page.matrix
    assert matrix.cells().values[1, 0] == 4.0  # 8 MB in 1 ms against 8 MB in 2 ms
    matrix.set_metric("transport")
    assert matrix.cells().text_of(1, 0) == "RDMA->HCCS"
    assert [name for name, _ in matrix.cells().classes] == ["Same", "Different"]
    assert matrix.cells().values[1, 0] == 1.0
    assert page.thumbnails.area.bars.sides == 2
    assert page.slow.slow is None


@pytest.mark.row(SPEC, 36)
def test_sides_of_a_difference_lead_to_the_operators_of_their_job(qtbot, tmp_path):
    driven = Driven(qtbot, two_jobs(tmp_path)).loaded()
    page = driven.page
    driven.context.choose_jobs("after", "before")
    driven.until(lambda: page.durations.compared.pairs == 2)
    page.durations.compared.row_activated.emit(2)  # the baseline of the first difference
    driven.until(lambda: page.durations.operators.table.num_rows == 1)
    assert page.durations.opened == (0, 1)
    assert page.durations.operators.row(0)["elapse_ms"] == 2.0
    page.durations.compared.row_activated.emit(4)
    driven.until(lambda: page.durations.operators.row(0)["elapse_ms"] == 3.0)


@pytest.mark.row(SPEC, 36)
def test_a_group_that_only_the_baseline_has_is_offered_and_compared_with_nothing(qtbot, tmp_path):
    for name, key in (("after", "7"), ("before", "8")):
        for rank in range(2 if name == "after" else 3):
            write_rank(
                tmp_path / name, rank, collective={f"hcom_allReduce__1_1_1@{key}": operator(10.0, elapse=2.0)},
                links={f"allreduce-total@{key}": {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), "0-1": link(8.0, 2.0)}},
            )  # fmt: skip
    driven = Driven(qtbot, job_store(tmp_path)).loaded()
    page = driven.page
    driven.context.choose_jobs("after", "before")
    driven.until(lambda: page.choice is not None and page.choice.is_compared)
    assert [g.label for g in page.offers.groups] == ["(0, 1):7", "(0, 1, 2):8"]
    driven.choose(group="(0, 1, 2):8")
    driven.until(lambda: page.durations.compared.pairs == 3)
    assert [row["elapse_ms"] for row in page.durations.rows()] == [-2.0, -2.0, -2.0]
    assert page.matrix.cells().values[1, 0] == -4.0
    assert set(page.thumbnails.area.bars.side.tolist()) == {1}


def test_the_end_of_a_comparison_brings_the_job_back(qtbot, tmp_path):
    driven = Driven(qtbot, two_jobs(tmp_path)).loaded()
    driven.context.choose_jobs("after", "before")
    driven.until(lambda: driven.page.choice is not None and driven.page.choice.is_compared)
    driven.context.choose_jobs("before")
    driven.until(lambda: driven.page.choice is not None and not driven.page.choice.is_compared)
    table = driven.page.durations.table
    driven.until(lambda: table.table.num_rows == 2 and cells(table, columns=4)[0][3] == "2.0000")
    assert driven.page.choice.cluster == "before"


# ---- missing data


@pytest.mark.row(SPEC, 38)
def test_without_data_the_page_says_what_to_open(qtbot):
    driven = Driven(qtbot, Store())
    assert driven.page.stack.currentWidget() is driven.page.empty
    assert driven.page.empty.title.text() == "No Data"


@pytest.mark.row(SPEC, 38)
def test_ranks_without_communication_files_name_file_and_level(qtbot, tmp_path):
    for rank in range(2):
        write_rank(tmp_path, rank, steps=[("1", 5.0, 0, 0, 0, 1.0, 0, 0, 0, 0)])
    driven = Driven(qtbot, job_store(tmp_path))
    page = driven.page
    driven.until(lambda: page.stack.currentWidget() is page.empty)
    assert page.empty.title.text() == "Communication has nothing to show"
    assert "Level1" in page.empty.text.text()
    assert "ProfilerLevel.Level1" in page.empty.code
    assert "communication.json" in _texts(page.empty)
    assert "0 of 2 ranks" in _texts(page.empty)


@pytest.mark.row(SPEC, 38)
def test_a_rank_that_was_not_collected_keeps_its_place_in_the_group_and_has_no_bars(qtbot, tmp_path):
    groups = {"g": {"group_name": "tp", "group_rank": 0, "global_ranks": [0, 1, 2]}}
    for rank in (0, 2):
        write_rank(
            tmp_path, rank, groups=groups, collective={f"hcom_allReduce__1_1_1@{HASH_G}": operator(elapse=1.0)},
            links={f"allreduce-total@{HASH_G}": {"0-2": link(1.0, 1.0)}},
        )  # fmt: skip
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.choice.group.label == "tp:(0, 1, 2)"
    assert page.thumbnails.area.bars.ranks == (0, 2)
    assert page.matrix.cells().row_names == ["0", "1", "2"]


@pytest.mark.row(SPEC, 38)
def test_without_metadata_groups_are_unknown_and_the_matrix_maps_by_links_of_a_rank_to_itself(qtbot, tmp_path):
    for rank in range(2):
        write_rank(
            tmp_path, rank, collective={"hcom_allReduce__1_1_1@77": operator(elapse=1.0)},
            links={"allreduce-total@77": {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), "0-1": link(2.0, 1.0)}},
        )  # fmt: skip
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.choice.group.label == "(0, 1):77"
    assert page.matrix.cells().values[1, 0] == 2.0


@pytest.mark.row(SPEC, 38)
def test_without_a_matrix_file_the_times_are_there_and_the_matrix_says_why(qtbot, tmp_path):
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@77": operator(elapse=1.0)})
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.durations.table.table.num_rows == 2
    assert page.matrix.heat.is_empty
    assert "communication_matrix.json" in page.matrix.heat.empty.texts()[1]


@pytest.mark.row(SPEC, 38)
def test_with_a_matrix_file_only_the_links_are_there_and_the_times_say_why(qtbot, tmp_path):
    for rank in range(2):
        links = {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL"), "0-1": link(2.0, 1.0)}
        write_rank(tmp_path, rank, links={"allreduce-total@77": links})
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.matrix.cells().values[1, 0] > 0
    assert page.thumbnails.is_empty
    assert not page.durations.table.table.num_rows
    assert "no operators" in page.durations.table._empty_text


@pytest.mark.row(SPEC, 38)
def test_a_group_of_one_rank_has_no_link_and_no_slow_rank(four):
    alone = next(g for g in four.page.offers.groups if len(g.ranks) == 1)
    four.choose(group=alone.label)
    assert four.page.matrix.heat.is_empty
    assert "Show Inner Communication" in four.page.matrix.heat.empty.texts()[1]
    assert not four.page.slow.slow_table.table.num_rows


@pytest.mark.row(SPEC, 38)
def test_a_broken_rank_is_named_and_the_others_are_shown(qtbot, tmp_path):
    for rank in range(3):
        card = write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@77": operator(elapse=1.0)})
    (card / "ASCEND_PROFILER_OUTPUT" / "communication.json").write_text('{"step1": {"collective": {')
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.thumbnails.area.bars.ranks == (0, 1)
    assert any("communication.json" in text for text in page.findings.texts())


# ---- progress


@pytest.mark.row(SPEC, 8)
def test_progress_stands_in_place_of_the_page_until_the_analysis_is_there(qtbot, tmp_path):
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@77": operator(elapse=1.0)})
    driven = Driven(qtbot, job_store(tmp_path))
    assert driven.page.stack.currentWidget() is driven.page.progress
    driven.loaded()
    assert driven.page.stack.currentWidget() is driven.page.content
    assert cluster.status(driven.context.store).phase == "ready"


# ---- language and state


@pytest.mark.row(SPEC, 39)
def test_every_word_changes_with_the_language_and_no_number_does(four):
    before = cells(four.page.durations.table, columns=12)
    language.set_language("zh", remember=False)
    four.rest()
    page = four.page
    assert page.bar.labels[page.bar.group_box].text() == "通信域"
    assert page.bar.labels[page.bar.op_box].text() == "算子名称"
    assert page.matrix.heat.title == "通信矩阵"
    assert page.matrix.inner_box.text() == "显示卡内通信"
    assert [page.tabs.tabText(i) for i in range(5)] == [
        "通信时长数据分析", "通信时长", "可能的慢卡列表", "链路健康", "专家建议",
    ]  # fmt: skip
    heads = [c.heading() for c in page.durations.table.columns]
    assert heads[3:6] == ["总时间 (ms)", "传输时间 (ms)", "同步时间 (ms)"]
    assert page.durations.table_box.totals.texts()["rank"] == "平均"
    assert four.status[-1][1:3] == ["4 张卡", "迭代 13"]
    after = cells(page.durations.table, columns=12)
    assert [row[3:] for row in after] == [row[3:] for row in before]
    assert not any(text.isascii() for text in page.findings.texts())


def test_the_arrangement_comes_back(qtbot, real):
    first = Driven(qtbot, job_store(real("cluster_4rank"))).loaded()
    group = next(g.label for g in first.page.offers.groups if g.pg_name == "dp")
    first.choose(group=group)
    first.page.show_tab("slow")
    first.page.matrix.set_metric("transport")
    first.page.matrix.inner_box.setChecked(True)
    first.page.durations.table.sort_by("wait_ms", descending=True)
    state = json.loads(json.dumps(first.page.view_state()))
    second = Driven(qtbot, job_store(real("cluster_4rank")))
    second.page.restore_state(state)
    second.loaded()
    page = second.page
    assert page.choice.group.label == group
    assert page.tabs.currentIndex() == 2
    assert page.matrix.shown_metric == "transport"
    assert page.matrix.inner_box.isChecked()
    assert page.durations.table.sort.column == "wait_ms"


def _texts(widget):
    from PySide6.QtWidgets import QLabel

    return " ".join(label.text() for label in widget.findChildren(QLabel))
