"""Layouts and groups of the parallel strategies."""

from __future__ import annotations

from collections import Counter

import pytest

from insight_desktop.engine.system import summary_layout as layout
from insight_desktop.engine.system.summary_layout import Strategy
from insight_desktop.errors import BadArgument

SPEC = "system-summary-communication"


def every(first, size):
    return tuple(range(first, first + size))


def names(found):
    return [e.name for e in found]


def texts(found):
    return [e.ranks_text for e in found]


SIXTEEN = {"tp": 2, "cp": 2, "dp": 2, "pp": 2, "ep": 2}


@pytest.mark.example(SPEC, "W11")
@pytest.mark.row(SPEC, 13)
def test_full_view_of_sixteen_ranks():
    found = layout.elements(Strategy(layout.MEGATRON, **SIXTEEN))
    assert names(found)[:4] == ["dp0-pp0-cp0-tp0", "dp0-pp0-cp0-tp1", "dp0-pp0-cp1-tp0", "dp0-pp0-cp1-tp1"]
    assert (found[4].name, found[8].name) == ("dp1-pp0-cp0-tp0", "dp0-pp1-cp0-tp0")
    assert [(e.x, e.y) for e in found] == [(i % 8, i // 8) for i in range(16)]
    assert [e.ranks for e in found] == [(i,) for i in range(16)]


@pytest.mark.example(SPEC, "W11")
@pytest.mark.row(SPEC, 13)
def test_view_without_tp():
    found = layout.elements(Strategy(layout.MEGATRON, **SIXTEEN), layout.CP_VIEW)
    assert names(found)[:5] == ["dp0-pp0-cp0", "dp0-pp0-cp1", "dp1-pp0-cp0", "dp1-pp0-cp1", "dp0-pp1-cp0"]
    assert [e.ranks for e in found] == [(i, i + 1) for i in range(0, 16, 2)]
    assert [(e.x, e.y) for e in found] == [(x, y) for y in (0, 1) for x in range(4)]
    second = layout.elements(Strategy(layout.MEGATRON_PP, **SIXTEEN), layout.CP_VIEW)
    assert names(second)[:5] == ["dp0-pp0-cp0", "dp0-pp0-cp1", "dp0-pp1-cp0", "dp0-pp1-cp1", "dp1-pp0-cp0"]
    assert [(e.x, e.y) for e in second] == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (2, 1), (3, 1)]
    assert [e.ranks for e in second] == [(i, i + 1) for i in range(0, 16, 2)]
    assert [e.ep for e in second] == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.example(SPEC, "W11")
@pytest.mark.row(SPEC, 13)
def test_view_without_tp_and_cp():
    first = layout.elements(Strategy(layout.MEGATRON, **SIXTEEN), layout.PP_VIEW)
    assert list(zip(names(first), texts(first), strict=True)) == [
        ("dp0-pp0", "0-3"), ("dp1-pp0", "4-7"), ("dp0-pp1", "8-11"), ("dp1-pp1", "12-15"),
    ]  # fmt: skip
    second = layout.elements(Strategy(layout.MEGATRON_PP, **SIXTEEN), layout.PP_VIEW)
    assert list(zip(names(second), texts(second), strict=True)) == [
        ("dp0-pp0", "0-3"), ("dp0-pp1", "4-7"), ("dp1-pp0", "8-11"), ("dp1-pp1", "12-15"),
    ]  # fmt: skip


@pytest.mark.example(SPEC, "W11")
@pytest.mark.row(SPEC, 13)
def test_numbers_of_elements_and_the_view_of_dp_alone():
    strategy = Strategy(pp=2, tp=2, dp=4, cp=2)
    views = (layout.FULL, layout.CP_VIEW, layout.PP_VIEW, layout.DP_VIEW)
    assert [len(layout.elements(strategy, view)) for view in views] == [32, 16, 8, 4]
    found = layout.elements(Strategy(layout.MINDIE, pp=2, tp=2, dp=2), layout.DP_VIEW)
    assert [(e.name, e.ranks, e.ranks_text) for e in found] == [
        ("dp0", (0, 1, 4, 5), "0,1,4,5"), ("dp1", (2, 3, 6, 7), "2,3,6,7"),
    ]  # fmt: skip


def test_ranks_of_a_dp_element_are_one_run_per_stage():
    found = layout.elements(Strategy(**SIXTEEN), layout.DP_VIEW)
    assert texts(found) == ["0-3,8-11", "4-7,12-15"]


MEGATRON_1 = {
    "dp": [(0, 2, 4, 6), (1, 3, 5, 7), (8, 10, 12, 14), (9, 11, 13, 15)],
    "tp": [(i, i + 1) for i in range(0, 16, 2)],
    "pp": [(i, i + 8) for i in range(8)],
    "mp": [(0, 1, 8, 9), (2, 3, 10, 11), (4, 5, 12, 13), (6, 7, 14, 15)],
    "exp": [(0, 2), (1, 3), (4, 6), (5, 7), (8, 10), (9, 11), (12, 14), (13, 15)],
    "tp_exp": [every(i, 4) for i in (0, 4, 8, 12)],
    "dp_modulo_exp": [(0, 4), (1, 5), (2, 6), (3, 7), (8, 12), (9, 13), (10, 14), (11, 15)],
    "mp_exp": [(0, 1, 2, 3, 8, 9, 10, 11), (4, 5, 6, 7, 12, 13, 14, 15)],
}
MEGATRON_2 = {
    "dp": [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)],
    "exp": [(0, 4), (1, 5), (2, 6), (3, 7), (8, 12), (9, 13), (10, 14), (11, 15)],
    "tp_exp": [(0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15)],
    "dp_modulo_exp": [(i, i + 8) for i in range(8)],
    "mp_exp": [every(0, 8), every(8, 8)],
}
CONTEXT = {
    "cp": [(0, 2), (1, 3), (4, 6), (5, 7), (8, 10), (9, 11), (12, 14), (13, 15)],
    "dp-cp": [(0, 2, 4, 6), (1, 3, 5, 7), (8, 10, 12, 14), (9, 11, 13, 15)],
    "tp-cp": [every(i, 4) for i in (0, 4, 8, 12)],
    "tp-dp": [(0, 1, 4, 5), (2, 3, 6, 7), (8, 9, 12, 13), (10, 11, 14, 15)],
    "tp-dp-cp": [every(0, 8), every(8, 8)],
    "mp": [(0, 1, 8, 9), (2, 3, 10, 11), (4, 5, 12, 13), (6, 7, 14, 15)],
}
EXPERTS = {
    "dp_modulo_exp_cp": [(0, 2), (1, 3), (4, 6), (5, 7), (8, 10), (9, 11), (12, 14), (13, 15)],
    "mp_exp": [(0, 1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15)],
    "dp_modulo_exp": [],
}
PAIRS = [(0, 4), (1, 5), (2, 6), (3, 7)]


