"""The form of the parallel strategy: fields per algorithm, ranges, rules and their messages, origin, memory."""

from __future__ import annotations

import pytest

from insight_desktop.engine.system.summary_layout import MEGATRON, MEGATRON_PP, MINDIE, MINDSPEED, VLLM, Strategy
from insight_desktop.views.system import summary_form
from insight_desktop.views.system.summary_form import COLLECTED, CONFIGURED, UNDEFINED, StrategyForm

SPEC = "system-summary-communication"

pytestmark = pytest.mark.usefixtures("look")


class Form:
    def __init__(self, qtbot, collected=None, origin=UNDEFINED, devices=4, key="job"):
        self.form = StrategyForm()
        qtbot.addWidget(self.form)
        self.form.resize(1400, 40)
        self.form.show()
        self.generated, self.refused, self.asked = [], [], []
        self.form.generated.connect(self.generated.append)
        self.form.refused.connect(lambda message, fix: self.refused.append(message))
        self.form.confirm = self.confirm
        self.answer = True
        self.form.show_collected(key, collected or Strategy(), origin, devices)

    def confirm(self, wanted):
        self.asked.append(wanted)
        return self.answer

    def type(self, algorithm=MEGATRON, **sizes):
        self.form.algorithm_box.setCurrentIndex(self.form.algorithm_box.findData(algorithm))
        for name, value in sizes.items():
            self.form.fields[name].setText(str(value))
        self.form.generate()
        return self

    def shown(self):
        return [name for name in summary_form.FIELDS if self.form.fields[name].isVisible()]


@pytest.fixture
def form(qtbot):
    return Form(qtbot)


@pytest.mark.row(SPEC, 11)
def test_five_algorithms_are_offered(form):
    box = form.form.algorithm_box
    assert [box.itemText(i) for i in range(box.count())] == [
        "Megatron-LM (tp-cp-ep-dp-pp)", "Megatron-LM (tp-cp-pp-ep-dp)", "MindSpeed (tp-cp-ep-dp-pp)",
        "MindIE-LLM (tp-dp-ep-pp-moetp)", "vLLM (tp-pp-dp-ep)",
    ]  # fmt: skip
    assert box.currentData() == MEGATRON


@pytest.mark.row(SPEC, 11)
@pytest.mark.parametrize(
    ("algorithm", "fields"),
    [
        (MEGATRON, ["pp", "tp", "cp", "dp", "ep"]), (MEGATRON_PP, ["pp", "tp", "cp", "dp", "ep"]),
        (MINDSPEED, ["pp", "tp", "cp", "dp", "ep"]), (MINDIE, ["pp", "tp", "moe_tp", "dp", "ep"]),
        (VLLM, ["pp", "tp", "dp", "ep"]),
    ],
)  # fmt: skip
def test_fields_follow_the_algorithm(form, algorithm, fields):
    form.form.algorithm_box.setCurrentIndex(form.form.algorithm_box.findData(algorithm))
    assert form.shown() == fields


@pytest.mark.row(SPEC, 11)
@pytest.mark.parametrize(
    ("algorithm", "sizes", "message"),
    [
        (MEGATRON, {"pp": 1, "tp": 1, "dp": 3}, "PP · TP · CP · DP is 3, fewer than the 4 devices."),
        (MEGATRON, {"pp": 10001}, "PP size is 10001."),
        (MEGATRON, {"tp": 0, "pp": 4}, "PP · TP · CP · DP is 0, fewer than the 4 devices."),
        (MEGATRON, {"tp": "x"}, "TP size is x."),
        (MEGATRON, {"tp": ""}, "TP size is –."),
        (MEGATRON, {"pp": 1000, "tp": 1001}, "PP · TP · CP · DP is 1,001,000."),
        (MEGATRON, {"dp": 6, "ep": 4}, "EP size 4 does not fit: DP must be a multiple of EP."),
        (MEGATRON_PP, {"dp": 4, "ep": 3}, "EP size 3 does not fit: DP must be a multiple of EP."),
        (MINDSPEED, {"dp": 2, "cp": 3, "ep": 4}, "EP size 4 does not fit: DP · CP must be a multiple of EP."),
        (
            MINDIE, {"dp": 2, "tp": 2, "moe_tp": 1, "ep": 2},
            "EP size 2 does not fit: MoE-TP · EP must be TP · DP, and CP 1.",
        ),
        (
            VLLM, {"dp": 4, "tp": 2, "ep": 3},
            "EP size 3 does not fit: EP must be 1, or a multiple of TP that divides DP · TP.",
        ),
    ],
)  # fmt: skip
def test_the_first_broken_rule_is_told(form, algorithm, sizes, message):
    form.type(algorithm, **sizes)
    assert form.refused == [message]
    assert form.generated == []


