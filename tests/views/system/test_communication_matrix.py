"""The matrix: metrics, links of a rank to itself, ranges, transports, several links of a pair."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.cluster_files import link, operator, write_rank
from tests.support.communication_page import Driven, job_store

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


@pytest.fixture
def four(qtbot, real):
    return Driven(qtbot, job_store(real("cluster_4rank"))).loaded()


@pytest.fixture
def mixed(qtbot, tmp_path):
    """Three ranks; 0 → 1 over two transports."""
    for rank in range(3):
        own = {f"{rank}-{rank}": link(1.0, 0.5, "LOCAL")}
        links = {
            0: {"0-1": link(8.0, 1.0, "HCCS")},
            1: {"1-2": link(4.0, 2.0, "RDMA")},
            2: {"2-0": link(9.0, 1.0, "XYZ")},
        }
        write_rank(
            tmp_path, rank, collective={"hcom_allReduce__1_1_1@77": operator(elapse=1.0)},
            links={"allreduce-total@77": own | links[rank], "allreduce-top1@77": {"0-1": link(2.0, 1.0, "HCCS", "a")}},
        )  # fmt: skip
    return Driven(qtbot, job_store(tmp_path)).loaded()


@pytest.mark.row(SPEC, 28)
@pytest.mark.example(SPEC, "W6")
def test_bandwidths_of_the_sum_stand_at_source_and_destination(four):
    matrix = four.page.matrix
    cells = matrix.cells()
    assert (cells.column_title, cells.row_title) == ("Src Rank Id", "Dst Rank Id")
    assert cells.rows_up
    expected = [
        [None, 0.0155, 0.0165, 0.0160],
        [0.0787, None, 0.0814, 0.0814],
        [0.0774, 0.0738, None, 0.0800],
        [0.0571, 0.0667, 0.0696, None],
    ]
    shown = [[None if np.isnan(v) else float(v) for v in row] for row in cells.values]
    assert shown == expected  # rows are destinations
    assert cells.text_of(0, 1) == "0.0155"


@pytest.mark.row(SPEC, 28)
def test_links_of_a_rank_to_itself_come_with_the_switch(four):
    matrix = four.page.matrix
    assert np.isnan(matrix.cells().values[0, 0])
    matrix.inner_box.setChecked(True)
    assert matrix.cells().values[0, 0] == 0.0238


@pytest.mark.row(SPEC, 28)
def test_every_metric_is_offered_and_all_of_them_stand_in_the_readout(mixed):
    matrix = mixed.page.matrix
    values = {}
    for metric in ("bandwidth_gbs", "size_mb", "transit_ms"):
        matrix.set_metric(metric)
        values[metric] = float(matrix.cells().values[2, 1])
    assert values == {"bandwidth_gbs": 2.0, "size_mb": 4.0, "transit_ms": 2.0}
    lines = [(line.name, line.value) for line in matrix.cells().tip(2, 1)]
    assert lines == [
        ("1 -> 2", ""), ("Bandwidth", "2.0000 GB/s"), ("Transit Size", "4.0000 MB"), ("Transit Time", "2.0000 ms"),
        ("Transport Type", "RDMA"),
    ]  # fmt: skip


@pytest.mark.row(SPEC, 28)
def test_transports_have_fixed_colours_and_unknown_ones_stay_blank(mixed):
    matrix = mixed.page.matrix
    matrix.set_metric("transport")
    cells = matrix.cells()
    assert [(name, colour.name()) for name, colour in cells.classes] == [
        ("HCCS", "#f82d18"), ("PCIE", "#eac299"), ("RDMA", "#c7eef5"), ("LOCAL", "#0177ff"), ("SIO", "#48aa82"),
    ]  # fmt: skip
    assert cells.values[1, 0] == 0.0
    assert cells.values[2, 1] == 2.0
    assert np.isnan(cells.values[0, 2])
    assert not matrix.heat.fields.isVisible()


@pytest.mark.row(SPEC, 28)
def test_a_range_keeps_links_between_its_ends_and_a_wrong_one_is_refused(mixed):
    matrix = mixed.page.matrix
    fields = matrix.heat.fields
    assert (fields.low_field.text(), fields.high_field.text()) == ("2.0000", "9.0000")
    fields.low_field.setText("5")
    fields.apply_button.click()
    assert matrix.heat.range == (5.0, 9.0)
    assert matrix.heat.area.colour_of(2, 1) is None
    fields.low_field.setText("50")
    fields.apply_button.click()
    assert matrix.heat.range == (5.0, 9.0)
    assert mixed.messages[-1][0] == "warning"
    matrix.set_metric("size_mb")
    assert matrix.heat.range == (4.0, 9.0)


@pytest.mark.row(SPEC, 28)
def test_low_bandwidth_and_long_times_are_red(mixed):
    matrix = mixed.page.matrix
    assert matrix.heat.area.colour_of(2, 1).name() == "#f82d18"
    assert matrix.heat.area.colour_of(0, 2).name() == "#0177ff"
    matrix.set_metric("transit_ms")
    assert matrix.heat.area.colour_of(2, 1).name() == "#f82d18"


@pytest.mark.row(SPEC, 28)
def test_an_operator_by_its_place_shows_its_name(mixed):
    matrix = mixed.page.matrix
    assert [matrix.op_box.itemText(i) for i in range(matrix.op_box.count())] == [
        "Total Op Info", "allreduce-top1", "allreduce-total",
    ]  # fmt: skip
    matrix.op_box.setCurrentIndex(1)
    matrix.op_box.activated.emit(1)
    mixed.until(lambda: matrix.links.table.num_rows == 1)
    assert [(line.name, line.value) for line in matrix.cells().tip(1, 0)][1] == ("Operator Name", "a")


@pytest.mark.row(SPEC, 28)
def test_several_links_of_a_pair_share_a_cell(mixed):
    import pyarrow as pa

    matrix = mixed.page.matrix
    table = matrix.links.table
    two = table.filter(pa.compute.and_(pa.compute.equal(table["src"], 0), pa.compute.equal(table["dst"], 1)))
    second = two.set_column(two.schema.get_field_index("bandwidth_gbs"), "bandwidth_gbs", pa.array([3.0]))
    matrix._show(pa.concat_tables([table, second]))
    assert matrix.cells().text_of(1, 0) == "[3.0000,8.0000]"
    assert matrix.cells().values[1, 0] == 8.0
    assert [line.value for line in matrix.cells().tip(1, 0) if line.name == "Bandwidth"] == [
        "8.0000 GB/s",
        "3.0000 GB/s",
    ]


@pytest.mark.row(SPEC, 28)
def test_a_clicked_link_is_told_in_the_status_bar(mixed):
    mixed.page.matrix.heat.cell_clicked.emit(2, 1)
    assert mixed.status[-1] == ["Link 1 -> 2", "RDMA", "2.0000 GB/s", "4.0000 MB", "2.0000 ms"]
