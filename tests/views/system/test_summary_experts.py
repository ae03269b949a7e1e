"""Expert load: import of dumps, sizes and their rules, the grid, its readout."""

from __future__ import annotations

import pytest

from insight_desktop.engine.store import Store
from insight_desktop.views.common import pools
from insight_desktop.views.common.context import Context
from insight_desktop.views.system.summary_experts import ExpertPanel

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


class Driven:
    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.panel = ExpertPanel(Context(Store([])))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 600)
        self.panel.show()
        self.told = []
        self.panel.told.connect(lambda level, text, fix: self.told.append((level, text)))

    def settled(self):
        quiet = [0]

        def is_quiet():
            quiet[0] = quiet[0] + 1 if pools.is_idle() else 0
            return quiet[0] > 8

        self.qtbot.waitUntil(is_quiet, timeout=20_000)
        return self

    def take(self, folder, version="unbalanced", stage="decode"):
        self.panel.choose(version, stage)
        self.panel.take_folder(folder)
        return self.settled()

    def search(self, **typed):
        fields = {
            "layers": self.panel.layers_field,
            "dense": self.panel.dense_field,
            "experts": self.panel.experts_field,
        }
        for name, text in typed.items():
            fields[name].setText(text)
        self.panel.search_button.click()
        return self.settled()

    def typed(self):
        return [f.text() for f in (self.panel.layers_field, self.panel.dense_field, self.panel.experts_field)]


@pytest.fixture
def driven(qtbot):
    return Driven(qtbot)


@pytest.mark.row(SPEC, 25)
def test_before_an_import_the_page_says_what_can_be_imported(driven):
    assert driven.panel.map.empty.texts()[0] == "No expert data are imported"
    assert not driven.panel.import_button.isVisible()
    driven.panel.choose("balanced", "decode")
    assert driven.panel.import_button.isVisible()
    assert [driven.panel.version_box.itemText(i) for i in range(3)] == ["Profiling", "Dump unbalanced", "Dump balanced"]


@pytest.mark.example(SPEC, "W23")
@pytest.mark.row(SPEC, 25)
def test_hotspots_make_a_grid_and_dense_layers_are_put_between(driven, real):
    driven.take(real("upstream_unit/expert_hotspot"))
    assert driven.panel.map.cells.values.shape == (58, 4)
    assert driven.typed() == ["58", "", "4"]
    driven.search(layers="61", dense="0,2")
    cells = driven.panel.map.cells
    assert cells.values.size == 244
    assert cells.values[1, 1] == 35661
    assert [cells.values[0, 1], cells.values[2, 0], cells.values[60, 3]] == [0, 0, 0]
    assert [(line.name, line.value) for line in driven.panel.tip(1, 1)] == [
        ("Expert Index", "1"), ("Expert Id", "1"), ("Layer Depth", "1"), ("Visits", "35,661"), ("Rank ID", "0"),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W23")
@pytest.mark.row(SPEC, 25)
def test_a_deployment_alone_makes_a_grid_of_its_slots(driven, real):
    driven.take(real("upstream_unit/expert_deployment"), stage="prefill")
    assert driven.panel.map.cells.values.shape == (58, 320)
    assert driven.told == []


@pytest.mark.row(SPEC, 25)
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"experts": "5"}, "Expert Num is 4 in the data and cannot be 5."),
        ({"layers": "59", "dense": "0,2"}, "The model has 58 MoE layers and 2 dense ones; 59 layers are too few."),
        ({"layers": "2", "dense": "0-2"}, "The list of dense layers does not fit the number of layers."),
        ({"layers": "501"}, "Model Layer Num is 501."),
        ({"layers": "x"}, "Model Layer Num is x."),
        ({"dense": "a"}, "'a' is no list of layers."),
    ],
)
def test_sizes_that_do_not_fit_are_refused_and_the_grid_stays(driven, real, typed, message):
    driven.take(real("upstream_unit/expert_hotspot"))
    driven.search(**typed)
    assert driven.told == [("error", message)]
    assert driven.panel.map.cells.values.shape == (58, 4)


@pytest.mark.row(SPEC, 25)
def test_a_folder_without_usable_files_is_told(driven, tmp_path):
    (tmp_path / "other.csv").write_text("1,2\n")
    driven.take(tmp_path)
    assert [level for level, _ in driven.told] == ["error"]
    assert driven.panel.map.is_empty


@pytest.mark.row(SPEC, 25)
def test_values_stand_in_the_cells_below_32_columns_only(driven, real):
    driven.take(real("upstream_unit/expert_hotspot"))
    assert driven.panel.map.cells.most_labels == 31


@pytest.mark.row(SPEC, 26)
def test_without_open_cards_profiling_says_what_is_needed(driven):
    driven.panel.show_job(None)
    driven.settled()
    assert driven.panel.map.is_empty
    assert "decode" in driven.panel.map.empty.texts()[0]
    assert driven.told == []  # nobody asked for it


def test_imported_folders_and_sizes_come_back(driven, qtbot, real):
    driven.take(real("upstream_unit/expert_hotspot")).search(layers="61", dense="0,2")
    state = driven.panel.view_state()
    other = Driven(qtbot)
    other.panel.restore_state(state)
    other.panel.show_job(None)
    other.settled()
    assert other.panel.map.cells.values.shape == (61, 4)
    assert other.typed() == ["61", "0,2", "4"]
