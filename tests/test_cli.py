"""The command line as a user types it: exit codes, formats, errors on stderr."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.support.memscope_files import free, malloc, write_db

from insight_desktop import cli

EVENTS = [
    {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "Python"}},
    {"ph": "X", "pid": 1, "tid": 2, "name": "=cmd()", "ts": "1736412474714258.990", "dur": 5, "args": {"k": 1}},
    {"ph": "X", "pid": 1, "tid": 2, "name": "-neg", "ts": "1736412474714270.000", "dur": 0.001},
    {"ph": "C", "pid": 1, "name": "c", "ts": "1736412474714260.000", "args": {"v": -2}},
]


@pytest.fixture
def trace(tmp_path: Path) -> str:
    path = tmp_path / "trace_view.json"
    path.write_text(json.dumps(EVENTS))
    return str(path)


def run(capsysbinary: Any, *arguments: str) -> tuple[int, bytes, str]:
    code = cli.main(list(arguments))
    out, err = capsysbinary.readouterr()
    return code, out, err.decode()


def test_import_prints_its_cards_as_rows_when_asked(trace: str, capsys: Any) -> None:
    assert cli.main(["import", trace, "--format", "csv"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    facts = dict(zip(head.split(","), row.split(","), strict=True))
    assert (facts["status"], facts["kind"]) == ("ready", "text")
    assert cli.main(["import", trace, "--format", "json"]) == 0
    assert capsys.readouterr().out.startswith("{")


def test_import_prints_the_report(trace: str, capsysbinary: Any) -> None:
    code, out, err = run(capsysbinary, "import", trace)
    report = json.loads(out)
    assert (code, err) == (0, "")
    card = report["cards"][0]
    assert (card["status"], card["slices"], card["counters"], card["processes"]) == ("ready", 2, 1, ["Python"])
    assert {"project", "scene", "tabs", "cards", "issues", "seconds", "cached", "peak_rss_mb"} <= set(report)
    assert not report["cached"]
    assert json.loads(run(capsysbinary, "import", trace)[1])["cached"]
    assert not json.loads(run(capsysbinary, "import", "--fresh", trace)[1])["cached"]


def test_a_dump_is_imported_with_rows_that_have_no_partner(tmp_path: Path, capsysbinary: Any) -> None:
    rows = [malloc(0, 0, 0x10, 8), malloc(1, 5, 0x10, 16), free(2, 40, 0x20, size=32)]
    path = str(write_db(tmp_path / "memscope_dump_1.db", rows))
    found = []
    for more in (
        [],
        ["--pairing", "before-tracing"],
        ["--pairing=implicit-free"],
        ["--pairing", "implicit-free,before-tracing"],
        [],
    ):
        code, out, _ = run(capsysbinary, "import", path, *more)
        report = json.loads(out)
        (card,) = report["cards"]
        found.append((code, card["tables"]["memscope_block"], report["cached"]))
    assert found == [(0, 1, False), (0, 2, False), (0, 2, False), (0, 3, False), (0, 1, True)]


def test_bad_data_is_exit_code_1_with_a_remedy(tmp_path: Path, capsysbinary: Any) -> None:
    (tmp_path / "trace.json").write_bytes(b"")
    code, _, err = run(capsysbinary, "import", str(tmp_path / "trace.json"))
    assert code == 1
    assert "empty" in err
    code, _, err = run(capsysbinary, "query", str(tmp_path / "nothing"), "system.timeline.cards")
    assert code == 1
    assert err.startswith("error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["query"],
        ["query", "x", "system.timeline.slice"],
        ["query", "x", "system.timeline.slices", "--colour", "red"],
        ["query", "x", "system.timeline.slices", "--limit"],
        ["query", "x", "system.timeline.slices", "--limit", "many"],
        ["query", "x", "system.timeline.search"],
        ["sql", "x"],
        ["import"],
        ["import", "x", "--pairing", "everything"],
        ["queries", "--format", "xml"],
        ["shot", "x", "--tab", "system.timeline", "--out", "o.png", "--size", "big"],
        ["--bogus"],
        ["--cache"],
    ],
)
def test_wrong_use_is_exit_code_2_and_reads_nothing(arguments: list[str], capsysbinary: Any) -> None:
    code, out, err = run(capsysbinary, *arguments)
    assert (code, out) == (2, b"")
    assert err.startswith("error: ")
    assert "!" not in err


def test_rows_as_json_csv_and_table(trace: str, capsysbinary: Any) -> None:
    query = ["query", trace, "system.timeline.slices"]
    rows = json.loads(run(capsysbinary, *query, "--format", "json")[1])
    assert [(r["name"], r["ts_ns"], r["dur_ns"], r["args"]) for r in rows] == [
        ("=cmd()", 1736412474714258990, 5000, '{"k": 1}'),
        ("-neg", 1736412474714270000, 1, None),
    ]
    table = list(csv.DictReader(io.StringIO(run(capsysbinary, *query, "--format=csv")[1].decode(), newline="")))
    assert [(r["name"], r["dur_ns"]) for r in table] == [("'=cmd()", "5000"), ("'-neg", "1")]
    lines = run(capsysbinary, *query, "--name", "-neg")[1].decode().splitlines()
    assert lines[0].split()[:3] == ["id", "card", "process"]
    assert len(lines) == 3
    values = json.loads(run(capsysbinary, "query", trace, "system.timeline.counters", "--format", "json")[1])
    assert [(v["series"], v["value"]) for v in values] == [("v", -2.0)]


def test_arguments_may_be_negative_written_with_equals_or_hyphens(trace: str, capsysbinary: Any) -> None:
    query = ["--format", "json", "query", trace, "system.timeline.slices"]
    for given, count in ((["--to_ns", "-5"], 0), (["--to-ns=1736412474714260000"], 1), (["--limit", "1"], 1)):
        code, out, _ = run(capsysbinary, *query[2:], *given, *query[:2])
        assert (code, len(json.loads(out))) == (0, count)


def test_parquet_goes_to_a_file_or_to_the_bytes_of_stdout(trace: str, tmp_path: Path, capsysbinary: Any) -> None:
    query = ["query", trace, "system.timeline.slices", "--format", "parquet"]
    _, out, _ = run(capsysbinary, *query)
    assert pq.read_table(io.BytesIO(out)).num_rows == 2
    assert run(capsysbinary, *query, "--out", str(tmp_path / "o.parquet"))[0] == 0
    assert pq.read_table(tmp_path / "o.parquet")["dur_ns"].to_pylist() == [5000, 1]
    assert run(capsysbinary, *query, "--out", str(tmp_path / "no" / "o.parquet"))[0] == 2


@pytest.mark.row("system-timeline", 101)
def test_sql_runs_one_select(trace: str, capsysbinary: Any) -> None:
    code, out, _ = run(capsysbinary, "sql", trace, "SELECT sum(dur_ns) AS ns FROM slice", "--format", "json")
    assert (code, json.loads(out)) == (0, [{"ns": 5001}])
    code, out, err = run(capsysbinary, "sql", trace, "DROP TABLE card")
    assert (code, out) == (2, b"")
    assert "SELECT" in err


def test_queries_tabs_sessions_and_help(trace: str, capsysbinary: Any) -> None:
    assert b"system.timeline.search --text str" in run(capsysbinary, "queries")[1]
    names = [row["name"] for row in json.loads(run(capsysbinary, "queries", "--format", "json")[1])]
    assert "system.timeline.viewport" in names
    tabs = json.loads(run(capsysbinary, "tabs", trace, "--format", "json")[1])
    assert tabs[0] == {"tab": "system.timeline", "built": True}
    assert run(capsysbinary, "sessions", "--format", "json")[:2] == (0, b"[\n]\n")
    assert b"Exit codes" in run(capsysbinary, "--help")[1]
    assert run(capsysbinary, "--version")[1].startswith(b"insight-desktop ")


def test_a_card_is_chosen_by_name_where_there_are_several(tmp_path: Path, capsysbinary: Any) -> None:
    for rank in (0, 1):
        out = tmp_path / f"r{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
        out.mkdir(parents=True)
        (out.parent / f"profiler_info_{rank}.json").write_text("{}")
        (out / "trace_view.json").write_text(json.dumps(EVENTS[: 2 + rank]))
    query = ["query", str(tmp_path), "system.timeline.slices", "--format", "json"]
    assert [r["card"] for r in json.loads(run(capsysbinary, *query)[1])] == ["0", "1", "1"]
    assert len(json.loads(run(capsysbinary, *query, "--card", "1")[1])) == 2
    code, _, err = run(capsysbinary, *query, "--card", "9")
    assert code == 2
    assert "Cards: 0, 1" in err


def test_cache_goes_where_the_option_says(
    trace: str, tmp_path: Path, capsysbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSIGHT_CACHE", "")
    assert run(capsysbinary, "import", trace, "--cache", str(tmp_path / "cache"))[0] == 0
    assert list((tmp_path / "cache" / "captures").glob("*/manifest.json"))
    assert sorted(p.name for p in Path(trace).parent.iterdir()) == ["cache", "trace_view.json"]


def process(*arguments: str | bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
    source = Path(cli.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        [sys.executable, "-m", "insight_desktop", *arguments],
        env=environment,
        stderr=subprocess.PIPE,
        check=False,
        **options,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a POSIX shell")
def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = process("queries", "--format", "csv", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="file descriptors of POSIX")
def test_a_closed_stdout_is_no_error() -> None:
    done = process("queries", stdout=None, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="paths there are text")
def test_paths_that_are_no_text_work(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/od\xff d\n"))
    folder.mkdir()
    with (folder / "trace_view.json").open("w") as file:
        json.dump(EVENTS, file)
    done = process("import", str(folder), stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["cards"][0]["slices"] == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("to_file", [True, False])
def test_output_that_cannot_be_written_is_told(to_file: bool, trace: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("queries", *(["--out", "/dev/full"] if to_file else []), stdout=None if to_file else full)
    assert done.returncode == 1
    assert b"cannot be written (No space left on device)" in done.stderr
    assert b"Traceback" not in done.stderr


def test_finished_analysis_of_a_cluster_is_asked_without_cards(real: Any, capsysbinary: Any) -> None:
    path = str(real("upstream_unit/cluster_analysis_output"))
    code, out, err = run(capsysbinary, "query", path, "system.summary.overview", "--top", "2", "--format", "json")
    assert (code, err) == (0, "")
    assert [row["rank"] for row in json.loads(out)] == [0, 1]
    code, _, err = run(capsysbinary, "query", path, "system.memory.curve")
    assert (code, err.startswith("error: ")) == (1, True)
