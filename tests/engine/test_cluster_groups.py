"""Hashes, names and members of groups; stages and parallel indices."""

from __future__ import annotations

import pytest

from insight_desktop.engine import cluster_groups as groups
from insight_desktop.engine.cluster_groups import Declared, Group

SPEC = "system-summary-communication"


@pytest.mark.example(SPEC, "W1")
@pytest.mark.row(SPEC, 2)
@pytest.mark.parametrize(
    ("group_id", "key"),
    [
        ("group_name_5", "5862276114690318097"),
        ("group_name_0", "5862276093215481612"),
        ("group_name_19", "3985310405473756128"),
        ("10.0.0.1%eth0_60000_0_1700000000", "9761301406812703851"),
    ],
)
def test_hash_of_a_group_id_is_that_of_the_collector(group_id, key):
    assert groups.group_hash(group_id) == key


def test_halves_of_a_hash_are_two_polynomials():
    assert divmod(int(groups.group_hash("10.0.0.1%eth0_60000_0_1700000000")), 2**32) == (2272730089, 1922534507)


def test_group_keeps_members_that_were_not_collected():
    known = {"7": Declared("id", "dp", (0, 1, 2, 3))}
    found = groups.joined([("collective", "7", 1), ("collective", "7", 3)], known)
    assert found == [Group("7", "collective", (0, 1, 2, 3), "id", "dp", (0, 1, 2, 3))]


def test_group_without_metadata_has_the_ranks_that_showed_it():
    assert groups.joined([("p2p", "7", 3), ("p2p", "7", 1)], {}) == [Group("7", "p2p", (1, 3))]


def test_hash_of_both_kinds_is_one_group_for_point_to_point_traffic():
    found = groups.joined([("p2p", "7", 3), ("collective", "7", 1), ("collective", "8", 0)], {})
    assert found == [Group("7", "p2p", (1, 3)), Group("8", "collective", (0,))]


def test_no_stages_without_a_pipeline():
    assert groups.stages([Group("1", "collective", (0, 1)), Group("2", "p2p", (0, 2), pg_name="embd")]) == []


def test_stages_are_what_hangs_together_beside_the_pipelines():
    found = groups.stages(
        [
            Group("1", "p2p", (0, 2), pg_name="PP"), Group("2", "p2p", (1, 3), pg_name="pp_new"),
            Group("3", "collective", (0, 1, 2, 3)), Group("4", "collective", (2, 3)), Group("5", "collective", (0, 1)),
        ]
    )  # fmt: skip
    assert found == [(0, 1), (2, 3)]


SIZES = {
    "tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 2, "data_parallel_size": 2,
    "context_parallel_size": 1, "expert_model_parallel_size": 1, "world_size": 8,
}  # fmt: skip


def test_indices_of_eight_ranks():
    # pp blocks 0-3 and 4-7; data parallel lists (0,2)(1,3)(4,6)(5,7); the i-th elements are 0,1,4,5 and 2,3,6,7
    assert groups.parallel_index(SIZES, 8) == {
        0: (0, 0, 0), 1: (0, 0, 1), 4: (0, 1, 0), 5: (0, 1, 1), 2: (1, 0, 0), 3: (1, 0, 1), 6: (1, 1, 0), 7: (1, 1, 1),
    }  # fmt: skip


@pytest.mark.parametrize("change", [{"world_size": 16}, {"expert_model_parallel_size": 3}, {}])
def test_indices_are_left_out_when_the_sizes_do_not_fit(change):
    assert groups.parallel_index({**SIZES, **change}, 8 if change else 9) == {}
