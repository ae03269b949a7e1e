"""What file names say: roles of side files, database kinds, exports and their slices."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

OUTPUT = "ASCEND_PROFILER_OUTPUT"
MSPROF_OUTPUT = "mindstudio_profiler_output"
CLUSTER_OUTPUT = "cluster_analysis_output"

FRAMEWORK_DB = re.compile(r"^ascend_(?:pytorch|mindspore)_profiler(?:_(\d{1,16}))?\.db$")
MSPROF_DB = re.compile(r"^msprof_(\d{1,16})\.db$")
MSMONITOR_DB = re.compile(r"^msmonitor_\d+_\d+_(-1|\d+)\.db$")
PROFILER_INFO = re.compile(r"^profiler_info(?:_(\d{1,16}))?\.json$")
RANK_FOLDER = re.compile(r"^rank_?(\d{1,16})$", re.IGNORECASE)
UNIT_FOLDER = re.compile(r"_ascend_(?:pt|ms)$")
PROF_FOLDER = re.compile(r"^PROF_")
DEVICE_FOLDER = re.compile(r"^device_(\d+)$")
TRACE_VIEW = ("trace_view.json", "trace_view.json.gz")
TRACE = re.compile(r"^(?:trace_view|trace|msprof(?:_slice)?(?:_\d{1,15}){1,4})\.json(?:\.gz)?$")

_MSPROF_JSON = re.compile(r"^msprof(?:_slice_(?P<k>\d{1,4}))?(?P<numbers>(?:_\d{1,15}){1,4})\.json(?:\.gz)?$")
_EXPORT = re.compile(r"^(?P<stem>[A-Za-z][A-Za-z0-9_]*?)(?:_slice_(?P<k>\d{1,4}))?(?:_(?P<time>\d{1,15}))?\.csv$")

CSV_ROLES = {
    "kernel_details": "kernel_csv",
    "op_summary": "kernel_csv",
    "memory_record": "memory_record",
    "operator_memory": "operator_memory",
    "npu_module_mem": "npu_module_mem",
    "static_op_mem": "static_op_mem",
    "operator_details": "operator_details",
    "op_statistic": "op_statistic",
    "api_statistic": "api_statistic",
    "l2_cache": "l2_cache",
    "step_trace_time": "step_trace_time",
    "step_trace": "step_trace",
    "data_preprocess": "data_preprocess",
    "aicpu": "data_preprocess",
    "dataset": "dataset",
    "soc_pmu": "soc_pmu",
    "nic": "nic",
    "roce": "roce",
    "pcie": "pcie",
    "hccs": "hccs",
    "task_time": "task_time",
    "fusion_op": "fusion_op",
    "communication_statistic": "communication_statistic",
    "npu_mem": "npu_mem",
    "msprof_tx": "msprof_tx",
}
# A folder or file with nothing but these is a card; the other roles only accompany a card.
CARD_ROLES = frozenset(
    [
        "kernel_csv",
        "memory_record",
        "operator_memory",
        "npu_module_mem",
        "static_op_mem",
        "step_trace_time",
        "communication_json",
        "communication_matrix",
        "operator_details",
        "op_statistic",
        "analysis_db",
    ]
)
_CARD_FILES = {
    "communication.json": "communication_json",
    "communication_matrix.json": "communication_matrix",
    "analysis.db": "analysis_db",
    "profiler_metadata.json": "profiler_metadata",
}
_PROJECT_FILES = {
    "cluster_analysis.db": "cluster_db",
    "cluster_step_trace_time.csv": "cluster_step_trace_time",
    "cluster_communication.json": "cluster_communication",
    "cluster_communication_matrix.json": "cluster_communication_matrix",
    "communication_group.json": "communication_group",
    "profiler.db": "service_db",
    "ms_service_parsed.db": "service_db",
    "memory_info.json": "on_chip_memory",
    "visualize_data.bin": "operator_bin",
    "model_gen_config.json": "expert_config",
    "request.csv": "service_csv",
    "batch.csv": "service_csv",
    "kvcache.csv": "service_csv",
    "forward.csv": "service_csv",
    "request_status.csv": "service_csv",
    "coordinator.csv": "service_csv",
    "spec_decode.csv": "service_csv",
    "ep_balance.csv": "service_csv",
    "moe_analysis.csv": "service_csv",
    "request_summary.csv": "service_csv",
    "batch_summary.csv": "service_csv",
    "service_summary.csv": "service_csv",
    "RLConfig.json": "rl_config",
}
_PROJECT_PATTERNS = (
    (re.compile(r"^ftrace_data[0-9]*\.db$"), "ftrace_db"),
    (re.compile(r"^(?:memscope|leaks)_dump_\d+\.db$"), "memscope_db"),
    (re.compile(r"^(?:memscope|leaks)_dump_\d+\.csv$"), "memscope_csv"),
    (re.compile(r"^python_trace_\d+_\d+\.csv$"), "memscope_python_trace"),
    (re.compile(r"^memory_compare_.*\.csv$"), "memscope_compare"),
    (re.compile(r"^(?:ms_service|ascend_service_profiler)_.*\.db$"), "service_raw_db"),
    (re.compile(r"^pd_split_.*\.csv$"), "service_csv"),
    (re.compile(r"\.(?:pkl|pickle)(?:\.gz|\.db)?$", re.IGNORECASE), "snapshot"),
    (re.compile(r"(?:prefill|decode)_[0-9]{1,4}\.csv$"), "expert_csv"),
    (re.compile(r"(?:prefill|decode)_global_deployment\.json$"), "expert_deployment"),
)
_STALE = re.compile(r"mindstudio_insight_data.*\.db(?:-wal|-shm)?$|^cluster\.db(?:-wal|-shm)?$")
_BESIDE_DB = re.compile(r"(?:-wal|-shm|-journal)$")
_UNREAD = (
    (re.compile(r"\.ipynb$"), "notebook; not a profile"),
    (re.compile(r"^prof_rule_\d.*\.json$"), "advice of the collector; not read"),
    (re.compile(r"^step_trace_\d+\.json$"), "step trace of the command line collector; its csv twin is used"),
    (re.compile(r"\.insight$"), "saved session; open it on its own"),
)


def card_role(name: str) -> str | None:
    """Role of a file that belongs to one card; None for any other name."""
    if name in _CARD_FILES:
        return _CARD_FILES[name]
    if PROFILER_INFO.match(name):
        return "profiler_info"
    export = _EXPORT.match(name)
    return CSV_ROLES.get(export["stem"]) if export else None


def project_role(name: str) -> str | None:
    """Role of a file that belongs to the project as a whole; None for any other name."""
    if name in _PROJECT_FILES:
        return _PROJECT_FILES[name]
    return next((role for pattern, role in _PROJECT_PATTERNS if pattern.search(name)), None)


def left_out(name: str) -> str | None:
    """Why a file of this name is never read; empty for companions of a database, None for other names."""
    if _STALE.search(name):
        return "cache of another viewer; not needed"
    if _BESIDE_DB.search(name):
        return ""
    return next((reason for pattern, reason in _UNREAD if pattern.search(name)), None)


@dataclass(frozen=True)
class _Piece:
    """One file of an export: what it is a piece of, its time stamp and its number."""

    name: str
    series: str
    time: int
    k: int


def newest_export(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """(files of the newest export in reading order, files of older exports), for msprof json or csv names.

    Pieces of one export may differ by some seconds in their stamp; a number that comes again begins a new export.
    Names of different series (`msprof_0_1_2_<time>` of several models or devices) do not replace each other.
    """
    series: dict[str, list[_Piece]] = {}
    for name in names:
        piece = _piece(name)
        series.setdefault(piece.series, []).append(piece)
    newest: list[str] = []
    older: list[str] = []
    for key in sorted(series):
        exports: list[dict[int, str]] = []
        for piece in sorted(series[key], key=lambda one: (one.time, one.k, one.name)):
            if not exports or piece.k in exports[-1]:
                exports.append({})
            exports[-1][piece.k] = piece.name
        newest += [exports[-1][k] for k in sorted(exports[-1])]
        older += [export[k] for export in exports[:-1] for k in sorted(export)]
    return newest, older


def missing_pieces(newest: Iterable[str]) -> list[str]:
    """Numbers that the exports of `newest_export` lack, each gap with the piece behind it."""
    exports: dict[str, dict[int, str]] = {}
    for piece in map(_piece, newest):
        exports.setdefault(piece.series, {})[piece.k] = piece.name
    gaps = []
    for pieces in exports.values():
        before = -1
        for k in sorted(pieces):
            if k - before > 1:
                numbers = str(before + 1) if k - before == 2 else f"{before + 1}–{k - 1}"
                gaps.append(f"{numbers} (before {pieces[k]})")
            before = k
    return gaps


def _piece(name: str) -> _Piece:
    json = _MSPROF_JSON.match(name)
    if json:
        numbers = json["numbers"].split("_")[1:]
        return _Piece(name, "_".join(numbers[:-1]), int(numbers[-1]), int(json["k"] or 0))
    export = _EXPORT.match(name)
    if export:
        return _Piece(name, export["stem"], int(export["time"] or 0), int(export["k"] or 0))
    return _Piece(name, name, 0, 0)


def stem(name: str) -> str:
    """File name without the endings of its format: `a.pt.trace.json.gz` gives `a`."""
    for ending in (".gz", ".json", ".csv", ".db", ".trace", ".pt"):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name
