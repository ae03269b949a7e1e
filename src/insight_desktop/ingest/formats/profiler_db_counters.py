"""Counter tables of a profiler database: which lanes they make, and their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats.profiler_db_ids import Keys, Names, Registry
from insight_desktop.ingest.formats.profiler_db_tables import NONE32, NULL, Database, Ints
from insight_desktop.ingest.report import Report


@dataclass(frozen=True)
class Value:
    """One lane per value column: its title (with the ids of the row filled in), the name of its line, its unit."""

    column: str
    lane: str
    series: str
    unit: str


@dataclass(frozen=True)
class CounterTable:
    """A table whose rows are values in time.

    Attributes:
        table: name in the database.
        group: row of the tree below CPU Metrics or NPU Metrics.
        values: its lanes in order.
        ids: columns that tell lanes apart; `name:s` marks an id of STRING_IDS.
        host: true below CPU Metrics.
    """

    table: str
    group: str
    values: tuple[Value, ...]
    ids: tuple[str, ...] = ()
    host: bool = False


def _bandwidth(column: str, lane: str) -> Value:
    return Value(column, lane, "Bandwidth(Byte/s)", "Byte/s")


def _plain(column: str, unit: str) -> Value:
    return Value(column, column, unit, unit)


_PORT = (
    _bandwidth("bandwidth", "bandwidth"),
    *(
        _plain(f"{way}{what}", unit)
        for way in ("rx", "tx")
        for what, unit in (
            ("PacketRate", "Packet/s"), ("ByteRate", "Byte/s"), ("Packets", "Packet"), ("Bytes", "Byte"),
            ("Errors", "Packet"), ("Dropped", "Packet"),
        )
    ),
    Value("funcId", "funcId", "Port number", ""),
)  # fmt: skip
_NETDEV = tuple(
    _bandwidth(column, column) if column.endswith("Bandwidth") else _plain(column, unit)
    for column, unit in (
        ("roceTxPkt", "Packet"), ("roceRxPkt", "Packet"), ("roceTxErrPkt", "Packet"), ("roceRxErrPkt", "Packet"),
        ("roceTxCnpPkt", "Packet"), ("roceRxCnpPkt", "Packet"), ("roceNewPktRty", "Retry"), ("nicTxByte", "Byte"),
        ("nicTxBandwidth", ""), ("nicRxByte", "Byte"), ("nicRxBandwidth", ""), ("macTxPfcPkt", "Frame"),
        ("macRxPfcPkt", "Frame"), ("macTxByte", "Byte"), ("macTxBandwidth", ""), ("macRxByte", "Byte"),
        ("macRxBandwidth", ""), ("macTxBadByte", "Byte"), ("macRxBadByte", "Byte"),
    )
)  # fmt: skip
_PCIE = tuple(
    _bandwidth(f"{way}{what}{stat}", f"PCIE/{way}{what}{stat}")
    for what in ("Post", "Nonpost", "Cpl")
    for way in ("tx", "rx")
    for stat in ("Min", "Max", "Avg")
) + tuple(
    Value(f"txNonpostLatency{stat}", f"PCIE/txNonpostLatency{stat}", "Time(ns)", "ns") for stat in ("Min", "Max", "Avg")
)
_USAGE = "Usage(%)"

# In the order of the tree: CPU Metrics first, then NPU Metrics.
COUNTER_TABLES: tuple[CounterTable, ...] = (
    CounterTable("CPU_USAGE", "CPU Usage", (Value("usage", "CPU {cpuId}", _USAGE, "%"),), ("cpuId",), host=True),
    CounterTable("CPU_FREQ", "CPU Freq", (Value("freq", "CPU {cpuId}", "Frequency(KHz)", "KHz"),), ("cpuId",), host=True),
    CounterTable("HOST_MEM_USAGE", "Memory Usage", (Value("usage", "Memory Usage", _USAGE, "%"),), host=True),
    CounterTable("HOST_DISK_USAGE", "Disk Usage", (Value("usage", "Disk Usage", _USAGE, "%"),), host=True),
    CounterTable("HOST_NETWORK_USAGE", "Network Usage", (Value("usage", "Network Usage", _USAGE, "%"),), host=True),
    CounterTable("HBM", "HBM", (_bandwidth("bandwidth", "HBM {hbmId} {type}/Bandwidth"),), ("hbmId", "type:s")),
    CounterTable(
        "LLC", "LLC",
        (
            Value("hitRate", "LLC {llcId} {mode}/Hit Rate", "Hit Rate(%)", "%"),
            Value("throughput", "LLC {llcId} {mode}/Throughput", "Throughput(Byte/s)", "Byte/s"),
        ),
        ("llcId", "mode:s"),
    ),
    CounterTable(
        "SAMPLE_PMU_TIMELINE", "SAMPLE PMU TIMELINE",
        (
            Value("freq", "{coreType} Core {coreId}/Freq", "Frequency(Mhz)", "MHz"),
            Value("usage", "{coreType} Core {coreId}/Usage", _USAGE, "%"),
            Value("totalCycle", "{coreType} Core {coreId}/Total Cycle", "Cycle", "cycle"),
        ),
        ("coreType:s", "coreId"),
    ),
    CounterTable("QOS", "QOS", (_bandwidth("bandwidth", "{eventName}/{dieId:Die }Bandwidth"),), ("eventName:s", "dieId")),
    CounterTable("NIC", "NIC", _PORT, ("funcId",)),
    CounterTable("ROCE", "RoCE", _PORT, ("funcId",)),
    CounterTable("NETDEV_STATS", "NetDev Stats", _NETDEV),
    CounterTable("PCIE", "PCIE", _PCIE),
    CounterTable(
        "HCCS", "HCCS",
        (_bandwidth("txThroughput", "HCCS/txThroughput"), _bandwidth("rxThroughput", "HCCS/rxThroughput")),
    ),
    CounterTable(
        "AICORE_FREQ", "AI Core Freq", (Value("freq", "AI Core Freq{dieId: Die }", "Frequency(Mhz)", "MHz"),), ("dieId",)
    ),
    CounterTable(
        "ACC_PMU", "ACC PMU",
        tuple(
            Value(column, f"Accelerator {{accId}}/{column}", "Level", "Level")
            for column in ("readBwLevel", "writeBwLevel", "readOstLevel", "writeOstLevel")
        ),
        ("accId",),
    ),
    CounterTable("DDR", "DDR", (_bandwidth("read", "Read"), _bandwidth("write", "Write"))),
    CounterTable(
        "SOC_BANDWIDTH_LEVEL", "Stars Soc",
        (
            Value("l2BufferBwLevel", "L2 Buffer Bw Level", "Level", "Level"),
            Value("mataBwLevel", "Mata Bw Level", "Level", "Level"),
        ),
    ),
    CounterTable(
        "NPU_MEM", "NPU MEM", (Value("ddr", "{type}/DDR", "Byte", "Byte"), Value("hbm", "{type}/HBM", "Byte", "Byte")), ("type:s",)
    ),
    CounterTable(
        "SIO", "SIO",
        tuple(
            _bandwidth(f"{way}{what}", f"{what.lower()}_{way}/{{name}}")
            for what in ("Dat", "Req", "Rsp", "Snp")
            for way in ("rx", "tx")
        ),
        ("name:s",),
    ),
    CounterTable(
        "UB", "UB",
        (
            Value("rxUdmaBind", "UB Port{portId}", "Rx Bandwidth(Byte/s)", "Byte/s"),
            Value("txUdmaBind", "UB Port{portId}", "Tx Bandwidth(Byte/s)", "Byte/s"),
        ),
        ("portId",),
    ),
)  # fmt: skip


@dataclass
class CounterReader:
    """Reads all counter tables; series get their numbers on the way and are sent by `series_batch` at the end."""

    database: Database
    names: Names
    report: Report
    devices: set[int] = field(default_factory=set)
    series: Registry = field(default_factory=Registry)

    def read(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The `counter` table."""
        for position, table in enumerate(COUNTER_TABLES):
            if not self.database.has(table.table, "timestampNs"):
                continue
            yield from self._read_table(table, position)

    def _read_table(self, table: CounterTable, position: int) -> Iterator[tuple[str, pa.RecordBatch]]:
        columns = tuple(column.removesuffix(":s") for column in table.ids)
        values = [value for value in table.values if self.database.has(table.table, value.column)]
        keys = [self._keys(table, position, number, value) for number, value in enumerate(values)]
        stray = 0
        ints = ("timestampNs", "deviceId", *columns)
        for found in self.database.batches(
            table.table, ints, tuple(f"{v.column}" for v in values if v.column not in columns), times=("timestampNs",)
        ):
            keep = found["timestampNs"] != NULL
            stray += int((~keep).sum())
            device = np.where(found["deviceId"] == NULL, -1, found["deviceId"])[keep]
            if table.host:
                device = np.full(len(device), -1, np.int64)
            self.devices.update(d for d in np.unique(device).tolist() if 0 <= d < NONE32)
            for value, key in zip(values, keys, strict=True):
                series = key.of(device, *(found[column][keep] for column in columns))
                yield (
                    "counter",
                    schema.batch(
                        "counter",
                        series=series,
                        ts_ns=found["timestampNs"][keep],
                        value=_floats(found[value.column][keep]),
                    ),
                )
                self.report.add("counters", len(series))
        if stray:
            self.report.issue(
                "profiler_db.no_time", "warning", f"{self.database.file.path.name}, table {table.table}",
                f"Rows of {table.table} without a time were left out.", count=stray,
            )  # fmt: skip

    def _keys(self, table: CounterTable, position: int, number: int, value: Value) -> Keys:
        def make(device: int, *ids: int) -> int:
            return self.series.number(
                (table.table, value.column, value.series, device, *ids),
                table=table, position=position, value=value, column=number, device=device, ids=ids,
            )  # fmt: skip

        return Keys(make, 1 + len(table.ids))

    def series_batch(self, first_sort: int, many_devices: bool) -> Iterator[tuple[str, pa.RecordBatch]]:
        """The `series` table. Series of one process are ordered by device, ids, then column."""
        rows = self.series.rows
        ports = {t: len({r["ids"] for r in rows if r["table"].table == t}) > 1 for t in ("NIC", "ROCE")}
        order = sorted(
            range(len(rows)), key=lambda i: (rows[i]["position"], rows[i]["device"], rows[i]["ids"], rows[i]["column"])
        )
        rank = {i: n for n, i in enumerate(order)}
        out = []
        for i, row in enumerate(rows):
            table: CounterTable = row["table"]
            value: Value = row["value"]
            suffix = f" (NPU {row['device']})" if many_devices and row["device"] >= 0 else ""
            lane = self._title(table, value.lane, row["ids"])
            if ports.get(table.table):
                lane = f"Port {row['ids'][0]}/{lane}"
            out.append(
                {
                    "pid": table.group + suffix, "process": table.group + suffix,
                    "process_label": "CPU" if table.host else f"NPU {row['device']}" if suffix else "NPU",
                    "process_sort": float(first_sort + row["position"] + (1000 * (1 + row["device"]) if suffix else 0)),
                    "metrics": "CPU Metrics" if table.host else "NPU Metrics", "counter": lane, "series": value.series,
                    "unit": value.unit, "order": rank[i], "device": row["device"] if row["device"] < 2**31 else -1,
                }
            )  # fmt: skip
        if out:
            yield "series", pa.RecordBatch.from_pylist(out, schema=schema.STREAM["series"].schema)

    def _title(self, table: CounterTable, pattern: str, ids: tuple[int, ...]) -> str:
        out = pattern
        for column, value in zip(table.ids, ids, strict=True):
            name = column.removesuffix(":s")
            if column == "dieId":
                known = value not in (NULL, -1)
                out = out.replace("{dieId: Die }", f" Die {value}" if known else "")
                out = out.replace("{dieId:Die }", f"Die {value}/" if known else "")
            elif column == "portId":
                out = out.replace("{portId}", f"{value:03d}" if value >= 0 else "(none)")
            elif column.endswith(":s"):
                out = out.replace(f"{{{name}}}", "(none)" if value == NULL else self.names.label(value))
            else:
                out = out.replace(f"{{{name}}}", "(none)" if value == NULL else str(value))
        return out


def _floats(values: Ints) -> np.ndarray:
    """Values as float64 with NaN where an integer column holds NULL."""
    if values.dtype == np.float64:
        return values
    return np.where(values == NULL, np.nan, values.astype(np.float64))
