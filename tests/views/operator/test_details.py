"""The Details page: what it shows of a kernel, choices, comparison, both languages, geometry of the diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.engine.store import Store
from insight_desktop.views.common import fonts, language, theme
from insight_desktop.views.common.context import Context
from insight_desktop.views.operator import details_load, operator_colours
from insight_desktop.views.operator.details import TAB, DetailsPage
from insight_desktop.views.operator.memory_diagram import transfer_tip
from insight_desktop.views.operator.memory_shapes import NAMES, Box, shape
from insight_desktop.views.operator.plain_tables import PlainTable
from insight_desktop.views.operator.roofline_chart import point_tip, shortened

SPEC = "operator"
REAL = "upstream_unit/test_bin_mix/visualize_data.bin"


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home")
        patch.setenv("INSIGHT_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def small(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return bins.opened(bins.write(tmp_path_factory.mktemp("add"), bins.sample()))


def open_page(qtbot: QtBot, store: Store, context: Context | None = None) -> DetailsPage:
    page = DetailsPage(context or Context(store))
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.show()
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=10_000)
    wait_tables(qtbot, page)
    return page


def wait_tables(qtbot: QtBot, page: DetailsPage) -> None:
    qtbot.waitUntil(lambda: page.tables.grid.is_filled() and page.compute.grid.is_filled(), timeout=10_000)


def cells(table: PlainTable) -> list[list[str]]:
    model = table.model()
    return [
        [str(model.index(r, c).data()) for c in range(model.columnCount())] for r in range(model.rowCount())
    ]  # fmt: skip


def test_tab_has_its_id() -> None:
    assert (TAB.id, TAB.title) == ("operator.details", "Details")


@row(26, 27)
def test_facts_and_blocks_of_the_real_kernel(qtbot: QtBot, home: Path, real: Callable[[str], Path]) -> None:
    page = open_page(qtbot, bins.opened(real(REAL)))
    assert [(name, value) for name, value, _ in page.facts.facts][:7] == [
        ("Name", "MatmulLeakyreluCustom_0a4ecf73240c8db04ac5059db7c787a7_2_mix_aic"),
        ("Duration (μs)", "300.0660095214844"),
        ("Op Type", "mix"),
        ("Device Id", "0"),
        ("Pid", "1112422"),
        ("Block Dim", "2"),
        ("Mix Block Dim", "4"),
    ]
    assert cells(page.blocks.table)[0] == ["0", "250.377579", "133.206055", "247.620605"]
    assert not page.roofline.isVisible()
    assert not page.stalls.isVisible()
    assert not page.simt.isVisible()
    assert not page.ranking.isVisible()


@row(28, 29)
def test_core_map_draws_twenty_cards_and_leads_to_the_block(
    qtbot: QtBot, home: Path, real: Callable[[str], Path]
) -> None:
    page = open_page(qtbot, bins.opened(real(REAL)))
    area = page.cores.area
    assert len(area.cards) == 20
    assert [core for core, held in area.cards if held] == [0, 1]
    assert "vector1: 409526, Level 7" in area.tip_at(area.place(1, area.width()).center())
    assert page.core_advice.texts == [
        "1) core1 vector1 took more time than other core.",
        "2) core0 vector1 cache hit rate lower than other core.",
    ]
    area.choose(1)
    assert (page.memory.block_box.block, page.compute.block_box.block) == ("1", "1")
    page.cores.set_metric("throughput")
    assert area._text("cube0", area.cards[0][1]["cube0"]) == "C0 5.87 MB"


@row(35, 36, 43)
def test_pipe_utilisation_and_tables_of_the_real_kernel(qtbot: QtBot, home: Path, real: Callable[[str], Path]) -> None:
    page = open_page(qtbot, bins.opened(real(REAL)))
    found = [(bar.name, bar.text, bar.quiet) for bar in page.compute.bars.bars]
    assert found == [
        ("Cube Wait", "25.44 %", "105,108 cycles"),
        ("Cube FP", "11.15 %", "46,050 cycles"),
        ("Cube All Active", "11.15 %", "46,050 cycles"),
        ("Vector All Active0", "3 %", "6,592 cycles"),
        ("Vector All Active1", "1.61 %", "6,592 cycles"),
        ("Cube INT", "0 %", "0 cycles"),
    ]
    assert page.compute.bars.bars[0].tip == "Cube Wait\nCycles:105,108"
    assert [t.accessibleName() for t in page.compute.grid.tables[:3]] == ["CUBE0", "VECTOR0", "VECTOR1"]
    assert cells(page.compute.grid.tables[0])[3] == ["Cube Compute Data Size", " ", "377,241,600"]
    assert page.compute.advice.texts == ["aicore compute usage lower than 20%", "aivector compute usage lower than 20%"]


@row(39, 42)
def test_diagram_and_memory_tables_of_the_real_kernel(qtbot: QtBot, home: Path, real: Callable[[str], Path]) -> None:
    page = open_page(qtbot, bins.opened(real(REAL)))
    area = page.memory.area
    assert area.content.name == "mix"
    found = {r["path"]: area.label(r) for r in area.content.paths}
    assert [found[p] for p in (0, 1, 2, 3, 7, 9, 10, 12)] == [
        "19.01",
        "16.5",
        "10.32",
        "24.87",
        "65.09",
        "0",
        "8.14",
        "4.07",
    ]
    page.memory.shown_box.setCurrentIndex(1)
    assert {r["path"]: area.label(r) for r in area.content.paths}[0] == "47847"
    assert len([t for t in page.tables.grid.tables if not t.isHidden()]) == 16
    assert cells(page.tables.grid.tables[0])[2] == ["L2 Cache Total", "66,845", "6,976", "73,821", "90.55011"]
    assert len(page.tables.advice.texts) == 5


@row(40)
@pytest.mark.example(SPEC, 9)
def test_colour_of_a_transfer_follows_its_share_of_the_peak(qtbot: QtBot) -> None:
    del qtbot
    theme.set_theme("light", remember=False)
    wanted = {
        4.647074: (104, 9, 115),
        18.839386: (189, 36, 45),
        0.0: (76, 0, 138),
        50.0: (255, 146, 47),
        100.0: (233, 233, 233),
    }
    assert {p: operator_colours.peak(p).getRgb()[:3] for p in wanted} == wanted  # type: ignore[index]
    assert operator_colours.peak(None).name() == operator_colours.peak(100.1).name() == "#000000"
    theme.set_theme("dark", remember=False)
    assert operator_colours.peak(None).name() == "#808080"
    assert operator_colours.peak(100.0).name() == "#ffffff"


@row(41)
def test_rates_and_transfers_explain_themselves(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    area = page.memory.area
    held = shape(area.content.name)
    x, y = area.factors(area.width(), area.height())
    boxes: dict[str, Box] = {box.unit: box for box in held.boxes if box.unit}
    assert area.tip_at(area.place(boxes["L2"], x, y).center()).startswith(
        "L2 Cache Hit Rate = L2 Cache Total Hit / (L2 Cache Total Hit + L2 Cache Total Miss)\n900 / 1000 = 90%"
    )
    assert area.tip_at(area.place(boxes["Vector"], x, y).center()).startswith(
        "Vector Ratio = Vector Cycle / Total Cycle"
    )
    assert page.memory.help_button.toolTip() == "Bandwidth = Data / Operator Task Duration"
    arrow = next(a for a in held.arrows if a.path == 12)
    middle = QPointF(*((a + b) / 2 for a, b in zip(arrow.points[0], arrow.points[1], strict=True)))
    assert area.tip_at(area.point((middle.x(), middle.y()), x, y)).splitlines()[0] == "L2→UB"
    assert transfer_tip(area.content.paths[0]).splitlines()[-1] == "Peak(%): NA"


@row(38)
@pytest.mark.parametrize("name", NAMES)
def test_shapes_stay_on_their_canvas_and_heads_touch_boxes(name: str) -> None:
    held = shape(name)
    for box in held.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= held.width
        assert box.y + box.height <= held.height
    solid = [box for box in held.boxes if box.kind != "group"]
    for arrow in held.arrows:
        if not arrow.has_head:
            continue
        x, y = arrow.points[-1]
        near = [b for b in solid if b.x - 4 <= x <= b.x + b.width + 14 and b.y - 4 <= y <= b.y + b.height + 4]
        assert near, (name, arrow)


@row(38)
def test_shapes_have_the_transfers_of_their_chip() -> None:
    assert shape("cube").paths == {0, 1, *range(2, 12)}
    assert shape("cube-V2").paths == {0, 1, 2, 3, *range(6, 12), 35, 36, 37, 38}
    assert shape("vector").paths == {0, 1, 12, 13, 14, 15}
    assert shape("mix").paths == {0, 1, *range(2, 20)}
    assert shape("mix310").paths == {0, 1, 6, 7, 8, 13, 14, 15, 20, 21, 22, 23, 24, 25}
    assert shape("vectorA5-V2").paths == {0, 1, 12, 13, 14, 15, 48, 50, 52, 54}
    assert shape("mixA5").paths == {0, 1, 2, 6, 7, 8, *range(12, 20), *range(37, 48), 48, 49, 52, 53, 54, 55}
    assert shape("mixA5-V2").paths == shape("mixA5").paths | {50, 51}
    first = next(a for a in shape("cube").arrows if a.path == 0)
    assert first.points == ((81, 144), (218, 144))
    assert next(a for a in shape("vector").arrows if a.path == 0).points == ((81, 61), (218, 61))
    assert next(a for a in shape("mix").arrows if a.path == 0).points == ((81, 298), (218, 298))
    assert next(a for a in shape("mix310").arrows if a.path == 0).points == ((81, 167), (218, 167))


def test_unknown_chip_has_a_note_and_lists_what_is_not_drawn(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    units = [{"memory_path": p, "bandwidth": "2.5", "request": "1", "peak_ratio": "NA"} for p in (0, 44)]
    data = bins.sample(memory=bins.memory(soc="1000X", memory_unit=units))
    page = open_page(qtbot, bins.opened(bins.write(tmp_path, data)))
    assert page.memory.area.notes() == ["Unknown chip 1000X: generic diagram", "Not drawn: L1→UB 2.5"]


@row(33)
def test_only_the_first_roof_is_on_at_the_start(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    area = page.roofline.area
    assert area.names() == ["GM Read + Write", "L2 Read + Write"]
    assert [r["bw_name"] for r in area.visible()] == ["GM Read + Write"]
    page.roofline.legend.hidden_changed.emit(frozenset())
    assert [r["bw_name"] for r in area.visible()] == ["GM Read + Write", "L2 Read + Write"]
    page.roofline.show_tab("Pipeline")
    assert page.roofline.is_empty
    page.roofline.show_tab("Memory Unit")
    assert len(area.visible()) == 2


@row(32, 34)
def test_point_of_a_roofline_tells_its_figures(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    area = page.roofline.area
    found = area.visible()[0]
    plot = area.plot(area.width(), area.height())
    assert area.tip_at(area.at(plot, 0.5, 0.3)).splitlines() == [
        "GM Read + Write(Vec_FP32(100.000000%))",
        "Bandwidth: 0.8TB/s",
        "Arithmetic Intensity: 0.5Ops/Byte",
        "Performance: 0.3TOps/s",
        "Performance Ratio: 75%",
    ]
    assert point_tip({**found, "ratio": None}).splitlines()[-1] == "Performance Ratio: NA"
    assert area.ranges() == (-2.0, 2.0, -2.0, 1.0)
    assert shortened("x" * 31) == "x" * 28 + "..."
    assert shortened("x" * 30) == "x" * 30


@row(37)
def test_stall_reasons_are_sorted_in_the_bars_and_not_in_the_table(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    assert [bar.name for bar in page.stalls.bars.bars][:3] == ["Scoreboard_Not_Ready", "Warp_Level_Sync", "IBuf_Empty"]
    assert cells(page.stalls.table)[0] == ["Divergence_Stack_Spill", "0"]


@row(44)
def test_baseline_stands_beside_every_figure(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    other = bins.sample(
        base=bins.base(duration=10.0),
        stalls={"top_stall_reason_table": {"IBuf_Empty": 1}},
        memory=bins.memory(L2cache={"hit": "1", "total_request": "2", "hit_ratio": "50.0"}),
    )
    store = bins.opened(bins.write(tmp_path / "one", bins.sample()), bins.write(tmp_path / "two", other))
    page = open_page(qtbot, store)
    assert page.ranking.isVisible()
    assert [page.ranking.table.row(i)["card"] for i in range(2)] == ["one", "two"]
    assert page.kernel_box.itemText(0) == "one · add_custom"
    page.base_box.setCurrentIndex(page.base_box.findData("two"))
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.baseline == "two", timeout=10_000)
    wait_tables(qtbot, page)
    assert page.facts.facts[1] == ("Duration (μs)", "12.5", "10.0")
    assert page.memory.area.label(page.memory.area.content.paths[0]) == "2.5(2.5)"
    assert page.memory.area.box_lines(Box(0, 0, 1, 1, "memory", "L2 Cache", "L2")) == [
        "L2 Cache",
        "Hit Rate:",
        "90%",
        "(50%)",
    ]
    assert page.cores.area._text("vector0", page.cores.area.cards[0][1]["vector0"]) == "V0 20,000(20000)"
    assert page.compute.advice.texts == []
    assert cells(page.tables.grid.tables[0])[0][:4] == ["L2 Cache Total", "900", "900", "0"]
    assert cells(page.stalls.table)[1] == ["IBuf_Empty", "3", "1", "2"]
    page.base_box.setCurrentIndex(0)
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.baseline is None, timeout=10_000)
    assert page.memory.area.label(page.memory.area.content.paths[0]) == "2.5"


@row(45, 44)
def test_baseline_of_the_data_panel_is_taken_over(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    store = bins.opened(bins.write(tmp_path / "one", bins.sample()), bins.write(tmp_path / "two", bins.sample()))
    context = Context(store)
    page = open_page(qtbot, store, context)
    context.set_compared("one", "two")
    qtbot.waitUntil(lambda: page.loaded is not None and page.loaded.baseline == "one", timeout=10_000)
    assert page.card == "two"
    assert page.base_box.findData("two") < 0


def test_findings_come_first_and_lead_to_their_figures(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    assert page.findings.texts()[0].startswith("Latency bound: no more than 75.0 % of a roof is reached")
    assert page.findings.more_button.text() == "2 more"
    page.findings.toggle()
    assert page.findings.more_button.text() == "Less"
    page.show_section("memory_table")
    qtbot.waitUntil(lambda: page.content.verticalScrollBar().value() > 0, timeout=5_000)


def test_page_speaks_chinese(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    try:
        language.set_language("zh", remember=False)
        page.context.language_changed.emit()
        assert page.findings.texts()[0].startswith("时延瓶颈")
        titles = [page.cores.title, page.memory.title, page.findings.title.text()]
        assert not any(text.isascii() for text in titles), titles
    finally:
        language.set_language("en", remember=False)


@row(60)
def test_themes_repaint_with_their_own_colours(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    theme.set_theme("dark", remember=False)
    dark = page.memory.area.grab().toImage()
    theme.set_theme("light", remember=False)
    light = page.memory.area.grab().toImage()
    theme.set_theme("dark", remember=False)
    assert dark != light
    assert page.memory.area.grab().toImage() == dark


def test_session_brings_choices_back(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    page.memory.block_box.choose("1")
    page.memory.shown_box.setCurrentIndex(1)
    page.cores.set_metric("hit_rate")
    page.findings.toggle()
    state: dict[str, Any] = page.view_state()
    again = open_page(qtbot, small)
    again.restore_state(state)
    qtbot.waitUntil(lambda: again.memory.block_box.block == "1", timeout=10_000)
    assert (again.memory.figure, again.cores.shown_metric, again.findings.is_open) == ("request", "hit_rate", True)


def test_report_is_written_as_a_page_and_as_markdown(qtbot: QtBot, small: Store, tmp_path: Path) -> None:
    from insight_desktop.views.operator import details_export

    page = open_page(qtbot, small)
    assert page.loaded is not None
    details_export.write(page, page.loaded, tmp_path / "k.md")
    text = (tmp_path / "k.md").read_text(encoding="utf-8")
    assert "| Duration (μs) | 12.5 |" in text
    assert "| L2 Cache Total | 900 | 100 | 1000 | 90.000000 |" in text
    details_export.write(page, page.loaded, tmp_path / "k.html")
    assert "<td>add_custom</td>" in (tmp_path / "k.html").read_text(encoding="utf-8")


def test_without_a_kernel_the_page_says_what_to_collect(qtbot: QtBot) -> None:
    page = DetailsPage(Context(Store()))
    qtbot.addWidget(page)
    page.refresh()
    assert page.stack.currentWidget() is page.empty
    assert "msprof op" in page.empty.code


def test_bin_of_a_simulator_leads_to_the_other_pages(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    kinds = (bins.LINES, bins.INSTRUCTIONS, bins.TRACE)
    data = b"".join(bins.block(kind, bins.PAYLOADS[kind]()) for kind in kinds)
    context = Context(bins.opened(bins.write(tmp_path / "sim", data)))
    page = DetailsPage(context)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: page.loaded is not None, timeout=10_000)
    assert page.stack.currentWidget() is page.empty
    assert page.empty.title.text() == "sim holds no figures of a kernel"
    with qtbot.waitSignal(context.tab_wanted) as wanted:
        page.empty.buttons[0].click()  # type: ignore[attr-defined]
    assert wanted.args == ["operator.source"]


def test_figures_of_very_many_blocks_come_when_they_are_chosen(
    qtbot: QtBot, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(details_load, "MOST_BLOCKS", 1)
    page = open_page(qtbot, bins.opened(bins.write(tmp_path, bins.sample())))
    assert page.loaded is not None
    assert page.loaded.only == {"0"}
    assert [bar.text for bar in page.compute.bars.bars] == ["8 %"]
    page.compute.block_box.choose("1")
    qtbot.waitUntil(lambda: [bar.text for bar in page.compute.bars.bars] == ["9 %"], timeout=10_000)
    page.memory.block_box.choose("1")
    assert len(page.memory.area.content.paths) == 6
    assert page.loaded.only == {"0", "1"}


def test_labels_keep_clear_of_their_arrows(qtbot: QtBot, small: Store) -> None:
    page = open_page(qtbot, small)
    area = page.memory.area
    metrics = QFontMetricsF(fonts.ui(fonts.SMALL))
    x, y = area.factors(area.width(), area.height())
    for arrow in shape(area.content.name).arrows:
        if arrow.label is None or area.content.row(arrow.path) is None:
            continue
        line = area.point(arrow.points[0], x, y).y()
        assert abs(area.label_at(arrow, x, y, metrics).y() - line) >= metrics.height() / 2
