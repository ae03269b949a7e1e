"""The operator's Timeline: kernels as cards, SET and WAIT, what is left out, the critical path."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from tests.support import operator_bins as bins

from insight_desktop.engine.store import Store
from insight_desktop.engine.timeline import raster
from insight_desktop.views.common.context import Context, InstructionPlace, SourcePlace
from insight_desktop.views.operator import slice_source
from insight_desktop.views.operator.critical_panel import CriticalPanel, summary
from insight_desktop.views.operator.timeline import TAB, OperatorTimelinePage
from insight_desktop.views.timeline import links, menu, slice_facts
from insight_desktop.views.timeline.flow_menu import FlowMenu

SPEC = "operator"


def row(*numbers: int) -> pytest.MarkDecorator:
    return pytest.mark.row(SPEC, *numbers)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSIGHT_HOME", str(tmp_path_factory.mktemp("home")))
        yield bins.opened(bins.write(tmp_path_factory.mktemp("kernel") / "add", bins.sample()))


@pytest.fixture
def page(qtbot: QtBot, store: Store) -> OperatorTimelinePage:
    page = OperatorTimelinePage(Context(store))
    page.setProperty("keeps", page.context)
    qtbot.addWidget(page)
    page.resize(1300, 800)
    page.show()
    return page


def titles(page: OperatorTimelinePage) -> list[str]:
    (card,) = page.state.cards.values()
    return [unit.title for unit in card.unit.walk()]


def test_tab_has_its_id() -> None:
    assert (TAB.id, TAB.title) == ("operator.timeline", "Timeline")


@row(48)
def test_cores_and_pipes_are_lanes_without_numbers_of_processes(page: OperatorTimelinePage) -> None:
    assert titles(page) == ["add", "core0.veccore0", "MTE2", "VECTOR"]


@row(51)
def test_hiding_set_and_wait_leaves_two_slices_and_brings_links_back(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    page.state.modes.set_flow_categories(["MTE2ToVECTOR"])
    page.sync_button.click()
    qtbot.waitUntil(lambda: page.state.filter.found is not None)
    assert page.state.filter.found is not None
    assert (page.state.filter.found.slices, page.state.filter.found.all_slices) == (2, 4)
    assert page.state.modes.flow_categories == []
    assert not page.flows_button.isEnabled()
    assert page.sync_button.isChecked()
    page.sync_button.click()
    assert page.state.filter.found is None
    assert page.state.modes.flow_categories == ["MTE2ToVECTOR"]
    assert page.flows_button.isEnabled()


@row(52)
def test_there_is_no_system_view_and_no_self_time(page: OperatorTimelinePage) -> None:
    known = [page.panel.tabs.tabText(i) for i in range(page.panel.tabs.count())]
    assert "System View" not in known
    facts = slice_facts.facts_of(slice_facts.detail(page.context.store, card="add", slice_id=0))
    assert "Self Time" not in [fact.title for fact in facts]
    assert [fact.title for fact in facts][:2] == ["Name", "Start"]


def test_the_critical_path_is_listed_and_framed_in_the_chart(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    shown: list[tuple[str, list[int]]] = []
    page.context.chain_shown.connect(lambda card, ids: shown.append((card, list(ids))))
    page.path_button.click()
    panel = page.panel.panel("critical")
    assert isinstance(panel, CriticalPanel)
    qtbot.waitUntil(lambda: panel.table.table.num_rows == 4)
    assert panel.table.table["name"].to_pylist() == ["MOV_OUT_TO_UB", "SET_FLAG", "WAIT_FLAG", "VADD"]
    assert shown[-1][0] == "add"
    assert len(shown[-1][1]) == 4
    # 401 ns on MTE2 and 69 on VECTOR of 472.
    assert summary(panel.table.table) == "4 steps, 472 ns: MTE2 85 %, VECTOR 15 %, gaps 0 %"
    panel.table.row_activated.emit(3)
    assert page.state.selected is not None
    assert page.state.selected.name == "VADD"
    page.panel.show_tab("detail")
    assert shown[-1] == ("", [])


def test_an_instruction_leads_to_its_line(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    wanted: list[SourcePlace] = []
    page.inner.outer.source_wanted.connect(wanted.append)
    assert not page.source_button.isEnabled()
    page.state.select(page.state.slice("add", 0))
    qtbot.waitUntil(page.source_button.isEnabled)
    page.source_button.click()
    assert wanted == [SourcePlace("add", (0x1134E000, 0x1134E000), file=bins.PATH, line=22)]
    page.state.select(None)
    assert not page.source_button.isEnabled()


def test_places_of_arguments() -> None:
    assert slice_source.place("k", "C:\\a.cpp:7\n/b.h:3", "") == SourcePlace("k", file="C:\\a.cpp", line=7)
    assert slice_source.place("k", "", "0x10") == SourcePlace("k", (16, 16))
    assert slice_source.place("k", "no line", "none") is None


@row(50)
def test_any_number_of_categories_may_be_drawn(page: OperatorTimelinePage, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"MTE2ToPIPE{i:02}" for i in range(12)]
    monkeypatch.setattr("insight_desktop.views.timeline.flow_menu.categories", lambda _state: dict.fromkeys(names, 1))
    popup = FlowMenu(page.state, page)
    popup.check_all(True)
    assert page.state.modes.flow_categories == names
    assert popup.hint.text() == "More than 10 categories: lines lie on each other."


@row(50)
@pytest.mark.example(SPEC, 21)
def test_a_link_leads_from_the_end_of_set_to_the_end_of_wait(page: OperatorTimelinePage) -> None:
    found = links.of_selection(page.state)
    assert found == []
    page.state.select(page.state.slice("add", 1))  # SET_FLAG on MTE2
    (link,) = links.of_selection(page.state)
    assert (link.source.name, link.source.end_ns, link.target.name, link.target.end_ns) == (
        "SET_FLAG",
        411,
        "WAIT_FLAG",
        430,
    )
    area = page.body.area
    ((path, tip),) = links.curves(area, [link], 1000)
    view = page.state.viewport.view
    shift = page.state.shift_of(link.source)
    assert path.pointAtPercent(0).x() == pytest.approx(view.x_of(411 - shift, 1000))
    assert tip.x() == pytest.approx(view.x_of(430 - shift, 1000))


@row(52)
def test_the_menu_has_what_belongs_to_kernels(page: OperatorTimelinePage) -> None:
    page.state.select(page.state.slice("add", 0))
    page.state.select_lanes([page.state.unit_of_track("add", page.state.selected.track).key])  # type: ignore[union-attr]
    known = {action.objectName() for action in menu.build(page.body.verbs, page).actions()}
    assert {"sync", "fit", "reset", "undo"} <= known
    assert not {"analyse_slice", "events", "collectives", "align_left"} & known


@row(51)
def test_hidden_flags_are_neither_drawn_nor_hit(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    maker, area = page.body.canvas.bands, page.body.area

    def drawn() -> dict[str, int]:
        bands = maker.request(area, 1000, 1.0, 0).bands
        return {
            band.capture.tracks["lane"][int(band.tracks[0])].as_py(): len(
                raster.spans(band.capture, band.lanes, 0, 1000, 100_000).name
            )
            for band in bands
            if band.kind == "lane"
        }

    assert drawn() == {"MTE2": 2, "VECTOR": 2}
    page.state.select(page.state.slice("add", 1))
    page.toggle_sync()
    qtbot.waitUntil(lambda: page.state.filter.hides)
    assert page.state.selected is None  # the flag's link is not drawn any more
    assert drawn() == {"MTE2": 1, "VECTOR": 1}
    alone = page.state.filter.drawn_alone("add")
    assert alone is not None
    assert [alone.text(int(name)) for name in alone.column("slice_name")] == ["MOV_OUT_TO_UB", "VADD"]
    page.toggle_sync()
    assert drawn() == {"MTE2": 2, "VECTOR": 2}


def test_an_instruction_of_the_source_is_selected_and_lit_alone(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    told: list[tuple[str, str, str]] = []
    page.inner.outer.message.connect(lambda level, text, fix: told.append((level, text, fix)))
    page.inner.outer.instruction_wanted.emit(
        InstructionPlace("add", (0x1134E008, 0x1134E008), file=bins.PATH, line=22, name="VADD", pipe="VECTOR")
    )
    qtbot.waitUntil(lambda: page.state.selected is not None)
    assert page.state.selected is not None
    assert (page.state.selected.name, page.state.selected.start_ns) == ("VADD", 432)
    light = page.state.filter.light("add")
    assert light is not None
    assert light.passing is not None
    assert light.passing.ids.tolist() == [page.state.selected.id]
    assert told == [("info", "VADD: one slice.", "")]
    page.body.clear()
    assert page.state.filter.light("add") is None


def test_a_line_of_the_source_lights_all_its_instructions(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    told: list[str] = []
    page.inner.outer.message.connect(lambda _level, text, _fix: told.append(text))
    page.jump(InstructionPlace("add", (0x1134E000, 0x1134E008), file=bins.PATH, line=22))
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["Line : 22: 2 slices. The first one is selected, the others of the kernel are dimmed."]
    assert page.state.selected is not None
    assert page.state.selected.name == "MOV_OUT_TO_UB"
    # From 10 to 482 ns of the trace, that begins at 10: all of it with a twentieth behind.
    view = page.state.viewport.view
    assert (view.left_ns, view.right_ns) == (0, 495)


def test_an_instruction_that_never_ran_is_told(page: OperatorTimelinePage, qtbot: QtBot) -> None:
    told: list[tuple[str, str]] = []
    page.inner.outer.message.connect(lambda level, text, _fix: told.append((level, text)))
    page.show_instruction(InstructionPlace("add", (1, 1), name="VSUB", pipe="VECTOR"))
    qtbot.waitUntil(lambda: bool(told))
    assert told == [("warning", "VSUB: no slice of the Timeline belongs to it.")]
