"""Between operators of a job and slices of the Timeline."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import open_cluster

from insight_desktop.engine import queries
from insight_desktop.errors import BadArgument, NoData

SPEC = "system-summary-communication"


@pytest.fixture
def two(real):
    return open_cluster(real("db_level1"), kind="as found")


@pytest.mark.row(SPEC, 35)
def test_operator_and_slice_lead_to_each_other(two):
    there = queries.run(two, "system.communication.slices", {"rank": 1, "name": "hcom_allReduce__210_2_1"}).to_pylist()
    assert [row["card"] for row in there] == ["1"]
    back = queries.run(two, "system.communication.operator", there[0]).to_pylist()[0]
    assert (back["rank"], back["name"], back["step"]) == (1, "hcom_allReduce__210_2_1", "50")
    assert back["group"] == "(0, 1):17148521525495523210"


def test_a_rank_without_a_timeline_and_a_name_that_is_not_there_are_told(two):
    with pytest.raises(NoData, match="rank 7 is not open"):
        queries.run(two, "system.communication.slices", {"rank": 7, "name": "hcom_allReduce__210_2_1"})
    with pytest.raises(NoData, match="no slice hcom_nothing"):
        queries.run(two, "system.communication.slices", {"rank": 1, "name": "hcom_nothing"})


def test_a_slice_that_is_no_operator_of_the_job_is_told(two):
    with pytest.raises(NoData, match="have no operator"):
        queries.run(two, "system.communication.operator", {"card": "1", "slice_id": 0})
    with pytest.raises(BadArgument, match="no slice"):
        queries.run(two, "system.communication.operator", {"card": "1", "slice_id": 10**9})
