"""Every counter table: name, unit, values and order of its lanes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.ingest.formats.profiler_db_maker import T0, Got, make_db

STRINGS = [(1, "read"), (2, "write"), (3, "app"), (4, "AIC"), (5, "CPU_DATA"), (6, "H2D")]
PORT = ["bandwidth"] + [
    f"{way}{what}"
    for way in ("rx", "tx")
    for what in ("PacketRate", "ByteRate", "Packets", "Bytes", "Errors", "Dropped")
]
NETDEV = [
    "macTxPfcPkt",
    "macRxPfcPkt",
    "macTxByte",
    "macTxBandwidth",
    "macRxByte",
    "macRxBandwidth",
    "macTxBadByte",
    "macRxBadByte",
    "roceTxPkt",
    "roceRxPkt",
    "roceTxErrPkt",
    "roceRxErrPkt",
    "roceTxCnpPkt",
    "roceRxCnpPkt",
    "roceNewPktRty",
    "nicTxByte",
    "nicTxBandwidth",
    "nicRxByte",
    "nicRxBandwidth",
]
PCIE = [f"{w}{k}{s}" for w in ("tx", "rx") for k in ("Post", "Nonpost", "Cpl") for s in ("Min", "Max", "Avg")] + [
    f"txNonpostLatency{s}" for s in ("Min", "Max", "Avg")
]


def wide(columns: list[str]) -> tuple[str, tuple[int, ...]]:
    """Columns after deviceId and timestampNs, and a row whose values are 1, 2, 3, ..."""
    return ", ".join(["deviceId", "timestampNs", *columns]), (0, T0, *range(1, len(columns) + 1))


def values(
    path: Path, columns: dict[str, str], **tables: list[tuple[object, ...]]
) -> dict[tuple[str, str, str, str], list[float]]:
    got = Got(make_db(path, columns=columns, STRING_IDS=STRINGS, **tables))  # type: ignore[arg-type]
    return {key: [value for _, value in points] for key, points in got.counters().items()}


@pytest.mark.row("system-timeline", 20)
def test_tables_with_fixed_lanes(tmp_path: Path) -> None:
    columns = {
        "CPU_USAGE": "timestampNs, cpuId, usage", "HOST_MEM_USAGE": "timestampNs, usage",
        "HOST_DISK_USAGE": "timestampNs, readRate, writeRate, usage", "HOST_NETWORK_USAGE": "timestampNs, usage, speed",
        "HBM": "deviceId, timestampNs, bandwidth, hbmId, type", "LLC": "deviceId, llcId, timestampNs, hitRate REAL, throughput, mode",
        "SAMPLE_PMU_TIMELINE": "deviceId, timestampNs, totalCycle, usage, freq, coreId, coreType",
        "QOS": "deviceId, eventName, bandwidth, timestampNs", "HCCS": "deviceId, timestampNs, txThroughput, rxThroughput",
        "AICORE_FREQ": "deviceId, timestampNs, freq",
        "ACC_PMU": "accId, readBwLevel, writeBwLevel, readOstLevel, writeOstLevel, timestampNs, deviceId",
        "DDR": "deviceId, timestampNs, read, write", "SOC_BANDWIDTH_LEVEL": "l2BufferBwLevel, mataBwLevel, timestampNs, deviceId",
        "NPU_MEM": "type, ddr, hbm, timestampNs, deviceId",
    }  # fmt: skip
    found = values(
        tmp_path / "a.db", columns,
        CPU_USAGE=[(T0, 1, 12.5), (T0, 0, 50)], HOST_MEM_USAGE=[(T0, 70)], HOST_DISK_USAGE=[(T0, 1, 2, 3)], HOST_NETWORK_USAGE=[(T0, 4, 100)],
        HBM=[(0, T0, 10, 0, 1), (0, T0, 11, 0, 2)], LLC=[(0, 0, T0, 85.1, 7, 1)], SAMPLE_PMU_TIMELINE=[(0, T0, 900, 50.5, 1800, 3, 4)],
        QOS=[(0, 5, 77, T0)], HCCS=[(0, T0, 8, 9)], AICORE_FREQ=[(0, T0, 1800), (0, T0 - 5, 800)], ACC_PMU=[(2, 1, 2, 3, 4, T0, 0)],
        DDR=[(0, T0, 5, 6)], SOC_BANDWIDTH_LEVEL=[(1, 2, T0, 0)], NPU_MEM=[(3, 100, 200, T0, 0)],
    )  # fmt: skip
    assert list(found.items()) == [
        (("CPU Usage", "CPU 0", "Usage(%)", "%"), [50.0]),
        (("CPU Usage", "CPU 1", "Usage(%)", "%"), [12.5]),
        (("Memory Usage", "Memory Usage", "Usage(%)", "%"), [70.0]),
        (("Disk Usage", "Disk Usage", "Usage(%)", "%"), [3.0]),
        (("Network Usage", "Network Usage", "Usage(%)", "%"), [4.0]),
        (("HBM", "HBM 0 read/Bandwidth", "Bandwidth(Byte/s)", "Byte/s"), [10.0]),
        (("HBM", "HBM 0 write/Bandwidth", "Bandwidth(Byte/s)", "Byte/s"), [11.0]),
        (("LLC", "LLC 0 read/Hit Rate", "Hit Rate(%)", "%"), [85.1]),
        (("LLC", "LLC 0 read/Throughput", "Throughput(Byte/s)", "Byte/s"), [7.0]),
        (("SAMPLE PMU TIMELINE", "AIC Core 3/Freq", "Frequency(Mhz)", "MHz"), [1800.0]),
        (("SAMPLE PMU TIMELINE", "AIC Core 3/Usage", "Usage(%)", "%"), [50.5]),
        (("SAMPLE PMU TIMELINE", "AIC Core 3/Total Cycle", "Cycle", "cycle"), [900.0]),
        (("QOS", "CPU_DATA/Bandwidth", "Bandwidth(Byte/s)", "Byte/s"), [77.0]),
        (("HCCS", "HCCS/txThroughput", "Bandwidth(Byte/s)", "Byte/s"), [8.0]),
        (("HCCS", "HCCS/rxThroughput", "Bandwidth(Byte/s)", "Byte/s"), [9.0]),
        (("AI Core Freq", "AI Core Freq", "Frequency(Mhz)", "MHz"), [1800.0, 800.0]),
        (("ACC PMU", "Accelerator 2/readBwLevel", "Level", "Level"), [1.0]),
        (("ACC PMU", "Accelerator 2/writeBwLevel", "Level", "Level"), [2.0]),
        (("ACC PMU", "Accelerator 2/readOstLevel", "Level", "Level"), [3.0]),
        (("ACC PMU", "Accelerator 2/writeOstLevel", "Level", "Level"), [4.0]),
        (("DDR", "Read", "Bandwidth(Byte/s)", "Byte/s"), [5.0]),
        (("DDR", "Write", "Bandwidth(Byte/s)", "Byte/s"), [6.0]),
        (("Stars Soc", "L2 Buffer Bw Level", "Level", "Level"), [1.0]),
        (("Stars Soc", "Mata Bw Level", "Level", "Level"), [2.0]),
        (("NPU MEM", "app/DDR", "Byte", "Byte"), [100.0]),
        (("NPU MEM", "app/HBM", "Byte", "Byte"), [200.0]),
    ]


@pytest.mark.row("system-timeline", 20)
def test_network_and_bus_tables_have_a_lane_per_column(tmp_path: Path) -> None:
    names, row = wide([*PORT, "funcId"])
    netdev, netdev_row = wide(NETDEV)
    pcie, pcie_row = wide(PCIE)
    found = values(
        tmp_path / "a.db", {"NIC": names, "ROCE": names, "NETDEV_STATS": netdev, "PCIE": pcie},
        NIC=[row], ROCE=[row], NETDEV_STATS=[netdev_row], PCIE=[pcie_row],
    )  # fmt: skip
    by_group: dict[str, dict[str, list[float]]] = {}
    for (group, lane, _, _), points in found.items():
        by_group.setdefault(group, {})[lane] = points
    assert {group: len(lanes) for group, lanes in by_group.items()} == {
        "NIC": 14,
        "RoCE": 14,
        "NetDev Stats": 19,
        "PCIE": 21,
    }
    assert by_group["NIC"] == {name: [float(n)] for n, name in enumerate([*PORT, "funcId"], 1)}
    assert by_group["NetDev Stats"] == {name: [float(n)] for n, name in enumerate(NETDEV, 1)}
    assert by_group["PCIE"] == {f"PCIE/{name}": [float(n)] for n, name in enumerate(PCIE, 1)}
    assert found["NIC", "rxErrors", "Packet", "Packet"] == [6.0]
    assert found["PCIE", "PCIE/txNonpostLatencyAvg", "Time(ns)", "ns"] == [21.0]


def test_ports_are_told_apart_when_there_are_several(tmp_path: Path) -> None:
    found = values(
        tmp_path / "a.db", {"NIC": "deviceId, timestampNs, bandwidth, funcId"}, NIC=[(0, T0, 1, 0), (0, T0, 2, 1)]
    )
    assert [key[1] for key in found] == ["Port 0/bandwidth", "Port 0/funcId", "Port 1/bandwidth", "Port 1/funcId"]


def test_dies_have_lanes_of_their_own(tmp_path: Path) -> None:
    found = values(
        tmp_path / "a.db", {"AICORE_FREQ": "deviceId, timestampNs, freq, dieId", "QOS": "deviceId, eventName, bandwidth, timestampNs, dieId"},
        AICORE_FREQ=[(0, T0, 1, 0), (0, T0, 2, 1), (0, T0, 3, None)], QOS=[(0, 5, 4, T0, 1)],
    )  # fmt: skip
    assert {key[1]: points for key, points in found.items()} == {
        "CPU_DATA/Die 1/Bandwidth": [4.0], "AI Core Freq": [3.0], "AI Core Freq Die 0": [1.0], "AI Core Freq Die 1": [2.0],
    }  # fmt: skip


def test_newer_tables_are_drawn_too(tmp_path: Path) -> None:
    found = values(
        tmp_path / "a.db", {"SIO": "deviceId, name, timestampNs, rxReq, txDat", "UB": "deviceId, portId, timestampNs, rxUdmaBind, txUdmaBind"},
        SIO=[(0, 6, T0, 1, 2)], UB=[(0, 5, T0, 3, 4)],
    )  # fmt: skip
    assert {key[1:3]: points for key, points in found.items()} == {
        ("dat_tx/H2D", "Bandwidth(Byte/s)"): [2.0], ("req_rx/H2D", "Bandwidth(Byte/s)"): [1.0],
        ("UB Port005", "Rx Bandwidth(Byte/s)"): [3.0], ("UB Port005", "Tx Bandwidth(Byte/s)"): [4.0],
    }  # fmt: skip


def test_missing_values_are_gaps_and_missing_times_are_counted(tmp_path: Path) -> None:
    got = Got(
        make_db(
            tmp_path / "a.db", columns={"DDR": "deviceId INTEGER, timestampNs INTEGER, read NUMERIC"},
            DDR=[(0, T0, None), (0, T0 + 1, "N/A"), (0, T0 + 2, "7.5"), (0, None, 1), (0, "abc", 1)],
        )
    )  # fmt: skip
    points = got.counters()["DDR", "Read", "Bandwidth(Byte/s)", "Byte/s"]
    assert [t - T0 for t, _ in points] == [0, 1, 2]
    assert [math.isnan(v) for _, v in points] == [True, True, False]
    assert points[2][1] == 7.5
    assert sorted(got.codes) == ["profiler_db.no_time", "profiler_db.not_a_number"]


def test_counters_of_several_devices_are_told_apart(tmp_path: Path) -> None:
    found = values(tmp_path / "a.db", {"DDR": "deviceId, timestampNs, read"}, DDR=[(3, T0, 1), (1, T0, 2)])
    assert [(key[0], points) for key, points in found.items()] == [("DDR (NPU 1)", [2.0]), ("DDR (NPU 3)", [1.0])]


def test_infinite_values_are_gaps(tmp_path: Path) -> None:
    found = values(
        tmp_path / "a.db", {"AICORE_FREQ": "deviceId, timestampNs, freq REAL"},
        AICORE_FREQ=[(0, T0, 1800.0), (0, T0 + 5, math.inf), (0, T0 + 9, -math.inf)],
    )  # fmt: skip
    (points,) = found.values()
    assert points[0] == 1800.0
    assert [math.isnan(value) for value in points] == [False, True, True]
