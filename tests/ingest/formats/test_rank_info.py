from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from insight_desktop.ingest.formats import rank_info
from insight_desktop.ingest.report import Report


def test_settings_of_a_level1_rank(real: Callable[[str], Path]) -> None:
    info = rank_info.read_info(real("text_level1/rank1_ascend_pt/profiler_info_1.json"))
    assert (info.rank, info.level, info.aic_metrics) == ("1", "Level1", "ACL_AICORE_PIPE_UTILIZATION")
    assert (info.export_types, info.activities) == (("text",), ("CPU", "NPU"))
    assert info.schedule == {"wait": 0, "active": 1, "warmup": 10, "repeat": 1, "skip_first": 40}
    assert info.switches["profile_memory"] is True
    assert (info.switches["l2_cache"], info.switches["msprof_tx"]) == (True, False)
    assert info.clock["start_monotonic"] == 172163583765540
    assert info.clock["collectionTimeEnd"] == 1736408884003926530
    assert (info.torch_npu_version, info.cann_version) == ("", "")


def test_rank_as_text_and_versions_of_2025(real: Callable[[str], Path]) -> None:
    info = rank_info.read_info(real("cluster_4rank/rank_2_ascend_pt/profiler_info_2.json"))
    assert (info.rank, info.torch_npu_version, info.cann_version) == ("2", "2.7.1", "8.3.RC1")


def test_place_in_the_job(real: Callable[[str], Path]) -> None:
    place = rank_info.read_metadata(real("cluster_4rank/rank_2_ascend_pt/profiler_metadata.json"))
    assert place.rank == "2"
    assert place.parallel == {
        "tensor_model_parallel_size": 1,
        "pipeline_model_parallel_size": 2,
        "data_parallel_size": 2,
        "context_parallel_size": 1,
        "expert_model_parallel_size": 1,
        "world_size": 4,
    }
    assert place.sequence_parallel is False
    assert {group.name for group in place.groups} >= {"default_group", "dp", "pp"}
    assert all(place.rank in map(str, group.ranks) for group in place.groups)


def test_without_distribution_only_the_environment_is_known(real: Callable[[str], Path]) -> None:
    place = rank_info.read_metadata(real("text_level2/rank0_ascend_pt/profiler_metadata.json"))
    assert (place.rank, place.parallel, place.groups) == (None, {}, ())
    assert place.environment


@pytest.mark.parametrize(
    ("value", "rank"),
    [
        ("3", "3"),
        ('"007"', "7"),
        ("-1", None),
        ('"-1"', None),
        ("null", None),
        ("true", None),
        ('"x"', None),
        ("1.5", None),
    ],
)
def test_rank_in_its_spellings(tmp_path: Path, value: str, rank: str | None) -> None:
    path = tmp_path / "profiler_info.json"
    path.write_text(f'{{"rank_id": {value}}}')
    assert rank_info.rank_in_info(path) == rank


def test_parallel_sizes_count_only_when_all_are_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "profiler_metadata.json"
    path.write_text('{"distributed_args": {"tensor_model_parallel_size": 2, "world_size": "8", "rank": 5}}')
    place = rank_info.read_metadata(path)
    assert (place.rank, place.parallel) == ("5", {})


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b'{"config": 5, "distributed_args": [1]}'])
def test_damaged_file_gives_nothing_and_an_issue(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "profiler_info_3.json"
    path.write_bytes(content)
    report = Report()
    assert rank_info.read_info(path, report).rank is None
    assert rank_info.read_metadata(path) == rank_info.ProfilerMetadata()
    assert [issue.code for issue in report.issues] == ([] if content.endswith(b"]}") else ["rank_info.unreadable"])


def test_sniff_goes_by_name_and_first_byte() -> None:
    assert rank_info.sniff("a/profiler_info_0.json", b"\xef\xbb\xbf {")
    assert not rank_info.sniff("a/profiler_info_0.json", b"[")
    assert not rank_info.sniff("a/trace_view.json", b"{")
