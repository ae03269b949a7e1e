"""Bandwidth analysis, slow ranks, advice and link health of the Communication page."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank
from tests.support.communication_page import Driven, cells, job_store

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


# ---- bandwidth


@pytest.mark.row(SPEC, 32)
@pytest.mark.example(SPEC, "W18")
def test_packets_of_a_rank_by_size_with_their_bandwidth(four):
    page = four.page
    page.durations.table.link_clicked.emit("packets", 0)
    four.until(lambda: page.bandwidth.table.table.num_rows == 5)
    assert page.stack.currentWidget() is page.bandwidth
    assert page.bandwidth.title.text() == "Total Op Info(RankId 1)"
    chart = page.bandwidth.charts["HCCS"]
    assert chart.area.names == ("0", "0.0001")
    assert list(chart.area.bars[0].values) == [6, 3]
    assert list(chart.area.lines[0].values) == [0.0036, 0.0742]
    assert page.bandwidth.shown_charts() == ["HCCS", "PCIE", "RDMA", "SIO"]
    assert page.bandwidth.charts["PCIE"].is_empty
    page.bandwidth.back_button.click()
    assert page.stack.currentWidget() is page.content


@pytest.mark.row(SPEC, 32)
def test_transports_stand_below_their_sum_and_its_packet_ratio_is_a_slash(four):
    page = four.page
    page.show_packets(1)
    four.until(lambda: page.bandwidth.table.table.num_rows == 5)
    assert [row[0].strip() for row in cells(page.bandwidth.table, columns=1)] == [
        "▾ SDMA",
        "HCCS",
        "PCIE",
        "SIO",
        "RDMA",
    ]
    assert cells(page.bandwidth.table, 2, 5) == [
        ["▾ SDMA", "0.0003", "0.0105", "0.0298", "/"],
        ["\u2003\u2003 HCCS", "0.0003", "0.0105", "0.0298", "0.0000"],
    ]


@pytest.mark.row(SPEC, 32)
def test_a_transport_without_rows_has_no_chart(qtbot, tmp_path):
    links = {"HCCS": (8.0, 1.0, {"1": [8, 1.0]}), "RDMA": (1.0, 1.0, {})}
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=1.0, links=links)})
    driven = Driven(qtbot, job_store(tmp_path)).loaded()
    driven.page.show_packets(0)
    driven.until(lambda: driven.page.bandwidth.table.table.num_rows > 0)
    assert driven.page.bandwidth.shown_charts() == ["HCCS", "RDMA"]
    assert driven.page.bandwidth.charts["RDMA"].is_empty
    assert list(driven.page.bandwidth.charts["HCCS"].area.lines[0].values) == [8.0]


# ---- slow ranks


@pytest.mark.row(SPEC, 30)
@pytest.mark.example(SPEC, "W15")
def test_slow_ranks_are_listed_with_the_operators_where_they_were_waited_for(four):
    panel = four.page.slow
    assert panel.about.full_text() == "Fastest rank: 1, 2.925720 ms"
    assert cells(panel.slow_table, columns=4) == [
        ["▾ 3", "2.852100", "0.073620", "2.925720"],
        ["\u2003\u2003 Top 1 · hcom_allReduce__612_4_1", "1.922380", "0.018080", "1.940460"],
        ["\u2003\u2003 Top 2 · hcom_allGather__612_7_1", "0.551740", "0.022700", "0.574440"],
        ["\u2003\u2003 Top 3 · hcom_allReduce__612_6_1", "0.258280", "0.016440", "0.274720"],
        ["▾ 0", "0.693280", "2.232440", "2.925720"],
        ["\u2003\u2003 Top 1 · hcom_allReduce__612_4_1", "1.119620", "0.820840", "1.940460"],
        ["\u2003\u2003 Top 2 · hcom_allGather__612_7_1", "0.032860", "0.541580", "0.574440"],
        ["▾ 2", "0.670460", "2.255260", "2.925720"],
        ["\u2003\u2003 Top 1 · hcom_allReduce__612_4_1", "0.888460", "1.052000", "1.940460"],
        ["\u2003\u2003 Top 2 · hcom_allGather__612_7_1", "0.195560", "0.378880", "0.574440"],
    ]
    assert "10 %" in panel.rule.text()


@pytest.mark.row(SPEC, 30)
def test_a_link_of_the_list_zooms_to_the_operator_of_the_fastest_rank_and_marks_the_bar(four):
    four.page.slow.slow_table.highlight_wanted.emit(1)
    area = four.page.thumbnails.area
    bars = area.bars
    name = "hcom_allReduce__612_4_1"
    assert area.marked == bars.find(3, name)
    fastest = bars.find(1, name)
    assert (area.left_ns, area.span_ns) == (0.0, 2_000_000.0)  # 0 to 1.94046 ms in whole ms
    assert int(bars.start_ns[fastest]) == 0


@pytest.mark.row(SPEC, 30)
def test_pipelines_and_traffic_in_one_direction_have_no_list(four):
    pipeline = next(g.label for g in four.page.offers.groups if g.pg_name == "pp")
    four.choose(group=pipeline)
    assert not four.page.slow.slow_table.table.num_rows
    assert "do different things" in four.page.slow.slow_table._empty_text


@pytest.mark.row(SPEC, 30)
def test_balanced_ranks_are_told(qtbot, tmp_path):
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=1.0 + rank / 100)})
    driven = Driven(qtbot, job_store(tmp_path)).loaded()
    assert "balanced" in driven.page.slow.slow_table._empty_text
    assert driven.page.findings.texts()[0] == "The ranks of (0, 1):7 are balanced."


@pytest.mark.row(SPEC, 30)
def test_one_operator_alone_has_no_list(four):
    four.choose(op="hcom_allReduce__612_4_1")
    four.until(lambda: four.page.slow.slow is None)
    assert not four.page.slow.slow_table.table.num_rows


# ---- advice


@pytest.mark.row(SPEC, 33)
@pytest.mark.example(SPEC, "W16")
def test_bandwidths_are_judged_with_their_threshold_and_transports_without_traffic_left_out(four):
    advice = four.page.advice
    assert cells(advice.table) == [
        ["SDMA", "4", "0.0343", "0.0407", "0.0696", "0.0298", "0.0398", "Communication efficiency is low: 0.0407 < 0.0557 GB/s"],
    ]  # fmt: skip
    assert "Total time of the transports: SDMA 0.0343 ms." in advice.overall.text()
    assert "80 %" in advice.overall.text()


@pytest.mark.row(SPEC, 33)
def test_of_two_transports_the_one_with_more_time_comes_first(qtbot, tmp_path):
    links = {"SDMA": (8.0, 1.0, {}), "RDMA": (9.0, 3.0, {})}
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=1.0, links=links)})
    advice = Driven(qtbot, job_store(tmp_path)).loaded().page.advice
    assert [row[0] for row in cells(advice.table, columns=1)] == ["SDMA", "RDMA"]
    assert advice.overall.text().startswith(
        "Total time of the transports: SDMA 2.0000 ms, RDMA 6.0000 ms. Begin with RDMA: most time goes there."
    )
    assert cells(advice.table)[0][7] == "Bandwidth is the bottleneck: 8.0000 ≥ 6.4000 GB/s"


@pytest.mark.row(SPEC, 34)
@pytest.mark.example(SPEC, "W17")
def test_small_packets_of_the_whole_job_with_their_standards(four):
    box = four.page.advice.boxes["packet"]
    assert [c.heading() for c in box.table.columns][:6] == [
        "Category", "Issue", "Small Size Duration (ms)", "Small Size Proportion Standard (%)",
        "Small Size Proportion (%)", "Small Size Standard (MB)",
    ]  # fmt: skip
    assert cells(box.table) == [
        ["SDMA", "Yes", "3.261420", "20.000000", "59.183673", "16.000000", "29", "49"],
        ["RDMA", "No", "0.000000", "20.000000", "0.000000", "1.000000", "0", "0"],
    ]


@pytest.mark.row(SPEC, 34)
def test_every_analysis_says_its_threshold_and_what_to_do(four):
    words = {key: label.text() for key, label in four.page.advice.rule_words.items()}
    assert "14.4 GB/s" in words["contention"]
    assert "512 bytes" in words["alignment"]
    assert "4,000 ms" in words["retransmission"]
    assert "16 MB" in words["packet"]
    assert "20 %" in words["packet"]
    assert all("•" in text for text in words.values())


@pytest.mark.row(SPEC, 34)
def test_kernels_and_tasks_of_open_ranks_are_looked_at_when_the_advice_is(qtbot, real):
    driven = Driven(qtbot, open_cluster(real("db_level1"), kind="as found")).loaded()
    advice = driven.page.advice
    assert list(advice.boxes) == ["contention", "alignment", "retransmission", "packet"]
    assert not advice.table.isVisible()
    driven.page.show_tab("advice")
    driven.until(lambda: "Loading" not in advice.boxes["alignment"].table._empty_text)
    driven.until(lambda: "Loading" not in advice.boxes["contention"].table._empty_text)
    assert advice.boxes["alignment"].about.full_text() == "2 of 2 ranks are open; only they are looked at"


@pytest.mark.row(SPEC, 34)
def test_operators_that_were_sent_again_are_listed(qtbot, tmp_path):
    links = {"RDMA": (8.0, 5000.0, {})}
    for rank in range(2):
        write_rank(tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=4500.0, links=links)})
    box = Driven(qtbot, job_store(tmp_path)).loaded().page.advice.boxes["retransmission"]
    assert cells(box.table) == [["1", "hcom_allReduce__1_1_1", "(0, 1)", "4,500.000000", "5,000.000000"]]


# ---- links


@pytest.fixture
def links_of_four(qtbot, tmp_path):
    """Six links of 20 GB/s but one: 2 → 3 has 5 GB/s."""
    pairs = {0: ("0-1",), 1: ("1-2", "1-0"), 2: ("2-3", "2-1"), 3: ("3-2",)}
    for rank in range(4):
        links = {p: link(20.0, 4.0 if p == "2-3" else 1.0) for p in pairs[rank]}
        links[f"{rank}-{rank}"] = link(1.0, 1.0, "LOCAL")
        write_rank(
            tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=1.0)},
            links={"allreduce-total@7": links},
        )  # fmt: skip
    return Driven(qtbot, job_store(tmp_path)).loaded()


def test_a_link_slower_than_its_peers_is_found_and_shown_in_table_map_and_answer(links_of_four):
    page = links_of_four.page
    assert "Link 2 -> 3 is slow: 5.00 GB/s, the median of HCCS is 20.00 GB/s." in page.findings.texts()
    assert cells(page.links.table, 1) == [
        ["2", "3", "HCCS", "5.0000", "20.0000", "25.0", "25.0", "20.0000", "4.0000", "slow"],
    ]  # fmt: skip
    assert page.links.heat.cells.values[3, 2] == 25.0
    assert page.links.slow_count() == 1
    page.links.table.select_row(0)
    assert page.links.heat.area.selected == (3, 2)
    lines = {line.name: line.value for line in page.links.heat.cells.tip(3, 2)}
    assert lines["Speed against peers"] == "25.0 %"


def test_links_of_the_chosen_group_alone_can_be_looked_at(links_of_four):
    links = links_of_four.page.links
    links.only_group.setChecked(True)
    links_of_four.rest()
    assert links.table.table.num_rows == 6


def test_links_inside_a_rank_are_no_links(qtbot, tmp_path):
    for rank in range(2):
        write_rank(
            tmp_path, rank, collective={"hcom_allReduce__1_1_1@7": operator(elapse=1.0)},
            links={"allreduce-total@7": {f"{rank}-{rank}": link(1.0, 1.0, "LOCAL")}},
        )  # fmt: skip
    page = Driven(qtbot, job_store(tmp_path)).loaded().page
    assert page.links.heat.is_empty
    assert "No link between ranks has traffic." in page.links.table._empty_text
