"""cluster_analysis.db: groups, times, bandwidths, links, steps."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from insight_desktop.ingest.formats import cluster_text
from insight_desktop.ingest.report import Report

SPEC = "system-summary-communication"
TABLES = {
    "CommunicationGroupMapping": (
        "type, rank_set, group_name, group_id, pg_name",
        [("collective", "(0,2)", "7", "g", "dp"), ("p2p", "(1,3)", "8", "h", "pp")],
    ),
    "ClusterCommunicationTime": (
        "step, rank_id, hccl_op_name, group_name, start_timestamp, elapsed_time, transit_time, wait_time,"
        "synchronization_time, idle_time, synchronization_time_ratio, wait_time_ratio",
        [("step13", 0, "a", "7", 1764246877870190.8, 3, 1, 1.5, 0.5, 0.5, 0, 0),
         ("step13", 0, "Total Op Info", "7", 0, 3, 1, 1.5, 0.5, 0.5, 0.3333, 0.6)],
    ),
    "ClusterCommunicationBandwidth": (
        "step, rank_id, hccl_op_name, group_name, band_type, transit_size, transit_time, bandwidth,"
        "large_packet_ratio, package_size, count, total_duration",
        [("step13", 0, "a", "7", "RDMA", 4, 2, 2, 1, 1, 2, 0.5), ("step13", 0, "a", "7", "RDMA", 4, 2, 2, 1, 2, 1, 1.5),
         ("step13", 0, "a", "7", "SDMA", 4, 2, 2, 0, 0, 0, 0)],
    ),
    "ClusterCommunicationMatrix": (
        "step, hccl_op_name, group_name, src_rank, dst_rank, transport_type, op_name, transit_size, transit_time, bandwidth",
        [("step13", "a-top1", "7", 0.0, 2.0, "HCCS", "a", 4, 2, 2.000012345)],
    ),
    "ClusterStepTraceTime": (
        'step, type, "index", computing, communication_not_overlapped, overlapped, communication, free, stage, bubble,'
        "communication_not_overlapped_and_exclude_receive, preparing, dp_index, pp_index, tp_index",
        [("13", "rank", "0", 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0), ("13", "stage", "(0,2)", *range(1, 10), "NA", "NA", "NA")],
    ),
    "ClusterBaseInfo": ("key, value", [("distributed_args", '{"data_parallel_size": 2}')]),
}  # fmt: skip


@pytest.fixture
def output(tmp_path):
    folder = tmp_path / "cluster_analysis_output"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "cluster_analysis.db")) as db:
        for name, (columns, rows) in TABLES.items():
            db.execute(f"CREATE TABLE {name} ({columns})")
            db.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        db.commit()
    return folder


@pytest.mark.row(SPEC, 7)
def test_database_of_a_finished_analysis_fills_the_same_tables(output):
    found = {name: table.to_pylist() for name, table in cluster_text.read(output, Report()).items()}
    assert [(g["hash"], g["kind"], g["ranks"]) for g in found["cluster_group"]] == [
        ("7", "collective", [0, 2]), ("8", "p2p", [1, 3]),
    ]  # fmt: skip
    assert [tuple(r.values()) for r in found["cluster_time"]] == [
        ("13", 0, 0, "a", 1764246877870190800, 3.0, 1.0, 0.5, 1.5, 0.5),
        ("13", 0, 0, "Total Op Info", None, 3.0, 1.0, 0.5, 1.5, 0.5),
    ]
    assert [(r["transport"], r["size_mb"], r["large_packet_ratio"]) for r in found["cluster_bandwidth"]] == [
        ("RDMA", 4.0, 1.0), ("SDMA", 4.0, 0.0),
    ]  # fmt: skip
    assert [(r["packet_mb"], r["count"], r["duration_ms"]) for r in found["cluster_packet"]] == [
        (1, 2, 0.5),
        (2, 1, 1.5),
    ]
    assert [(r["src"], r["dst"], r["bandwidth_gbs"]) for r in found["cluster_matrix"]] == [(0, 2, 2.000012345)]
    assert [(r["index"], r["rank"], r["preparing_us"], r["dp"], r["pp"]) for r in found["cluster_step"]] == [
        ("0", 0, 9.0, 0, 1), ("(0, 2)", None, 9.0, None, None),
    ]  # fmt: skip
    assert found["cluster_info"] == [{"key": "distributed_args", "value": '{"data_parallel_size":2}'}]
    assert cluster_text.missing(cluster_text.read(output, Report()), [0]) == ""


@pytest.mark.row(SPEC, 7)
def test_missing_table_and_missing_rank_are_named(output):
    tables = cluster_text.read(output, Report())
    assert cluster_text.missing(tables, [0, 5]) == "rank 5"
    with closing(sqlite3.connect(output / "cluster_analysis.db")) as db:
        db.execute("DROP TABLE ClusterCommunicationMatrix")
    assert cluster_text.missing(cluster_text.read(output, Report()), [0]) == "cluster_communication_matrix.json"


def test_base_info_of_one_column_is_read(output):
    with closing(sqlite3.connect(output / "cluster_analysis.db")) as db:
        db.execute("DROP TABLE ClusterBaseInfo")
        db.execute("CREATE TABLE ClusterBaseInfo (distributed_args TEXT)")
        db.execute("INSERT INTO ClusterBaseInfo VALUES ('{\"tp\": 1}')")
        db.commit()
    assert cluster_text.read(output, Report())["cluster_info"].to_pylist()[0]["value"] == '{"tp":1}'
