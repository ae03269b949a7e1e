"""Columns of the tables of the Communication page."""

from __future__ import annotations

from insight_desktop.views.common.language import QT_TRANSLATE_NOOP
from insight_desktop.views.common.table_columns import ColumnSpec


def _ms(name: str, title: str, decimals: int = 4, tooltip: str = "") -> ColumnSpec:
    return ColumnSpec(name, title, unit="ms", kind="number", decimals=decimals, tooltip=tooltip)


RANK = ColumnSpec("rank", QT_TRANSLATE_NOOP("insight", "Rank ID"), kind="id", width=72)
FIGURES = (
    _ms("elapse_ms", QT_TRANSLATE_NOOP("insight", "Elapsed Time")),
    _ms("transit_ms", QT_TRANSLATE_NOOP("insight", "Transit Time")),
    _ms("sync_ms", QT_TRANSLATE_NOOP("insight", "Synchronization Time")),
    _ms("wait_ms", QT_TRANSLATE_NOOP("insight", "Wait Time")),
    ColumnSpec(
        "sync_ratio", QT_TRANSLATE_NOOP("insight", "Synchronization Time Ratio"), kind="number", decimals=4,
        tooltip=QT_TRANSLATE_NOOP("insight", "Synchronization / (synchronization + transit)"),
    ),
    ColumnSpec(
        "wait_ratio", QT_TRANSLATE_NOOP("insight", "Wait Time Ratio"), kind="number", decimals=4,
        tooltip=QT_TRANSLATE_NOOP("insight", "Wait / (wait + transit)"),
    ),
    _ms("idle_ms", QT_TRANSLATE_NOOP("insight", "Idle Time")),
    ColumnSpec("sdma_gbs", QT_TRANSLATE_NOOP("insight", "SDMA BW"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("rdma_gbs", QT_TRANSLATE_NOOP("insight", "RDMA BW"), unit="GB/s", kind="number", decimals=4),
)  # fmt: skip
PACKETS, DETAILS, TIMELINE, THUMBNAIL = "packets", "operators", "timeline", "thumbnail"
DURATIONS = (
    RANK,
    ColumnSpec(PACKETS, QT_TRANSLATE_NOOP("insight", "Bandwidth Analysis"), kind="link", width=144, filters=False),
    ColumnSpec(
        DETAILS, QT_TRANSLATE_NOOP("insight", "Communication Operators Details"), kind="link", width=236, filters=False
    ),
    *FIGURES,
)
COMPARED = (RANK, *FIGURES)
OPERATORS = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Operator Name"), width=220),
    ColumnSpec(TIMELINE, QT_TRANSLATE_NOOP("insight", "Operation"), kind="link", width=120, filters=False),
    ColumnSpec(THUMBNAIL, QT_TRANSLATE_NOOP("insight", "Operation"), kind="link", width=176, filters=False),
    *FIGURES,
)
TRANSPORTS = (
    ColumnSpec("transport", QT_TRANSLATE_NOOP("insight", "Transport Type"), width=150),
    ColumnSpec("size_mb", QT_TRANSLATE_NOOP("insight", "Transit Size"), unit="MB", kind="number", decimals=4),
    _ms("transit_ms", QT_TRANSLATE_NOOP("insight", "Transit Time")),
    ColumnSpec("bandwidth_gbs", QT_TRANSLATE_NOOP("insight", "Bandwidth"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec(
        "large_packet_ratio", QT_TRANSLATE_NOOP("insight", "Large Packet Ratio"), kind="number", decimals=4, missing="/",
        tooltip=QT_TRANSLATE_NOOP(
            "insight", "Share of packets above 32 MB (HCCS, PCIE, SIO) or 0.5 MB (RDMA)"
        ),
    ),
)  # fmt: skip
SLOW = (
    ColumnSpec("text", QT_TRANSLATE_NOOP("insight", "Rank ID / Operator Name"), width=280),
    _ms("difference_ms", QT_TRANSLATE_NOOP("insight", "Elapsed Time Difference"), 6),
    _ms("elapse_ms", QT_TRANSLATE_NOOP("insight", "Elapsed Time on Current Rank"), 6),
    _ms("fastest_ms", QT_TRANSLATE_NOOP("insight", "Elapsed Time on Fastest Rank"), 6),
    ColumnSpec("action", QT_TRANSLATE_NOOP("insight", "Action"), kind="link", width=140, filters=False),
)
BANDWIDTHS = (
    ColumnSpec("transport", QT_TRANSLATE_NOOP("insight", "Transport Type"), width=110),
    ColumnSpec("ranks", QT_TRANSLATE_NOOP("insight", "Ranks"), kind="count"),
    _ms("time_ms", QT_TRANSLATE_NOOP("insight", "Total Time")),
    ColumnSpec("avg_gbs", QT_TRANSLATE_NOOP("insight", "Average"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("max_gbs", QT_TRANSLATE_NOOP("insight", "Maximum"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("min_gbs", QT_TRANSLATE_NOOP("insight", "Minimum"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("diff_gbs", QT_TRANSLATE_NOOP("insight", "Max − Min"), unit="GB/s", kind="number", decimals=4),
    ColumnSpec("conclusion", QT_TRANSLATE_NOOP("insight", "Conclusion")),
)  # fmt: skip
CONTENTIONS = (
    RANK,
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "Step||training"), width=80),
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name")),
    ColumnSpec("duration_us", QT_TRANSLATE_NOOP("insight", "Duration"), unit="µs", kind="number", decimals=6),
    ColumnSpec("bandwidth_gbs", QT_TRANSLATE_NOOP("insight", "Bandwidth"), unit="GB/s", kind="number", decimals=6),
)
ALIGNMENTS = (
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name")),
    RANK,
    ColumnSpec("tasks", QT_TRANSLATE_NOOP("insight", "Tasks"), kind="count"),
    ColumnSpec("size_bytes", QT_TRANSLATE_NOOP("insight", "Size of the first"), unit="B", kind="count"),
)
RETRANSMISSIONS = (
    ColumnSpec("step", QT_TRANSLATE_NOOP("insight", "Step||training"), width=80),
    ColumnSpec("name", QT_TRANSLATE_NOOP("insight", "Name")),
    ColumnSpec("group", QT_TRANSLATE_NOOP("insight", "Communication Group"), width=220),
    _ms("min_elapse_ms", QT_TRANSLATE_NOOP("insight", "Shortest Elapsed Time"), 6),
    _ms("max_rdma_ms", QT_TRANSLATE_NOOP("insight", "Longest RDMA Time"), 6),
)
SMALL_PACKETS = (
    ColumnSpec("category", QT_TRANSLATE_NOOP("insight", "Category"), width=90),
    ColumnSpec("issue", QT_TRANSLATE_NOOP("insight", "Issue"), width=70),
    _ms("small_ms", QT_TRANSLATE_NOOP("insight", "Small Size Duration"), 6),
    ColumnSpec(
        "standard_share", QT_TRANSLATE_NOOP("insight", "Small Size Proportion Standard"), kind="percent", decimals=6
    ),
    ColumnSpec("share", QT_TRANSLATE_NOOP("insight", "Small Size Proportion"), kind="percent", decimals=6),
    ColumnSpec(
        "standard_mb", QT_TRANSLATE_NOOP("insight", "Small Size Standard"), unit="MB", kind="number", decimals=6
    ),
    ColumnSpec("small", QT_TRANSLATE_NOOP("insight", "Small Operators"), kind="count"),
    ColumnSpec("operators", QT_TRANSLATE_NOOP("insight", "Operators"), kind="count"),
)
