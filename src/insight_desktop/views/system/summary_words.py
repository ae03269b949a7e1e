"""Words of the Summary page: titles of figures and algorithms, arguments of its queries."""

from __future__ import annotations

from typing import Any

from insight_desktop.engine.system import summary_layout as layout
from insight_desktop.engine.system.summary_layout import Strategy
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr
from insight_desktop.views.common.table_columns import ColumnSpec

ALGORITHMS = {
    layout.MEGATRON: "Megatron-LM (tp-cp-ep-dp-pp)",
    layout.MEGATRON_PP: "Megatron-LM (tp-cp-pp-ep-dp)",
    layout.MINDSPEED: "MindSpeed (tp-cp-ep-dp-pp)",
    layout.MINDIE: "MindIE-LLM (tp-dp-ep-pp-moetp)",
    layout.VLLM: "vLLM (tp-pp-dp-ep)",
}
FIGURES = {
    "computing_us": QT_TRANSLATE_NOOP("insight", "Computing"),
    "communication_us": QT_TRANSLATE_NOOP("insight", "Communication||time"),
    "computing_not_overlapped_us": QT_TRANSLATE_NOOP("insight", "Computing(Not Overlapped)"),
    "overlapped_us": QT_TRANSLATE_NOOP("insight", "Computing_Communication Overlapped"),
    "communication_not_overlapped_us": QT_TRANSLATE_NOOP("insight", "Communication(Not Overlapped)"),
    "free_us": QT_TRANSLATE_NOOP("insight", "Free"),
    "preparing_us": QT_TRANSLATE_NOOP("insight", "Preparing"),
    "communication_not_overlapped_exclude_receive_us": QT_TRANSLATE_NOOP(
        "insight", "Communication(Not Overlapped and Exclude Receive)"
    ),
    "stage_us": QT_TRANSLATE_NOOP("insight", "Stage"),
    "bubble_us": QT_TRANSLATE_NOOP("insight", "Bubble||time"),
    "e2e_us": QT_TRANSLATE_NOOP("insight", "Total Time"),
    "computing_ratio": QT_TRANSLATE_NOOP("insight", "Computing Ratio"),
    "communication_ratio": QT_TRANSLATE_NOOP("insight", "Communication Ratio"),
}
# What stands on each other in the chart of ranks, from the axis upwards, with colours of fixed meaning.
STACK = {
    "computing_not_overlapped_us": "computing", "overlapped_us": "overlapped",
    "communication_not_overlapped_us": "communication", "free_us": "free", "preparing_us": "preparing",
}  # fmt: skip
RATIOS = {"computing_ratio": "text", "communication_ratio": "slo"}
FOLDED_BARS = {
    "max_computing_us": "computing",
    "max_communication_us": "communication",
    "max_free_us": "free",
    "max_e2e_us": "preparing",
}
FOLDED_HIDDEN = frozenset({"max_e2e_us"})
_LEGEND = {  # dimension → title, colour of frames and lines
    "pp": (QT_TRANSLATE_NOOP("insight", "Pipeline Parallelism"), "#0277FF"),
    "tp": (QT_TRANSLATE_NOOP("insight", "Tensor Parallelism"), "#01CEB0"),
    "cp": (QT_TRANSLATE_NOOP("insight", "Context Parallelism"), "#FD2F2F"),
    "dp": (QT_TRANSLATE_NOOP("insight", "Data Parallelism"), "#6948C9"),
    "ep": (QT_TRANSLATE_NOOP("insight", "Expert Parallelism"), "#EE891D"),
    "moe_tp": (QT_TRANSLATE_NOOP("insight", "MoE Tensor Parallelism"), "#D53F78"),
}
LEGEND = _LEGEND
_LINES = {"exp": "ep", "moeTp": "moe_tp"}  # names of groups whose dimension is written otherwise


def figure(name: str) -> str:
    """Title of a figure, folded ones too; names of communication groups stay as they are."""
    if name in FIGURES:
        return tr(FIGURES[name])
    for prefix, text in (
        ("sum_of_max_", QT_TRANSLATE_NOOP("insight", "Sum of Max {0}")),
        ("max_", QT_TRANSLATE_NOOP("insight", "Max {0}")),
        ("min_", QT_TRANSLATE_NOOP("insight", "Min {0}")),
        ("range_", QT_TRANSLATE_NOOP("insight", "{0} Range(Max-Min)")),
    ):
        if name.startswith(prefix):
            return tr(text).format(figure(name.removeprefix(prefix)))
    return name


def group_figure(pg_name: str, *, folded: bool) -> str:
    """Title of the communication time of groups of one name."""
    words = tr("Avg Communication") if folded else tr("Communication||time")
    return f"{pg_name.upper()}-{words}"


def unit_of(name: str) -> str:
    """µs, or % for ratios."""
    return "%" if name.endswith("_ratio") else "µs"


def spec(name: str) -> ColumnSpec:
    """Column of a figure: three decimals."""
    return ColumnSpec(name, figure(name), unit=unit_of(name), kind="number", decimals=3)


def arguments(strategy: Strategy | None) -> dict[str, Any]:
    """A strategy as arguments of a query; nothing for the one of the data."""
    if strategy is None:
        return {}
    names = ("tp", "pp", "dp", "cp", "ep", "moe_tp")
    return {"algorithm": strategy.algorithm, **{name: strategy.size(name) for name in names}}


def line_colour(name: str) -> str:
    """Colour of a communication group in the layout; empty for those of several dimensions."""
    return LEGEND[_LINES.get(name, name)][1] if _LINES.get(name, name) in LEGEND else ""


def group_text(members: tuple[int, ...] | list[int]) -> str:
    """`(0, 1)`; long lists are cut in the middle."""
    return f"({', '.join(map(str, members))})"
