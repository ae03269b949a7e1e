"""Words of the Details page: facts at the top, status bar, empty states."""

from __future__ import annotations

from collections.abc import Callable

from insight_desktop.engine.operator import numbers
from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer
from insight_desktop.views.common.language import tr
from insight_desktop.views.operator.details_load import Loaded

_COLLECT = "msprof op --aic-metrics=Default,Occupancy,Roofline --output=./out ./my_program"


def facts(loaded: Loaded) -> list[tuple[str, str, str]]:
    """(name, value, value of the baseline) of the strip at the top."""
    titles = {
        "name": tr("Name"), "duration_us": tr("Duration (μs)"), "op_type": tr("Op Type"), "device_id": tr("Device Id"),
        "pid": tr("Pid"), "block_dim": tr("Block Dim"), "mix_block_dim": tr("Mix Block Dim"), "soc": tr("Chip"),
        "cur_freq_mhz": tr("Frequency (MHz)"), "rated_freq_mhz": tr("Rated Frequency (MHz)"),
    }  # fmt: skip
    found: list[tuple[str, str, str]] = []
    for row in loaded.of("base_info"):
        other = row["baseline"] if loaded.baseline is not None and row["baseline"] is not None else ""
        found.append((str(titles.get(row["field"], row["label"])), str(row["value"]), str(other)))
    return found


def important(loaded: Loaded) -> list[int]:
    """Places of the facts that stay when there is little room."""
    fields = [row["field"] for row in loaded.of("base_info")]
    wanted = ("name", "duration_us", "op_type", "block_dim", "mix_block_dim", "soc", "cur_freq_mhz")
    return [fields.index(field) for field in wanted if field in fields]


def status(loaded: Loaded) -> list[str]:
    """What is shown, for the status bar."""
    base = {row["field"]: row["value"] for row in loaded.of("base_info")}
    own = next((row for row in loaded.of("operators") if row["card"] == loaded.card), None)
    words = {"memory": tr("Memory bound"), "compute": tr("Compute bound"), "latency": tr("Latency bound")}
    texts = [words.get(own["bound"], "") if own else "", base.get("name", loaded.card)]
    if base.get("duration_us"):
        texts.append(f"{numbers.plain_text(base['duration_us'])} µs")
    if own is not None and own["roof_percent"] is not None:
        texts.append(tr("{0} % of the nearest roof").format(f"{own['roof_percent']:.1f}"))
    return [text for text in texts if text]


def no_figures(page: EmptyPage, loaded: Loaded, show: Callable[[str], None]) -> None:
    """The bin holds sources, instructions or a trace, but none of the figures of this page."""
    page.show_content(
        tr("{0} holds no figures of a kernel").format(loaded.card),
        tr(
            "Simulators write sources, instructions and a trace. Cores, roofline and memory come from a run on the device."
        ),
        code=_COLLECT,
        offers=[
            Offer(tr("Show the source"), "code", lambda: show("operator.source")),
            Offer(tr("Show the Timeline"), "chart-bar-horizontal", lambda: show("operator.timeline")),
        ],
    )


def nothing_open(page: EmptyPage) -> None:
    """No kernel is there."""
    page.show_content(
        tr("No kernel is open"),
        tr("The Details page shows how one kernel used its cores, pipes and memory."),
        files=[FileLine("visualize_data.bin", tr("profile of one kernel"), "missing", tr("missing"))],
        code=_COLLECT,
    )
