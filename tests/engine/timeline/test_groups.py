from pathlib import Path

import orjson
import pytest

from insight_desktop.engine.timeline.groups import group_ranks
from insight_desktop.ingest.sources import Source

GROUP = "10.20.0.7%eth0_60000_0_1767254300000000"


@pytest.fixture
def source(tmp_path: Path) -> Source:
    side = tmp_path / "profiler_metadata.json"
    side.write_bytes(
        orjson.dumps(
            {
                "parallel_group_info": {
                    GROUP: {"group_name": "dp", "group_rank": 1, "global_ranks": [0, 4]},
                    "other": {"group_name": "tp", "group_rank": 0, "global_ranks": [0, 1, 2, 3]},
                }
            }
        )
    )
    return Source("trace_json", "text", (tmp_path / "trace_view.json",), (("profiler_metadata", side),))


@pytest.mark.row("system-timeline", 30)
@pytest.mark.parametrize(
    ("title", "ranks"),
    [
        (f"Group {GROUP} Communication", (0, 4)),
        (f"dp:Group {GROUP} Communication", (0, 4)),
        ("tp:Group 1 Communication", (0, 1, 2, 3)),
        ("Group 0 Communication", ()),
        ("Stream 2", ()),
    ],
)
def test_a_communication_lane_knows_the_ranks_of_its_group(source: Source, title: str, ranks: tuple[int, ...]) -> None:
    assert group_ranks(source, title) == ranks


def test_without_a_side_file_no_ranks_are_told(tmp_path: Path) -> None:
    assert group_ranks(Source("trace_json", "text", (tmp_path / "a.json",)), "Group x Communication") == ()
    assert group_ranks(None, "Group x Communication") == ()
