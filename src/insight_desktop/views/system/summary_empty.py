"""What the Summary page says when it has nothing to show, for each cause."""

from __future__ import annotations

from collections.abc import Callable

from insight_desktop.engine.store import Store
from insight_desktop.ingest.formats import cluster_text
from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer
from insight_desktop.views.common.language import tr

_LEVEL = """experimental_config = torch_npu.profiler._ExperimentalConfig(
    profiler_level=torch_npu.profiler.ProfilerLevel.Level1,
)"""


def nothing_open(page: EmptyPage) -> None:
    """No rank is there at all."""
    page.show_content(
        tr("No Data"),
        tr("No ranks are open. The Summary page compares the ranks of one job: open the folder above them."),
    )


def no_cluster(page: EmptyPage, message: str, fix: str, store: Store) -> None:
    """There are ranks, but nothing about the job."""
    outputs = [path.name for role, path in store.extras if role in cluster_text.ROLES]
    gives = tr("one row per rank and step: computing, communication, free")
    more = tr("communication operators of a rank: groups, times, sizes")
    files = [
        FileLine("step_trace_time.csv", gives, "missing", tr("missing")),
        FileLine("communication.json", more, "missing", tr("missing")),
        FileLine("analysis.db", tr("both of them, from a database export"), "missing", tr("missing")),
        FileLine(
            "cluster_analysis_output", tr("a finished analysis of all ranks"), "found" if outputs else "missing",
            tr("found, incomplete") if outputs else tr("missing"),
        ),
    ]  # fmt: skip
    page.show_content(
        message, fix, files=files, code=_LEVEL,
        note=tr("Level0 has step times only: the Communication page and the times of groups stay empty with it."),
    )  # fmt: skip


def stopped(page: EmptyPage, again: Callable[[], None]) -> None:
    """The user stopped the analysis."""
    page.show_content(
        tr("The analysis of the ranks was stopped"), tr("What was read so far is not kept."),
        offers=[Offer(tr("Start again"), "arrow-clockwise", again)],
    )  # fmt: skip


def failed(page: EmptyPage, message: str, fix: str, again: Callable[[], None]) -> None:
    """Something went wrong."""
    page.show_content(message, fix, offers=[Offer(tr("Try again"), "arrow-clockwise", again)])
