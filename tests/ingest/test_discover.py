from __future__ import annotations

import gzip
import json
import os
import pickle
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.cluster_files import write_rank

from insight_desktop.errors import BadArgument, BadFile, NoData
from insight_desktop.ingest import discover_cards
from insight_desktop.ingest.discover import discover
from insight_desktop.ingest.sources import Card, Discovery

TRACE = b'[{"ph": "X", "name": "op", "ts": "1761000000000000.000", "dur": 10, "pid": 3, "tid": 4}]'
OUTPUT = "ASCEND_PROFILER_OUTPUT"
KERNELS = "Step Id,Device_id,Name,Start Time(us),Duration(us)\n1,6,add,1761000000000000.000,2\n"


def put(path: Path, content: bytes | str = TRACE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rank(folder: Path, number: int | None = None, info: str = "{}") -> Path:
    """A text card: profiler_info and a trace."""
    put(folder / OUTPUT / "trace_view.json")
    if number is not None:
        put(folder / f"profiler_info_{number}.json", info)
    return folder


def database(
    path: Path, *, rows: int = 1, rank_id: int = -1, device: int = 0, host: str = "", session: int = 100
) -> Path:
    """A profiler database with as many tasks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE STRING_IDS (id INTEGER, value TEXT)")
    db.execute("CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER)")
    db.executemany("INSERT INTO TASK VALUES (?, ?, ?)", [(i, i + 1, device) for i in range(rows)])
    db.execute("CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER)")
    db.execute("INSERT INTO RANK_DEVICE_MAP VALUES (?, ?)", (rank_id, device))
    if host:
        db.execute("CREATE TABLE HOST_INFO (hostUid TEXT, hostName TEXT)")
        db.execute("INSERT INTO HOST_INFO VALUES ('77', ?)", (host,))
        db.execute("CREATE TABLE SESSION_TIME_INFO (startTimeNs INTEGER, endTimeNs INTEGER)")
        db.execute("INSERT INTO SESSION_TIME_INFO VALUES (?, ?)", (session, session + 10))
    db.commit()
    db.close()
    return path


def names(found: Discovery) -> list[str]:
    return [card.name for card in found.cards]


def only(found: Discovery) -> Card:
    assert len(found.cards) == 1
    return found.cards[0]


def codes(found: Discovery) -> list[str]:
    return [issue.code for issue in found.issues]


def reasons(found: Discovery) -> dict[str, str]:
    return {one.path.name: one.reason for one in found.ignored}


# ---- kinds


@pytest.mark.row("system-timeline", 5)
def test_database_with_rows_comes_before_text_and_text_stays_on_offer(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r5_ascend_pt", 5)
    database(folder / OUTPUT / "ascend_pytorch_profiler_5.db")
    card = only(discover([tmp_path]))
    assert card.kinds == ("db", "text")
    assert [source.format for source in card.sources] == ["profiler_db", "trace_json"]
    assert card.source().files == (folder / OUTPUT / "ascend_pytorch_profiler_5.db",)
    assert card.source("text").files == (folder / OUTPUT / "trace_view.json",)


@pytest.mark.row("system-timeline", 5)
def test_text_comes_first_when_the_database_has_no_rows(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r5_ascend_pt", 5)
    database(folder / OUTPUT / "ascend_pytorch_profiler_5.db", rows=0)
    found = discover([tmp_path])
    assert only(found).kinds == ("text", "db")
    assert codes(found) == ["discover.empty_db"]


def test_an_empty_database_beside_small_files_alone_is_told(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r5_ascend_pt", 5)
    database(folder / OUTPUT / "ascend_pytorch_profiler_5.db", rows=0)
    (folder / OUTPUT / "trace_view.json").unlink()
    (folder / OUTPUT / "step_trace_time.csv").write_text("Step,Computing\n1,2.5\n")
    found = discover([tmp_path])
    assert [source.format for source in only(found).sources] == ["rank_text", "profiler_db"]
    assert codes(found) == ["discover.empty_db"]
    assert found.issues[0].fix == "Collect or export the data again; pages of the files beside it work."


def test_empty_msprof_database_does_not_hide_the_text(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    put(folder / "PROF_000001_1_Z" / "msprof_1.db", b"")
    card = only(discover([tmp_path]))
    assert (card.name, card.kinds) == ("0", ("text",))


def test_msprof_database_beside_framework_text_is_the_second_choice(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    database(folder / "PROF_000001_1_Z" / "msprof_20250101000000.db")
    assert only(discover([tmp_path])).kinds == ("text", "db")


def test_rows_that_live_in_a_wal_count_as_rows(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    path = database(folder / OUTPUT / "ascend_pytorch_profiler_0.db", rows=0)
    put(path.with_name(path.name + "-wal"), b"7" * 32)
    put(path.with_name(path.name + "-shm"), b"7" * 32)
    found = discover([tmp_path])
    assert only(found).kinds == ("db", "text")
    assert reasons(found) == {}


def test_csv_without_trace_is_still_a_card(real: Callable[[str], Path]) -> None:
    found = discover([real("cluster_4rank")])
    assert names(found) == ["0", "1", "2", "3"]
    card = found.cards[2]
    assert [(s.kind, s.format) for s in card.sources] == [("text", "rank_text")]
    assert (card.rank, card.device, card.device_from) == ("2", 4, "kernel_details.csv")
    assert (found.cards[3].device, found.cards[3].device_from) == (5, "step_trace_time.csv")
    assert {role for role, _ in card.source().extras} == {
        *("profiler_info", "profiler_metadata", "analysis_db", "api_statistic", "communication_json"),
        *("communication_matrix", "kernel_csv", "memory_record", "npu_module_mem", "op_statistic"),
        *("operator_memory", "step_trace_time"),
    }


def test_text_folder_with_all_side_files(real: Callable[[str], Path]) -> None:
    card = only(discover([real("text_level2")]))
    source = card.source()
    assert (card.name, card.rank, card.device, card.device_from) == ("0", "0", 0, "operator_memory.csv")
    assert source.files == (real("text_level2/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"),)
    assert sorted(role for role, _ in source.extras) == [
        *("api_statistic", "communication_json", "communication_matrix", "kernel_csv", "l2_cache", "memory_record"),
        *("npu_module_mem", "op_statistic", "operator_details", "operator_memory", "profiler_info"),
        *("profiler_metadata", "step_trace_time"),
    ]


def test_database_tells_rank_device_and_host(real: Callable[[str], Path]) -> None:
    found = discover([real("db_level1")])
    facts = [(c.name, c.rank, c.device, c.device_from, c.host, c.kinds) for c in found.cards]
    assert facts == [
        ("0", "0", 0, "ascend_pytorch_profiler_0.db", "ubuntu", ("db",)),
        ("1", "1", 1, "ascend_pytorch_profiler_1.db", "ubuntu", ("db",)),
    ]
    assert found.cards[0].source().extra("analysis_db") is not None


def test_mindspore_database_below_a_rank_folder(tmp_path: Path) -> None:
    for n in (10, 2):
        folder = tmp_path / "profile" / f"rank_{n}" / "host_1_2025_ascend_ms"
        database(folder / OUTPUT / f"ascend_mindspore_profiler_{n}.db", device=n % 8)
    found = discover([tmp_path])
    assert [(c.name, c.cluster, c.device) for c in found.cards] == [("2", "", 2), ("10", "", 2)]


def test_rank_folder_tells_the_rank_when_nothing_else_does(tmp_path: Path) -> None:
    rank(tmp_path / "rank_7" / "host_1_2025_ascend_ms")
    assert (only(discover([tmp_path])).rank, names(discover([tmp_path]))) == ("7", ["7"])


def test_several_databases_in_one_output_folder_are_several_cards(tmp_path: Path) -> None:
    for n in (1, 0):
        database(tmp_path / "all_ascend_pt" / OUTPUT / f"ascend_pytorch_profiler_{n}.db", rank_id=n, device=n)
    assert [(c.name, c.rank, c.device) for c in discover([tmp_path]).cards] == [("0", "0", 0), ("1", "1", 1)]


def test_frameworks_may_be_mixed(tmp_path: Path) -> None:
    rank(tmp_path / "a_ascend_pt", 0)
    database(tmp_path / "b_ascend_ms" / OUTPUT / "ascend_mindspore_profiler_1.db", rank_id=1)
    put(tmp_path / "PROF_000001_2_AB" / "mindstudio_profiler_output" / "msprof_20250101000000.json")
    found = discover([tmp_path])
    assert [(c.name, c.kinds) for c in found.cards] == [
        ("0", ("text",)),
        ("1", ("db",)),
        ("PROF_000001_2_AB", ("text",)),
    ]


# ---- msprof


def test_each_prof_folder_is_a_card(tmp_path: Path) -> None:
    for n in (2, 10):
        prof = tmp_path / f"PROF_00000{n}_2025_X"
        put(prof / "mindstudio_profiler_output" / "msprof_20250101000000.json")
        put(prof / "mindstudio_profiler_output" / "op_summary_20250101000000.csv", KERNELS)
        put(prof / "device_6" / "data" / "raw.slice_0", b"raw")
        put(prof / "analyze" / "communication.json", "{}")
    found = discover([tmp_path])
    assert names(found) == ["PROF_000002_2025_X", "PROF_0000010_2025_X"]
    assert found.cards[0].device == 6
    assert [role for role, _ in found.cards[0].source().extras] == ["kernel_csv", "communication_json"]


def test_newest_export_wins_and_its_slices_keep_their_order(tmp_path: Path) -> None:
    output = tmp_path / "PROF_1_2_X" / "mindstudio_profiler_output"
    for name in (
        "msprof_slice_0_20250101000000.json",
        "msprof_slice_1_20250101000001.json",
        "msprof_slice_0_20250102000004.json",
        "msprof_slice_1_20250102000004.json",
        "msprof_slice_10_20250102000005.json",
        "msprof_slice_2_20250102000005.json",
    ):
        put(output / name)
    found = discover([tmp_path])
    assert [f.name for f in only(found).source().files] == [
        "msprof_slice_0_20250102000004.json",
        "msprof_slice_1_20250102000004.json",
        "msprof_slice_2_20250102000005.json",
        "msprof_slice_10_20250102000005.json",
    ]
    assert set(reasons(found)) == {"msprof_slice_0_20250101000000.json", "msprof_slice_1_20250101000001.json"}


def test_old_exporter_leaves_the_first_piece_unnumbered(tmp_path: Path) -> None:
    output = tmp_path / "PROF_1_2_X" / "mindstudio_profiler_output"
    for name in ("msprof_20250101000304.json", "msprof_slice_1_20250101000305.json", "msprof_20240101000000.json"):
        put(output / name)
    files = only(discover([output])).source().files
    assert [f.name for f in files] == ["msprof_20250101000304.json", "msprof_slice_1_20250101000305.json"]


def test_framework_folder_without_trace_takes_all_its_prof_folders(tmp_path: Path) -> None:
    unit = tmp_path / "h_1_2025_ascend_pt"
    put(unit / "profiler_info_3.json", "{}")
    put(unit / OUTPUT / "kernel_details.csv", KERNELS)
    for n in (1, 2):
        put(unit / f"PROF_00000{n}_2025_X" / "mindstudio_profiler_output" / f"msprof_2025010100000{n}.json")
    card = only(discover([tmp_path]))
    assert card.name == "3"
    assert [f.parent.parent.name for f in card.source().files] == ["PROF_000001_2025_X", "PROF_000002_2025_X"]


# ---- names and order


@pytest.mark.row("system-timeline", 6)
def test_ranks_are_ordered_by_number(tmp_path: Path) -> None:
    for n in (11, 3, 0, 10, 2, 1, 9, 4, 8, 5, 7, 6):
        rank(tmp_path / f"worker{n}_ascend_pt", n)
    assert names(discover([tmp_path])) == ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]


def test_rank_that_comes_twice_gets_a_suffix(tmp_path: Path) -> None:
    for folder in ("a_ascend_pt", "b_ascend_pt", "c_ascend_pt"):
        rank(tmp_path / folder, 4)
    found = discover([tmp_path])
    assert [(c.name, c.folder.name) for c in found.cards] == [
        ("4", "a_ascend_pt"),
        ("4_2", "b_ascend_pt"),
        ("4_3", "c_ascend_pt"),
    ]


def test_clusters_prefix_the_rank(tmp_path: Path) -> None:
    for role in ("rollout", "actor"):
        for n in (1, 0):
            rank(tmp_path / role / f"{n}_ascend_pt", n)
    found = discover([tmp_path])
    assert names(found) == ["actor_0", "actor_1", "rollout_0", "rollout_1"]
    assert [card.cluster for card in found.cards] == ["actor", "actor", "rollout", "rollout"]


def test_one_cluster_level_alone_is_not_shown(tmp_path: Path) -> None:
    rank(tmp_path / "dynamic" / "20250101" / "0_ascend_pt", 0)
    assert [(c.name, c.cluster) for c in discover([tmp_path]).cards] == [("0", "")]


def test_folder_beside_ranks_is_a_cluster_when_a_rank_comes_twice(tmp_path: Path) -> None:
    rank(tmp_path / "0_ascend_pt", 0)
    rank(tmp_path / "backup" / "1_ascend_pt", 1)
    assert names(discover([tmp_path])) == ["0", "1"]
    rank(tmp_path / "backup" / "0_ascend_pt", 0)
    assert names(discover([tmp_path])) == ["0", "backup_0", "backup_1"]


def test_hosts_tell_equal_ranks_apart(tmp_path: Path) -> None:
    for host in ("node-b", "node-a"):
        database(tmp_path / f"{host}_ascend_pt" / OUTPUT / "ascend_pytorch_profiler_0.db", rank_id=0, host=host)
    assert [(c.name, c.host) for c in discover([tmp_path]).cards] == [("node-a_0", "node-a"), ("node-b_0", "node-b")]


def test_one_host_at_two_times_is_two_hosts(tmp_path: Path) -> None:
    for n, start in enumerate((100, 5000)):
        database(
            tmp_path / f"{n}_ascend_pt" / OUTPUT / f"ascend_pytorch_profiler_{n}.db", rank_id=n, host="n", session=start
        )
    assert [(c.name, c.host) for c in discover([tmp_path]).cards] == [("0", "n_1"), ("1", "n_2")]


@pytest.mark.parametrize(
    ("info", "expected"), [('{"rank_id": 3}', "3"), ('{"rank_id": "12"}', "12"), ('{"rank_id": -1}', "job_ascend_pt")]
)
def test_rank_id_inside_profiler_info_is_the_fallback(tmp_path: Path, info: str, expected: str) -> None:
    put(rank(tmp_path / "job_ascend_pt") / "profiler_info.json", info)
    assert names(discover([tmp_path])) == [expected]


def test_card_without_rank_is_titled_by_its_folder(tmp_path: Path) -> None:
    rank(tmp_path / "only_ascend_pt")
    card = only(discover([tmp_path]))
    assert (card.name, card.rank, card.device, card.device_from) == ("only_ascend_pt", None, None, "")


def test_kernels_tell_the_device_before_memory_does(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r_ascend_pt", 1)
    put(folder / OUTPUT / "operator_memory.csv", "Name,Size(KB),Allocation Time(us),Device Type\na,1,2,NPU:0\n")
    card = only(discover([tmp_path]))
    assert (card.device, card.device_from) == (0, "operator_memory.csv")
    put(folder / OUTPUT / "kernel_details.csv", KERNELS)
    card = only(discover([tmp_path]))
    assert (card.device, card.device_from) == (6, "kernel_details.csv")


@pytest.mark.parametrize(
    "name", ["a b", "new\nline", "quo'te\"s", "100%20 $;|&", "名字", "-rf", "tab\there", "x" * 200, "[glob]*?"]
)
def test_odd_folder_names_open(tmp_path: Path, name: str) -> None:
    rank(tmp_path / name / "inner_ascend_pt", 2)
    found = discover([tmp_path / name])
    assert names(found) == ["2"]
    assert found.name.isprintable()
    assert names(discover([str(tmp_path / name)])) == ["2"]


def test_names_that_are_not_utf8_open_and_can_be_shown(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff\xfe_ascend_pt"))
    rank(folder)
    found = discover([tmp_path])
    assert names(found) == ["r\\xff\\xfe_ascend_pt"]
    assert only(found).source().files[0].read_bytes() == TRACE
    json.dumps([names(found), found.name]).encode()


# ---- paths as people write them


def test_paths_as_people_write_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = rank(tmp_path / "my data_ascend_pt", 1)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    written = [
        "my data_ascend_pt",
        "./my data_ascend_pt/",
        "~/my data_ascend_pt",
        f'"{folder}"',
        f"'{folder}' ",
        f"  {folder}\n",
        f"file://{folder}".replace(" ", "%20"),
        f"file://localhost{folder}".replace(" ", "%20"),
        f'"file://{folder}"',
        f"{folder}/../my data_ascend_pt",
    ]
    assert [discover([text]).paths for text in written] == [(folder,)] * len(written)


def test_folder_whose_name_has_quotes_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rank(tmp_path / "'r_ascend_pt'", 1)
    monkeypatch.chdir(tmp_path)
    assert discover(["'r_ascend_pt'"]).paths == (tmp_path / "'r_ascend_pt'",)


def test_missing_path_names_the_nearest_folder(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        discover([tmp_path / "no" / "such"])
    assert caught.value.message == f"{tmp_path}/no/such does not exist."
    assert f"The nearest folder that exists is {tmp_path}." in caught.value.fix


@pytest.mark.parametrize("given", [[], [""], ["  "], ["a\0b"]])
def test_no_path_is_refused(given: list[str]) -> None:
    with pytest.raises(BadArgument):
        discover(given)


def test_name_longer_than_the_system_allows_is_refused() -> None:
    with pytest.raises(BadFile, match="longer than"):
        discover(["/tmp/" + "x" * 5000])


# ---- several paths


def test_paths_that_overlap_give_each_card_once(tmp_path: Path) -> None:
    one, two = rank(tmp_path / "0_ascend_pt", 0), rank(tmp_path / "1_ascend_pt", 1)
    lone = one / OUTPUT / "trace_view.json"
    for given in ([lone, tmp_path], [tmp_path, lone], [two, tmp_path, one], [tmp_path, tmp_path]):
        assert names(discover(given)) == ["0", "1"]


def test_files_of_any_name_open_together(tmp_path: Path) -> None:
    files = [
        put(tmp_path / "b.trace", TRACE),
        put(tmp_path / "a", TRACE),
        put(tmp_path / "c.json.gz", gzip.compress(TRACE)),
    ]
    found = discover(files)
    assert [(c.name, c.source().format) for c in found.cards] == [
        ("a", "trace_json"),
        ("b", "trace_json"),
        ("c", "trace_json"),
    ]
    assert found.name == "b.trace"
    assert discover(files, name="mine").name == "mine"


def test_two_traces_in_one_folder_are_two_cards(tmp_path: Path) -> None:
    put(tmp_path / "one.json")
    put(tmp_path / "two.json")
    assert names(discover([tmp_path])) == ["one", "two"]


def test_unusable_file_beside_good_ones_is_left_out_with_its_reason(tmp_path: Path) -> None:
    found = discover([put(tmp_path / "a.json"), put(tmp_path / "b.json", b"")])
    assert names(found) == ["a"]
    assert codes(found) == ["discover.unusable"]
    assert "empty" in reasons(found)["b.json"]


# ---- single files by content


def test_kineto_trace_tells_its_rank(real: Callable[[str], Path]) -> None:
    path = real("gpu/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz")
    card = only(discover([path]))
    assert (card.name, card.source().files, card.folder) == ("0", (path,), path)


def test_lone_database_of_any_name_opens(tmp_path: Path) -> None:
    card = only(discover([database(tmp_path / "copy of run", rank_id=5, device=3)]))
    assert (card.name, card.kinds, card.device, card.source().format) == ("5", ("db",), 3, "profiler_db")


def test_lone_file_of_an_output_folder_takes_the_rank_from_above(tmp_path: Path) -> None:
    folder = rank(tmp_path / "x_ascend_pt", 8)
    card = only(discover([folder / OUTPUT / "trace_view.json"]))
    assert (card.name, card.source().extra("profiler_info")) == ("8", folder / "profiler_info_8.json")
    assert only(discover([folder / OUTPUT])).name == "8"


def test_lone_csv_is_a_card_without_timeline(tmp_path: Path) -> None:
    card = only(discover([put(tmp_path / "kernels of today.csv", KERNELS)]))
    assert (card.source().format, card.source().extra("kernel_csv")) == ("rank_text", card.folder)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "LFS"),
        (b"PK\x03\x04rest", "zip"),
        (b"\x89PNG\r\n", "picture"),
        (b"\0\1\2\3" * 40, "binary"),
        (b"hello", "text that is no profile"),
    ],
)
def test_unknown_content_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        discover([put(tmp_path / "thing", content)])


def test_foreign_database_is_named_by_its_tables(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "x.db")
    db.execute("CREATE TABLE bookmarks (a)")
    db.close()
    with pytest.raises(BadFile, match="bookmarks"):
        discover([tmp_path / "x.db"])


def test_trace_that_is_called_bin_opens_as_trace(tmp_path: Path) -> None:
    text = b'{"profilingType": "op", "traceEvents": [{"ph": "X", "name": "MOV", "ts": 0.01, "dur": 1, "pid": 1, "tid": 2}]}'
    assert only(discover([put(tmp_path / "visualize_data.bin", text)])).source().format == "operator_trace"
    assert only(discover([tmp_path])).source().format == "operator_trace"


def test_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trace.json")
    with pytest.raises(BadFile, match="pipe"):
        discover([tmp_path / "trace.json"])
    with socket.socket(socket.AF_UNIX) as server:
        rank(tmp_path / "0_ascend_pt", 0)
        os.chdir(tmp_path)
        server.bind("s.db")
        found = discover([tmp_path])
    assert names(found) == ["0"]
    assert set(reasons(found)) == {"trace.json", "s.db"}


# ---- project files


def test_service_folders(real: Callable[[str], Path]) -> None:
    found = discover([real("service")])
    assert [(c.name, c.kinds) for c in found.cards] == [
        (f"{name}_0", ("service_db", "service")) for name in ("g1", "g2", "mindie_new", "sgl", "vllm")
    ]
    roles = [role for role, _ in found.extras]
    assert (roles.count("service_db"), roles.count("service_raw_db")) == (5, 9)
    assert found.cards[0].source().files == (real("service/g1/profiler.db"),)
    assert found.cards[0].source("service").extra("service_db") == real("service/g1/profiler.db")


@pytest.mark.parametrize(
    ("name", "roles", "area"),
    [
        ("memscope_synthetic", {"memscope_db"}, "memory"),
        ("memscope_csv", {"memscope_csv"}, "memory"),
        ("snapshot", {"snapshot"}, "memory"),
        ("aclgraph_debug", {"aclgraph"}, "system"),
        ("upstream_unit/test_bin_mix", {"operator_bin"}, "operator"),
        ("upstream_unit/expert_hotspot", {"expert_csv", "expert_config"}, None),
        ("upstream_unit/rl", {"rl_config"}, None),
    ],
)
def test_project_files_of_one_area_are_cards_of_it(
    real: Callable[[str], Path], name: str, roles: set[str], area: str | None
) -> None:
    found = discover([real(name)])
    assert {role for role, _ in found.extras} == roles
    assert {card.area for card in found.cards} == ({area} if area else set())


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("add", "matmul"):
        put(tmp_path / "ops" / folder / "visualize_data.bin", b"\0" * 10 + b"ZZ")
    put(tmp_path / "ops" / "step3.pickle", pickle.dumps({"segments": [], "device_traces": []}))
    found = discover([tmp_path])
    assert [(card.name, card.kinds, card.area) for card in found.cards] == [
        ("add", ("operator",), "operator"),
        ("matmul", ("operator",), "operator"),
        ("step3", ("snapshot",), "memory"),
    ]


def test_dumps_of_devices_are_named_by_them(tmp_path: Path) -> None:
    for device in ("0", "1", "cpu"):
        folder = tmp_path / "memscopeDumpResults" / "msmemscope_7_1_ascend" / f"device_{device}" / "dump"
        folder.mkdir(parents=True)
        database(folder / "memscope_dump_1.db")
    assert [card.name for card in discover([tmp_path]).cards] == [
        "device_0 memscope_dump_1",
        "device_1 memscope_dump_1",
        "device_cpu memscope_dump_1",
    ]


def test_a_comparison_belongs_to_the_dumps_of_its_folder_or_beside_the_folder_compare(tmp_path: Path) -> None:
    results = tmp_path / "memscopeDumpResults"
    for folder in (results / "msmemscope_7_1_ascend" / "device_0" / "dump", tmp_path / "other"):
        folder.mkdir(parents=True)
        database(folder / "memscope_dump_1.db")
    for folder in (results / "compare", tmp_path / "other"):
        put(folder / "memory_compare_1.csv", b",,,Base,Compare\n")
    extras = {
        c.name: [path.relative_to(tmp_path).as_posix() for _, path in c.sources[0].extras]
        for c in discover([tmp_path]).cards
    }
    assert extras == {
        "device_0 memscope_dump_1": ["memscopeDumpResults/compare/memory_compare_1.csv"],
        "memscope_dump_1": ["other/memory_compare_1.csv"],
    }
    (alone,) = discover([tmp_path / "other" / "memscope_dump_1.db"]).cards
    assert [path.name for _, path in alone.sources[0].extras] == ["memory_compare_1.csv"]


def test_cluster_output_alone_opens(real: Callable[[str], Path]) -> None:
    folder = real("upstream_unit/cluster_analysis_output")
    found = discover([folder])
    assert ("cluster_analysis_output", folder) in found.extras
    assert ("cluster_communication", folder / "cluster_communication.json") in found.extras
    assert found.cards == []


def test_monitor_and_ftrace_databases(tmp_path: Path) -> None:
    database(tmp_path / "msmonitor_12_20250101_-1.db")
    database(tmp_path / "msmonitor_13_20250101_4.db")
    database(tmp_path / "ftrace_data1.db")
    found = discover([tmp_path])
    assert names(found) == ["4", "ftrace_data1", "msmonitor_12_20250101_-1"]
    assert [card.kinds for card in found.cards] == [("db",), ("ftrace",), ("db",)]
    assert found.extras == [("ftrace_db", tmp_path / "ftrace_data1.db")]


def test_an_ftrace_file_of_any_name_is_told_by_its_tables_or_its_first_slice(tmp_path: Path) -> None:
    from tests.support.ftrace_files import write_db, write_json

    found = discover([write_db(tmp_path / "switches.db"), write_json(tmp_path / "sched.json")])
    assert [(card.name, card.kinds, card.sources[0].format) for card in found.cards] == [
        ("sched", ("ftrace",), "trace_json"),
        ("switches", ("ftrace",), "ftrace_db"),
    ]
    put(
        tmp_path / "late.json",
        b'[{"ph":"X","pid":1,"ts":1,"dur":1,"name":"a"},{"ph":"X","pid":"CPU Scheduling","ts":1}]',
    )
    assert discover([tmp_path / "late.json"]).cards[0].kinds == ("text",)


def test_pickles_that_are_no_snapshots_are_left_out_of_folders(tmp_path: Path) -> None:
    put(tmp_path / "r0.json")
    put(tmp_path / "weights.pkl", pickle.dumps({"layer": [1.0]}))
    put(tmp_path / "mem.pickle", pickle.dumps({"segments": [], "device_traces": []}))
    put(tmp_path / "mem0.pkl.gz", gzip.compress(pickle.dumps({"segments": [], "device_traces": []}, 0)))
    found = discover([tmp_path])
    assert [(r, p.name) for r, p in found.extras] == [("snapshot", "mem0.pkl.gz"), ("snapshot", "mem.pickle")]
    assert reasons(found) == {"weights.pkl": "a pickle that is no memory snapshot"}


# ---- what is left out


def test_empty_text_is_no_choice_beside_a_good_database(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    put(folder / OUTPUT / "trace_view.json", b"")
    database(folder / OUTPUT / "ascend_pytorch_profiler_0.db")
    found = discover([tmp_path])
    assert only(found).kinds == ("db",)
    assert reasons(found) == {"trace_view.json": "empty: it has 0 bytes"}


def test_output_folder_without_data_is_named(tmp_path: Path) -> None:
    (tmp_path / "x_ascend_pt" / OUTPUT).mkdir(parents=True)
    put(tmp_path / "x_ascend_pt" / "profiler_info_0.json", "{}")
    with pytest.raises(NoData, match="the analysis may have failed"):
        discover([tmp_path])


def test_caches_of_another_viewer_are_left_out(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    for path in (
        folder / OUTPUT / "mindstudio_insight_data.db",
        tmp_path / "trace_mindstudio_insight_data.db",
        tmp_path / "cluster.db",
    ):
        database(path)
    put(tmp_path / "cluster.db-wal", b"x")
    found = discover([tmp_path])
    assert (names(found), only(found).kinds) == (["0"], ("text",))
    assert set(reasons(found).values()) == {"cache of another viewer; not needed"}
    assert len(found.ignored) == 4


def test_raw_data_alone_say_how_to_analyse(tmp_path: Path) -> None:
    unit = tmp_path / "h_ascend_pt"
    put(unit / "FRAMEWORK" / "torch.op_range", b"\0" * 16)
    put(unit / "PROF_000001_1_Z" / "device_0" / "data" / "x.slice_0", b"\0" * 16)
    put(unit / "profiler_info.json", "{}")
    for path in (tmp_path, unit, unit / "PROF_000001_1_Z", unit / "PROF_000001_1_Z" / "device_0", unit / "FRAMEWORK"):
        with pytest.raises(NoData, match="collected but not analysed") as caught:
            discover([path])
        assert "analyse(" in caught.value.fix
        assert "msprof --export=on" in caught.value.fix


def test_raw_rank_beside_good_ones_is_reported(tmp_path: Path) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    put(tmp_path / "r1_ascend_pt" / "FRAMEWORK" / "x", b"\0")
    found = discover([tmp_path])
    assert names(found) == ["0"]
    assert codes(found) == ["discover.not_analysed"]


def test_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoData, match=r"No profiling data found in .*: there are no files in it"):
        discover([tmp_path])
    put(tmp_path / ".gitkeep", b"")
    with pytest.raises(NoData, match="No profiling data found") as caught:
        discover([tmp_path])
    assert "Accepted are" in caught.value.fix


def test_list_of_left_out_files_is_capped(tmp_path: Path) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    for n in range(700):
        put(tmp_path / f"note{n}.txt", b"n")
    found = discover([tmp_path])
    assert len(found.ignored) == 501
    assert found.ignored[-1].reason == "and 200 more files or folders"


def test_empty_csv_is_reported(tmp_path: Path) -> None:
    put(rank(tmp_path / "r0_ascend_pt", 0) / OUTPUT / "kernel_details.csv", b"")
    found = discover([tmp_path])
    assert codes(found) == ["discover.empty"]
    assert "empty (0 bytes)" in found.issues[0].message


# ---- safety


def test_links_in_circles_end(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    (folder / "up").symlink_to("..")
    (tmp_path / "self").symlink_to(".")
    (tmp_path / "round").symlink_to("round")
    assert names(discover([tmp_path])) == ["0"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    rank(tmp_path / "elsewhere" / "r9_ascend_pt", 9)
    rank(tmp_path / "data" / "r0_ascend_pt", 0)
    (tmp_path / "data" / "r9_ascend_pt").symlink_to("../elsewhere/r9_ascend_pt")
    (tmp_path / "data" / "gone").symlink_to("nowhere")
    found = discover([tmp_path / "data"])
    assert names(found) == ["0"]
    assert "leaves the opened folder" in reasons(found)["r9_ascend_pt"]
    assert "does not exist" in reasons(found)["gone"]
    assert names(discover([tmp_path / "data" / "r9_ascend_pt"])) == ["9"]


def test_folder_with_links_that_leave_it_only_says_what_to_open(tmp_path: Path) -> None:
    rank(tmp_path / "elsewhere" / "r9_ascend_pt", 9)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "r9_ascend_pt").symlink_to("../elsewhere/r9_ascend_pt")
    with pytest.raises(NoData, match="symbolic link that leaves"):
        discover([tmp_path / "data"])
    put(tmp_path / "data" / "README.md", b"text")
    with pytest.raises(NoData, match="Links that leave the folder were not followed"):
        discover([tmp_path / "data"])


def test_links_inside_the_folder_are_followed_once(tmp_path: Path) -> None:
    rank(tmp_path / "store" / "abc_ascend_pt", 3)
    put(tmp_path / "store" / "t.json")
    (tmp_path / "latest_ascend_pt").symlink_to("store/abc_ascend_pt")
    unit = tmp_path / "r1_ascend_pt" / OUTPUT
    unit.mkdir(parents=True)
    (unit / "trace_view.json").symlink_to("../../store/t.json")
    put(unit.parent / "profiler_info_1.json", "{}")
    put(tmp_path / "a" / "lone.json", TRACE + b" ")
    (tmp_path / "a" / "again.json").symlink_to("lone.json")
    found = discover([tmp_path])
    assert names(found) == ["1", "3", "lone"]
    assert found.cards[0].source().files == (unit / "trace_view.json",)
    assert reasons(found)["again.json"] == "link to a file that is read already"


def test_hard_linked_copies_of_a_rank_are_ranks_of_their_own(tmp_path: Path) -> None:
    one = rank(tmp_path / "r0_ascend_pt", 0)
    two = tmp_path / "r1_ascend_pt"
    shutil.copytree(one, two, copy_function=os.link)
    (two / "profiler_info_0.json").rename(two / "profiler_info_1.json")
    assert names(discover([tmp_path])) == ["0", "1"]


@pytest.mark.parametrize("locked", ["r1_ascend_pt", f"r1_ascend_pt/{OUTPUT}", f"r1_ascend_pt/{OUTPUT}/trace_view.json"])
def test_locked_folder_is_named_and_the_rest_opens(tmp_path: Path, locked: str) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    rank(tmp_path / "r1_ascend_pt", 1)
    found = _as_nobody(tmp_path, tmp_path / locked)
    assert found["cards"] == ["0"]
    assert len(found["issues"]) == 1
    code, where, message = found["issues"][0]
    assert (code, where) == ("discover.no_permission", str(tmp_path / locked))
    assert "permission" in message


def test_locked_root_is_an_error(tmp_path: Path) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    assert "permission" in _as_nobody(tmp_path, tmp_path)["error"].lower()


def _as_nobody(root: Path, locked: Path) -> dict[str, list[list[str]] | str]:
    """Discover `root` in a child process without rights, while `locked` may not be read."""
    mode = locked.stat().st_mode
    for folder in (root, *root.parents):
        if folder.stat().st_uid == os.getuid() and str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    locked.chmod(0)
    # Everything is imported before the rights go: the interpreter's own folder may be closed to others.
    source = (
        "import csv, encodings.unicode_escape, encodings.utf_8_sig, json, os, sys\n"
        f"sys.path[:0] = {sys.path!r}\n"
        "from insight_desktop.ingest.discover import discover\n"
        "from insight_desktop.errors import InsightError\n"
        "if os.getuid() == 0:\n    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        "    d = discover([sys.argv[1]])\n"
        "    out = {'cards': [c.name for c in d.cards], 'issues': [[i.code, i.where, i.message] for i in d.issues]}\n"
        "except InsightError as e:\n"
        "    out = {'error': str(e)}\n"
        "print(json.dumps(out))\n"
    )
    try:
        run = subprocess.run([sys.executable, "-c", source, str(root)], capture_output=True, text=True, check=False)
    finally:
        locked.chmod(mode)
    assert run.returncode == 0, run.stderr
    result: dict[str, list[list[str]] | str] = json.loads(run.stdout)
    return result


def test_read_only_folder_stays_as_it_is(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt", 0)
    path = database(folder / OUTPUT / "ascend_pytorch_profiler_0.db")
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.close()
    before = {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in tmp_path.rglob("*")}
    assert only(discover([tmp_path])).kinds == ("db", "text")
    assert {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in tmp_path.rglob("*")} == before


def test_file_that_vanishes_while_it_is_looked_at_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    gone = put(tmp_path / "other.json")
    look = discover_cards.look

    def look_late(path: Path, size: int) -> object:
        gone.unlink(missing_ok=True)
        return look(path, size)

    monkeypatch.setattr(discover_cards, "look", look_late)
    found = discover([tmp_path])
    assert names(found) == ["0"]
    assert codes(found) == ["discover.vanished"]


def test_data_below_the_usual_depth_are_found_when_nothing_else_is_there(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abcdefghijkl")
    rank(deep / "r0_ascend_pt", 0)
    found = discover([tmp_path])
    assert (names(found), codes(found)) == (["0"], ["discover.deep"])


def test_folders_below_the_usual_depth_are_reported_beside_other_data(tmp_path: Path) -> None:
    rank(tmp_path / "r0_ascend_pt", 0)
    rank(tmp_path.joinpath(*"abcdefghijkl") / "r1_ascend_pt", 1)
    found = discover([tmp_path])
    assert (names(found), codes(found)) == (["0"], ["discover.too_deep"])
    assert "/a/b/c/d/e/f/g/h/i" in found.issues[0].message


def test_endless_depth_ends_with_an_error(tmp_path: Path) -> None:
    path = tmp_path
    for _ in range(100):
        path = path / "d"
    path.mkdir(parents=True)
    put(path / "trace.json")
    with pytest.raises(NoData, match="nested too deep"):
        discover([tmp_path])


def test_damaged_rank_files_do_not_stop_discovery(tmp_path: Path) -> None:
    folder = rank(tmp_path / "r0_ascend_pt")
    put(folder / "profiler_info.json", b"\xff{not json")
    put(folder / "profiler_metadata.json", b"[1, 2]")
    put(folder / OUTPUT / "kernel_details.csv", b"\0\0\n\xff\n")
    put(folder / OUTPUT / "ascend_pytorch_profiler_0.db", b"SQLite format 3\0" + b"\1" * 200)
    found = discover([tmp_path])
    assert (names(found), only(found).source().kind) == (["0"], "text")


def test_thousand_ranks_are_listed_in_five_seconds(tmp_path: Path) -> None:
    first = rank(tmp_path / "r0_ascend_pt")
    put(first / OUTPUT / "kernel_details.csv", KERNELS)
    for n in range(1, 1000):
        shutil.copytree(first, tmp_path / f"r{n}_ascend_pt")
        put(tmp_path / f"r{n}_ascend_pt" / f"profiler_info_{n}.json", "{}")
    put(first / "profiler_info_0.json", "{}")
    start = time.monotonic()
    found = discover([tmp_path])
    assert time.monotonic() - start < 5
    assert names(found) == [str(n) for n in range(1000)]


def test_a_gzip_with_a_wrong_check_sum_is_known_by_its_content(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(TRACE))
    data[-6] ^= 0xFF
    found = discover([put(tmp_path / "capture.json.gz", bytes(data))])
    assert [card.kinds for card in found.cards] == [("text",)]


def test_a_converted_snapshot_opens_and_gives_way_to_its_pickle(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "mem.pkl.db")
    db.execute("CREATE TABLE trace_entry_0 (id INTEGER PRIMARY KEY)")
    db.commit()
    db.close()
    for paths in ([tmp_path / "mem.pkl.db"], [tmp_path]):
        found = discover(paths)
        assert [(c.sources[0].format, c.sources[0].files[0].name) for c in found.cards] == [
            ("snapshot_pickle", "mem.pkl.db")
        ]
    (tmp_path / "mem.pkl").write_bytes(pickle.dumps({"segments": [], "device_traces": []}, protocol=4))
    found = discover([tmp_path])
    assert [c.sources[0].files[0].name for c in found.cards] == ["mem.pkl"]
    assert reasons(found)["mem.pkl.db"] == "made from mem.pkl, which is read"


def test_jobs_that_are_chosen_together_stay_apart(tmp_path):
    for job, ranks in (("before", (0, 1)), ("after", (0, 1, 2))):
        for rank in ranks:
            write_rank(tmp_path / job, rank, steps=[("1", *range(9))])
    both = discover([tmp_path / "before", tmp_path / "after"])
    assert [(c.cluster, c.rank) for c in both.cards] == [
        ("after", "0"), ("after", "1"), ("after", "2"), ("before", "0"), ("before", "1"),
    ]  # fmt: skip
    halves = discover([tmp_path / "before", tmp_path / "after" / "rank_2_ascend_pt"])
    assert [(c.cluster, c.rank) for c in halves.cards] == [("", "0"), ("", "1"), ("", "2")]
