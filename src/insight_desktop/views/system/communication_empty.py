"""What the Communication page says when it has nothing to show, for each cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from insight_desktop.engine.store import Store
from insight_desktop.ingest.sources import Source
from insight_desktop.views.common.empty_page import EmptyPage, FileLine, Offer
from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

_LEVEL = """experimental_config = torch_npu.profiler._ExperimentalConfig(
    profiler_level=torch_npu.profiler.ProfilerLevel.Level1,
)"""
_FILES = (
    (
        "communication_json",
        "communication.json",
        QT_TRANSLATE_NOOP("insight", "operators with their times and packets"),
    ),
    ("communication_matrix", "communication_matrix.json", QT_TRANSLATE_NOOP("insight", "links between ranks")),
    ("profiler_metadata", "profiler_metadata.json", QT_TRANSLATE_NOOP("insight", "names and members of the groups")),
    ("analysis_db", "analysis.db", QT_TRANSLATE_NOOP("insight", "the same in one database")),
)


def nothing_open(page: EmptyPage) -> None:
    """No data are there at all."""
    page.show_content(
        tr("No Data"),
        tr("No job is open. The Communication page compares the ranks of a job: open the folder above their folders."),
    )


def failed(page: EmptyPage, message: str, fix: str, store: Store, again: Callable[[], None]) -> None:
    """The job has no communication data, or they cannot be read."""
    page.show_content(
        tr("Communication has nothing to show"),
        f"{message} {fix}".strip(),
        files=files(store),
        code=_LEVEL,
        offers=[Offer(tr("Try again"), "arrow-clockwise", again)],
        note=tr("Level0 collects no communication data; they cannot be made from the timeline afterwards."),
    )


def files(store: Store) -> list[FileLine]:
    """The files of the ranks, and a finished analysis, each with how many ranks have it."""
    sources = _sources(store)
    lines = []
    has_text = any(source.extra("communication_json") is not None for source in sources)
    for role, name, gives in _FILES:
        count = sum(source.extra(role) is not None for source in sources)
        unneeded = role == "analysis_db" and has_text and not count
        words = tr("{0} of {1} ranks").format(count, len(sources))
        lines.append(FileLine(name, tr(gives), "found" if count else "unneeded" if unneeded else "missing", words))
    outputs = [path for role, path in store.extras if role in ("cluster_db", "cluster_analysis_output")]
    lines.append(
        FileLine(
            "cluster_analysis_output", tr("a finished analysis of the job"), "found" if outputs else "unneeded",
            tr("found") if outputs else tr("not needed"),
        )
    )  # fmt: skip
    return lines


def _sources(store: Store) -> Sequence[Source]:
    members = [member.source for member in store.members]
    return members or [card.source for card in store.cards_of("system") if card.source is not None]
