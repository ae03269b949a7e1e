"""Operator profiles of msprof op and its simulator: `visualize_data.bin`.

The timeline comes from the trace blocks; everything else that pages show is written by the filler of the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import operator_blocks as blocks
from insight_desktop.ingest.formats.operator_trace import RangeFeed, TraceReading, details
from insight_desktop.ingest.formats.trace_rows import Batch
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source

__all__ = ["details", "read", "sniff"]

LATER_BYTES = 48 << 20  # a larger trace is read when the timeline is asked for: a source of the kind `simulation`


def sniff(path: str, head: bytes) -> bool:
    """True for a file that begins like a block, whatever its name is."""
    del path
    return blocks.is_head(head)


def read(source: Source, report: Report, *, threads: int = 1) -> Iterator[Batch]:
    """Yield (table, batch) of the timeline; nothing but empty tables when there is no trace block, or a large one that
    waits until it is asked for (the fact `deferred_trace`).

    Raises:
        BadFile: the file is no operator file, or none of its blocks can be used.
    """
    path = source.files[0]
    index = blocks.read_index(path, report)
    _tell(index, report, path.name)
    if not index.blocks and index.bad:
        block, reason = index.bad[0]
        raise BadFile(f"{path.name} holds no usable block: {block.where} is unusable because {reason}.", fix=_AGAIN)
    traces = index.all(blocks.TRACE)
    if source.kind == "operator" and sum(block.size for block in traces) > LATER_BYTES:
        report.facts["deferred_trace"] = True
        size = sum(block.size for block in traces) >> 20
        report.issue(
            "operator_bin.trace_later", "info", path.name,
            f"The trace of {path.name} has {size:,} MiB; it is read when the Timeline is opened.",
        )  # fmt: skip
        traces = []
    reading = TraceReading(report, threads, index.size, path.name)
    try:
        for block in traces:
            try:
                with closing(RangeFeed(path, block.start, block.size)) as feed:
                    yield from reading.document(feed, block.start, path, f"{path.name}, trace")
            except BadFile as error:
                report.issue(
                    "operator_bin.bad_trace", "error", f"{path.name} {block.where}",
                    f"{path.name}: {block.where} holds no trace events; the timeline lacks them, other pages work. "
                    f"{error.message}",
                    fix=_AGAIN,
                )  # fmt: skip
        yield from reading.ends()
    finally:
        reading.close()


_AGAIN = "Copy the file again from where it was collected."


def _tell(index: blocks.Index, report: Report, name: str) -> None:
    """Counts and issues of the container."""
    for kind in sorted(set(index.types)):
        report.add(f"table.{blocks.NAMES.get(kind, f'type {kind}')}", index.types.count(kind))
    for block, reason in index.bad:
        report.issue(
            "operator_bin.bad_block", "error", f"{name} {block.where}",
            f"{name}: {block.where} was left out because {reason}; what it feeds is empty, everything else works.",
            fix=_AGAIN,
        )  # fmt: skip
    cut = [block for block in index.blocks if block.is_cut]
    for block in cut:
        report.issue(
            "operator_bin.cut", "warning", f"{name} {block.where}",
            f"{name} ends inside {block.where}: {block.size:,} bytes of it are there. The blocks before it are whole.",
            fix=_AGAIN,
        )  # fmt: skip
    if index.stray:
        report.issue(
            "operator_bin.stray", "info", name,
            f"{name} has {index.stray} bytes behind its last block; they were ignored.",
        )  # fmt: skip
    unknown = sorted(set(index.types) - set(blocks.NAMES))
    if unknown:
        report.issue(
            "operator_bin.unknown_block", "info", name,
            f"{name} has blocks of the types {', '.join(map(str, unknown))}, which are not known; they were left out.",
        )  # fmt: skip
