"""What a profiler database says of itself: ranks, devices, host, session, schema version, groups, enumerations."""

from __future__ import annotations

import json
import re
from typing import Any

from insight_desktop.ingest.formats.profiler_db_tables import NONE32, Database

_RANK_IN_NAME = re.compile(r"^(?:ascend_\w+_profiler|msmonitor_\d+_\d+)_(\d{1,16})\.db$")

# Used where the file has no table of its own.
ENUMS: dict[str, dict[int, str]] = {
    "ENUM_API_TYPE": {
        30000: "pytorch", 25000: "pta", 20000: "acl", 15000: "model", 10000: "node", 5500: "communication",
        5000: "runtime", 50001: "op", 50002: "queue", 50003: "trace", 50004: "mstx",
    },
    "ENUM_HCCL_DATA_TYPE": {
        0: "INT8", 1: "INT16", 2: "INT32", 3: "FP16", 4: "FP32", 5: "INT64", 6: "UINT64", 7: "UINT8", 8: "UINT16",
        9: "UINT32", 10: "FP64", 11: "BFP16", 12: "INT128", 14: "HIF8", 15: "FP8E4M3", 16: "FP8E5M2", 17: "FP8E8M0",
        255: "RESERVED", 65534: "N/A", 65535: "INVALID_TYPE",
    },
    "ENUM_HCCL_LINK_TYPE": {
        0: "ON_CHIP", 1: "HCCS", 2: "PCIE", 3: "ROCE", 4: "SIO", 5: "HCCS_SW", 6: "STANDARD_ROCE", 7: "UB", 8: "UBoE",
        255: "RESERVED", 65534: "N/A", 65535: "INVALID_TYPE",
    },
    "ENUM_HCCL_TRANSPORT_TYPE": {
        0: "SDMA", 1: "RDMA", 2: "LOCAL", 3: "UB", 4: "ROCE", 255: "RESERVED", 65534: "N/A", 65535: "INVALID_TYPE",
    },
    "ENUM_HCCL_RDMA_TYPE": {
        0: "RDMA_SEND_NOTIFY", 1: "RDMA_SEND_PAYLOAD", 255: "RESERVED", 65534: "N/A", 65535: "INVALID_TYPE",
    },
    "ENUM_MSTX_EVENT_TYPE": {0: "marker", 1: "push/pop", 2: "start/end", 3: "marker_ex"},
    "ENUM_MEMCPY_OPERATION": {
        0: "host to host", 1: "host to device", 2: "device to host", 3: "device to device", 4: "managed memory",
        5: "addr device to device", 6: "host to device ex", 7: "device to host ex", 65535: "other",
    },
}  # fmt: skip


def enumeration(database: Database, table: str) -> dict[int, str]:
    """Names by number: our constants, overruled by the table of the file."""
    names = dict(ENUMS.get(table, {}))
    for number, name in database.rows(table, "id", "name"):
        if isinstance(number, int) and isinstance(name, str):
            names[number] = name
    return names


def metadata(database: Database) -> dict[str, str]:
    """META_DATA as name → value."""
    return {str(name): str(value) for name, value in database.rows("META_DATA", "name", "value") if name is not None}


def schema_version(database: Database) -> str:
    """Version of the schema; 1.0.0 where the file does not tell."""
    return metadata(database).get("SCHEMA_VERSION") or "1.0.0"


def groups(database: Database) -> dict[str, dict[str, Any]]:
    """Communication groups by id text: group_name, group_rank, global_ranks."""
    try:
        found = json.loads(metadata(database).get("parallel_group_info", "{}"))
    except ValueError:
        return {}
    return {key: value for key, value in found.items() if isinstance(value, dict)} if isinstance(found, dict) else {}


def facts(database: Database) -> dict[str, Any]:
    """Identity of the file without reading its timeline.

    Keys: ranks, devices (lists of int, unknown ones left out), rank, device (None when not known or not one), host,
    host_uid, chip, schema_version, session_start_ns, session_end_ns.
    """
    pairs = database.rows("RANK_DEVICE_MAP", "rankId", "deviceId")
    chips = database.rows("NPU_INFO", "id", "name")
    npus = _numbers(row[0] for row in chips)
    ranks = _numbers(row[0] for row in pairs) or npus  # msprof writes -1 for every rank
    named = _RANK_IN_NAME.search(database.file.path.name)
    if not ranks and named:
        ranks = [int(named.group(1))]
    devices = _numbers(row[1] for row in pairs) or npus
    host = database.rows("HOST_INFO", "hostUid", "hostName")
    session = [row for row in database.rows("SESSION_TIME_INFO", "startTimeNs", "endTimeNs") if isinstance(row[0], int)]
    return {
        "ranks": ranks,
        "devices": devices,
        "rank": ranks[0] if len(ranks) == 1 else None,
        "device": devices[0] if len(devices) == 1 else None,
        "host": str(host[0][1] or "") if host else "",
        "host_uid": str(host[0][0] or "") if host else "",
        "chip": next((str(name) for _, name in chips if name), ""),
        "schema_version": schema_version(database),
        "session_start_ns": min((row[0] for row in session), default=None),
        "session_end_ns": max((row[1] for row in session if isinstance(row[1], int)), default=None),
    }


def _numbers(values: Any) -> list[int]:
    """Distinct numbers in order, without -1 and the unsigned "none"."""
    out = []
    for value in values:
        if isinstance(value, str) and value.strip().isdigit():
            value = int(value)
        if isinstance(value, int) and value >= 0 and value != NONE32:
            out.append(value)
    return sorted(set(out))