@pytest.mark.row(SPEC, 11)
@pytest.mark.parametrize(
    ("algorithm", "sizes"),
    [
        (MEGATRON, {"pp": 10000}), (MEGATRON, {"pp": 1000, "tp": 1000}), (MEGATRON, {"dp": 6, "ep": 3}),
        (MINDSPEED, {"dp": 2, "cp": 2, "ep": 4}), (MINDIE, {"dp": 2, "tp": 2, "moe_tp": 2, "ep": 2}),
        (VLLM, {"dp": 4, "tp": 2, "ep": 4}), (MEGATRON, {"dp": 4}), (MEGATRON, {"dp": 5}),
    ],
)  # fmt: skip
def test_sizes_that_keep_the_rules_are_taken(form, algorithm, sizes):
    form.type(algorithm, **sizes)
    assert form.refused == []
    assert [g.algorithm for g in form.generated] == [algorithm]
    assert {n: form.generated[0].size(n) for n in sizes} == sizes


@pytest.mark.row(SPEC, 11)
def test_context_parallelism_counts_as_one_where_it_is_hidden(form):
    form.form.fields["cp"].setText("2")
    form.type(VLLM, dp=4)
    assert form.generated[0].cp == 1


@pytest.mark.row(SPEC, 12)
def test_collected_sizes_are_left_only_after_a_question(qtbot):
    form = Form(qtbot, Strategy(pp=2, dp=2), COLLECTED)
    assert form.form.origin_label.full_text() == "from the data"
    form.type()
    assert form.asked == []  # nothing was changed
    form = Form(qtbot, Strategy(pp=2, dp=2), COLLECTED, key="other")
    form.answer = False
    form.type(dp=4)
    assert [a.dp for a in form.asked] == [4]
    assert form.generated == []
    assert form.form.origin == COLLECTED
    form.answer = True
    form.form.generate()
    assert [g.dp for g in form.generated] == [4]
    assert form.form.origin == CONFIGURED


@pytest.mark.row(SPEC, 12)
def test_saved_sizes_come_back_for_their_job_until_they_are_reset(qtbot):
    Form(qtbot, Strategy(), UNDEFINED, key="a").type(dp=8)
    again = Form(qtbot, Strategy(pp=2, dp=2), COLLECTED, key="a")
    assert (again.form.origin, again.form.strategy.dp) == (CONFIGURED, 8)
    other = Form(qtbot, Strategy(pp=2, dp=2), COLLECTED, key="b")
    assert (other.form.origin, other.form.strategy.dp) == (COLLECTED, 2)
    again.form.reset()
    assert (again.form.origin, again.form.strategy) == (COLLECTED, Strategy(pp=2, dp=2))
    assert summary_form.remembered("a") is None


@pytest.mark.row(SPEC, 12)
def test_sizes_that_are_not_in_the_data_are_not_asked_about(form):
    assert form.form.origin_label.full_text() == "not in the data"
    assert not form.form.is_set
    form.type(dp=4)
    assert form.asked == []
    assert form.form.is_set


def test_the_product_stands_beside_the_fields(form):
    form.form.fields["pp"].setText("2")
    form.form.fields["dp"].setText("4")
    assert form.form.chip.text() == "2 × 4 = 8 ✓"
    form.form.fields["dp"].setText("1")
    assert form.form.chip.text() == "2 < 4"