@pytest.mark.example(SPEC, "W12")
@pytest.mark.row(SPEC, 14)
@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (Strategy(pp=2, dp=2), {"dp": [(0, 1), (2, 3)], "pp": [(0, 2), (1, 3)], "mp": []}),
        (Strategy(tp=2, dp=4, pp=2, ep=2), MEGATRON_1),
        (Strategy(layout.MEGATRON_PP, tp=2, dp=4, pp=2, ep=2), MEGATRON_2),
        (Strategy(tp=2, cp=2, dp=2, pp=2), CONTEXT),
        (Strategy(tp=2, cp=2, dp=2, pp=2, ep=2), EXPERTS),
        (
            Strategy(layout.MINDSPEED, tp=2, cp=2, dp=2, pp=2, ep=4),
            {"exp": CONTEXT["dp-cp"], "tp_exp": CONTEXT["tp-dp-cp"], "mp_exp": [every(0, 16)]},
        ),
        (
            Strategy(layout.MINDIE, tp=2, dp=2, pp=2, ep=2, moe_tp=2),
            {
                "dp": [(0, 2), (1, 3), (4, 6), (5, 7)], "tp": [(0, 1), (2, 3), (4, 5), (6, 7)], "pp": PAIRS,
                "moeTp": [(0, 1), (2, 3), (4, 5), (6, 7)], "exp": [(0, 2), (1, 3), (4, 6), (5, 7)],
            },
        ),
        (
            Strategy(layout.MINDIE, tp=4, dp=2, ep=8),
            {"dp": PAIRS, "tp": [every(0, 4), every(4, 4)], "exp": [every(0, 8)], "moeTp": []},
        ),
        (
            Strategy(layout.VLLM, tp=2, pp=2, dp=2, ep=2),
            {"dp": PAIRS, "pp": [(0, 2), (1, 3), (4, 6), (5, 7)], "exp": [(0, 1), (2, 3), (4, 5), (6, 7)]},
        ),
        (Strategy(layout.VLLM, tp=2, pp=2, dp=2, ep=4), {"exp": [(0, 1, 4, 5), (2, 3, 6, 7)]}),
        (Strategy(layout.VLLM, tp=2, dp=4, ep=8), {"dp": [(0, 2, 4, 6), (1, 3, 5, 7)], "exp": [every(0, 8)]}),
    ],
)  # fmt: skip
def test_groups_of_a_strategy(strategy, expected):
    found = layout.groups(strategy.checked())
    assert {name: [m for n, m in found if n == name] for name in expected} == expected


@pytest.mark.example(SPEC, "W12")
@pytest.mark.row(SPEC, 14)
@pytest.mark.parametrize(
    ("strategy", "count"),
    [
        (Strategy(layout.MINDIE, tp=2, dp=2, pp=2, ep=2, moe_tp=2), 20),
        (Strategy(layout.VLLM, tp=2, pp=2, dp=2, ep=2), 16),
        (Strategy(layout.VLLM, tp=2, pp=2, dp=2, ep=4), 14),
    ],
)
def test_numbers_of_groups(strategy, count):
    assert len(layout.groups(strategy)) == count


