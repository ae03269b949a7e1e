"""`profiler_info[_<rank>].json` and `profiler_metadata.json`: how a rank was collected, and its place in the job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insight_desktop.ingest.open_files import parse_json
from insight_desktop.ingest.report import Report

MAX_BYTES = 32 * 1024 * 1024
_PARALLEL_SIZES = (
    "tensor_model_parallel_size",
    "pipeline_model_parallel_size",
    "data_parallel_size",
    "context_parallel_size",
    "expert_model_parallel_size",
    "world_size",
)


@dataclass(frozen=True)
class ProfilerInfo:
    """Collector settings of one rank; empty or None where the file does not tell.

    Attributes:
        rank: rank number as text, None for unknown (-1).
        level: `Level0`, `Level1`, `Level2`, `Level_none` or empty.
        aic_metrics: chosen set of hardware counters, empty for none.
        export_types: `text`, `db`.
        activities: `CPU`, `NPU`.
        switches: on/off settings by their name in the collector's interface, e.g. `profile_memory`, `with_stack`.
        schedule: wait, active, warmup, repeat, skip_first.
        clock: numbers of `start_info` and `end_info`.
        settings: the whole `config` object, for display.
    """

    rank: str | None = None
    level: str = ""
    aic_metrics: str = ""
    export_types: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    switches: dict[str, bool] = field(default_factory=dict)
    schedule: dict[str, int] = field(default_factory=dict)
    clock: dict[str, int | float | bool] = field(default_factory=dict)
    torch_npu_version: str = ""
    cann_version: str = ""
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ParallelGroup:
    """One communication group: `ranks[i]` is the global rank of the group's member i."""

    id: str
    name: str
    own_index: int | None
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class ProfilerMetadata:
    """Place of a rank in its job.

    Attributes:
        rank: global rank as text, None when unknown.
        parallel: sizes of the parallel dimensions by their name in the file; empty unless all are whole numbers.
        sequence_parallel: None when unknown.
        groups: in the order of the file.
        environment: variables that the collector saved.
    """

    rank: str | None = None
    parallel: dict[str, int] = field(default_factory=dict)
    sequence_parallel: bool | None = None
    groups: tuple[ParallelGroup, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)


def sniff(path: str, head: bytes) -> bool:
    """True for the two file names with a JSON object inside."""
    name = Path(path).name
    return name.startswith(("profiler_info", "profiler_metadata")) and head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{"


def read_info(path: Path, report: Report | None = None) -> ProfilerInfo:
    """Read profiler_info; a damaged file gives an empty result and an issue."""
    facts = _object(path, report)
    config = _dict(facts.get("config"))
    common, experimental = _dict(config.get("common_config")), _dict(config.get("experimental_config"))
    exports = experimental.get("_export_type")
    return ProfilerInfo(
        rank=_rank(facts.get("rank_id")),
        level=str(experimental.get("_profiler_level") or ""),
        aic_metrics=str(experimental.get("_aic_metrics") or ""),
        export_types=tuple(str(e) for e in (exports if isinstance(exports, list) else [exports]) if e),
        activities=tuple(str(a).rsplit(".", 1)[-1] for a in _list(common.get("activities"))),
        switches={
            key.lstrip("_"): value
            for part in (common, experimental)
            for key, value in part.items()
            if isinstance(value, bool)
        },
        schedule={k: v for k, v in _dict(common.get("schedule")).items() if _is_int(v)},
        clock={
            key: value
            for part in ("start_info", "end_info")
            for key, value in _dict(facts.get(part)).items()
            if isinstance(value, int | float)
        },
        torch_npu_version=str(facts.get("torch_npu_version") or ""),
        cann_version=str(facts.get("cann_version") or ""),
        settings=config,
    )


def msprof_rank(prof: Path) -> str | None:
    """Rank that the command line collector noted in `info.json.<n>` of a PROF folder; None for unknown (-1)."""
    for pattern in ("info.json*", "device_*/info.json*", "host/info.json*"):
        for path in sorted(prof.glob(pattern))[:8]:
            rank = _rank(_object(path, None).get("rank_id"))
            if rank is not None:
                return rank
    return None


def read_metadata(path: Path, report: Report | None = None) -> ProfilerMetadata:
    """Read profiler_metadata; a damaged file gives an empty result and an issue."""
    return metadata_of(_object(path, report))


def metadata_of(facts: dict[str, Any]) -> ProfilerMetadata:
    """The content of profiler_metadata, or of the equal rows of META_DATA in a database."""
    job = _dict(facts.get("distributed_args"))
    sizes = {key: job[key] for key in _PARALLEL_SIZES if _is_int(job.get(key))}
    sequence = job.get("sequence_parallel")
    whole = len(sizes) == len(_PARALLEL_SIZES)
    return ProfilerMetadata(
        rank=_rank(job.get("rank")),
        parallel=sizes if whole else {},
        sequence_parallel=sequence if whole and isinstance(sequence, bool) else None,
        groups=tuple(
            ParallelGroup(
                str(key),
                str(group.get("group_name") or ""),
                group["group_rank"] if _is_int(group.get("group_rank")) else None,
                tuple(r for r in _list(group.get("global_ranks")) if _is_int(r) and 0 <= r < 2**31),
            )
            for key, group in _dict(facts.get("parallel_group_info")).items()
            if isinstance(group, dict)
        ),
        environment={str(k): str(v) for k, v in _dict(facts.get("ENV_VARIABLES")).items()},
    )


def check(extras: Iterable[tuple[str, Path]], report: Report) -> None:
    """Report the rank files among a card's side files that cannot be used; empty ones are known from discovery."""
    for role, path in extras:
        if role in ("profiler_info", "profiler_metadata") and path.exists() and path.stat().st_size:
            _object(path, report)


def rank_in_info(path: Path) -> str | None:
    """Rank that the content of a profiler_info file tells, None when it does not."""
    return read_info(path).rank


def rank_in_metadata(path: Path) -> str | None:
    """Rank that the content of a profiler_metadata file tells, None when it does not."""
    return read_metadata(path).rank


def _object(path: Path, report: Report | None) -> dict[str, Any]:
    why = "it holds no JSON object"
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            why = f"it is larger than {MAX_BYTES >> 20} MB"
        else:
            facts = parse_json(raw)
            if isinstance(facts, dict):
                return facts
    except (OSError, ValueError) as error:
        why = str(error)
    if report is not None:
        report.issue(
            "rank_info.unreadable",
            "warning",
            path.name,
            f"{path.name} cannot be used ({why}). The card opens without its collector settings.",
        )
    return {}


def _rank(value: object) -> str | None:
    """Rank as text; 2024 files write a number, 2025 files a text, -1 means unknown."""
    text = str(value).strip() if value is not None and not isinstance(value, bool) else ""
    return str(int(text)) if text.isascii() and text.isdigit() else None


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
