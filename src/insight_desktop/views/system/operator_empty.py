"""What the Operator page says when it has nothing to show, for each cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from insight_desktop.engine.store import StoreCard
from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer
from insight_desktop.views.common.language import tr

_LEVEL = """experimental_config = torch_npu.profiler._ExperimentalConfig(
    profiler_level=torch_npu.profiler.ProfilerLevel.Level1,
    aic_metrics=torch_npu.profiler.AiCMetrics.PipeUtilization,
)"""
_TEXT_FILES = ("kernel_details.csv", "op_summary_*.csv")
_DB_TABLES = ("COMPUTE_TASK_INFO", "TASK", "COMMUNICATION_OP")


def nothing_open(page: EmptyPage) -> None:
    """No card is there at all."""
    page.show_content(
        tr("No Data"), tr("No card is open. The Operator page lists the kernels of one card by type, name and shape.")
    )


def not_read(page: EmptyPage, card: str, read: Callable[[], None]) -> None:
    """The card is known but not read yet."""
    page.show_content(
        tr("Card {0} is not read yet").format(card),
        tr("Its operators are listed as soon as it is read."),
        offers=[Offer(tr("Read this card"), "play", read)],
    )


def no_kernels(page: EmptyPage, card: StoreCard, facts: dict[str, Any], timeline: Callable[[], None]) -> None:
    """The card was read, but its files hold no kernels."""
    page.show_content(
        tr("Operator has nothing to show for card {0}").format(card.alias or card.rank or card.name),
        " ".join(x for x in (facts.get("message", ""), facts.get("fix", "")) if x)
        or tr("The kernel files of this card have no rows."),
        files=_files(card, facts),
        code=_LEVEL,
        offers=[Offer(tr("Show the Timeline"), "chart-bar-horizontal", timeline)],
        note=tr("Kernels in the Timeline alone have no types, shapes and counters."),
    )


def failed(page: EmptyPage, message: str, fix: str, again: Callable[[], None]) -> None:
    """The kernels could not be read."""
    page.show_content(message, fix, offers=[Offer(tr("Try again"), "arrow-clockwise", again)])


def _files(card: StoreCard, facts: dict[str, Any]) -> list[FileLine]:
    read, missing = list(facts.get("files_read") or ()), list(facts.get("files_missing") or ())
    gives = tr("one row per kernel: type, shapes, times, counters")
    is_db = card.source is not None and card.source.format == "profiler_db"
    lines = [FileLine(name, gives, "found", tr("found, no kernels")) for name in read]
    lines += [FileLine(name, gives, "missing", tr("missing")) for name in missing]
    if not lines:
        lines = [FileLine(name, gives, "missing", tr("missing")) for name in (_DB_TABLES if is_db else _TEXT_FILES)]
    return lines