@pytest.mark.example(SPEC, "W12")
@pytest.mark.row(SPEC, 14)
def test_generator_of_groups():
    found = layout.generated([("tp", 2), ("cp", 2), ("dp", 3), ("pp", 4)], ("tp", "dp"))
    assert (len(found), found[0], found[1], found[-1]) == (
        8, (0, 1, 4, 5, 8, 9), (2, 3, 6, 7, 10, 11), (38, 39, 42, 43, 46, 47),
    )  # fmt: skip


HYBRID = {
    "tp-cp": 2, "dp-cp": 2, "tp-dp-cp": 1, "tp-dp": 6, "tp": 12, "cp": 4, "dp": 12, "cp_ulysses": 12, "cp_ring": 8,
    "cp_ring_intra": 8, "dp_modulo_exp_cp": 4, "tp_exp": 6, "dp_modulo_exp": 4, "exp": 12,
}  # fmt: skip
TP_2D = {
    "tp": 4, "cp": 12, "dp": 12, "dp-cp": 6, "tp-dp": 2, "tp-cp": 2, "tp-dp-cp": 1, "nd1_dim1": 12, "nd1_dim2": 8,
    "nd2_dim1": 8, "nd2_dim2": 12,
}  # fmt: skip


@pytest.mark.example(SPEC, "W13")
@pytest.mark.row(SPEC, 14)
@pytest.mark.parametrize(
    ("extra", "expected", "total"),
    [
        (
            {"tp": 2, "dp": 2, "cp": 6, "ep": 2, "cp_algorithm": "hybird_cp_algo", "ulysses_degree": 2, "window": 3},
            HYBRID,
            93,
        ),
        (
            {"tp": 2, "dp": 2, "cp": 6, "ep": 2, "cp_algorithm": "megatron_cp_algo", "window": 3},
            {k: v for k, v in HYBRID.items() if k not in ("cp_ulysses", "cp_ring")},
            73,
        ),
        ({"tp": 6, "dp": 2, "cp": 2, "use_tp_2d": True, "nd1_dim1": 2, "nd2_dim1": 3}, TP_2D, 79),
    ],
)
def test_numbers_of_mindspeed_groups(extra, expected, total):
    found = Counter(name for name, _ in layout.groups(Strategy(layout.MINDSPEED, **extra).checked()))
    assert (dict(found), sum(found.values())) == (expected, total)


@pytest.mark.row(SPEC, 14)
def test_folded_views_have_each_group_once():
    found = layout.groups(Strategy(tp=2, cp=2, dp=2, pp=2), layout.PP_VIEW)
    assert found == [("dp", (0, 1)), ("dp", (2, 3)), ("pp", (0, 2)), ("pp", (1, 3))]
    assert layout.groups(Strategy(tp=2, cp=2, dp=2, pp=2), layout.DP_VIEW) == []


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (Strategy("nobody"), "algorithm"),
        (Strategy(pp=0), "PP size is 0"),
        (Strategy(tp=10_001), "TP size is 10001"),
        (Strategy(tp=10_000, dp=101), "PP · TP · CP · DP is 1,010,000"),
        (Strategy(dp=3, ep=2), "DP must be a multiple of EP"),
        (Strategy(layout.MEGATRON_PP, dp=3, ep=2), "DP must be a multiple of EP"),
        (Strategy(layout.MINDSPEED, dp=3, cp=1, ep=2), "DP · CP must be a multiple of EP"),
        (Strategy(layout.MINDIE, tp=2, dp=2, ep=2), "MoE-TP · EP must be TP · DP"),
        (Strategy(layout.MINDIE, tp=2, dp=2, ep=4, cp=2), "CP 1"),
        (Strategy(layout.VLLM, tp=2, dp=2, ep=3), "EP must be 1"),
        (Strategy(layout.MINDSPEED, cp=4, cp_algorithm="hybird_cp_algo", ulysses_degree=3), "ulysses degree"),
        (Strategy(layout.MINDSPEED, cp=4, cp_algorithm="megatron_cp_algo", window=3), "CP by the window"),
        (Strategy(layout.MINDSPEED, cp=4, cp_algorithm="megatron_cp_algo", window=0), "below 1"),
    ],
)
def test_first_broken_rule_is_named(strategy, message):
    with pytest.raises(BadArgument, match=message):
        strategy.checked()


def test_largest_sizes_that_are_allowed():
    assert Strategy(tp=10_000, dp=100).checked().ranks == 1_000_000
    assert Strategy(layout.VLLM, tp=2, dp=2, cp=3).checked().cp == 1
    assert Strategy(layout.MINDSPEED, cp=5, ulysses_degree=3).checked().cp == 5
