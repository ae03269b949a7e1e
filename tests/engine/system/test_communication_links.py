"""Links beside the others of their kind."""

from __future__ import annotations

import pytest
from tests.support.cluster_files import link, open_cluster, operator, write_rank

from insight_desktop.engine.system import communication
from insight_desktop.errors import NoData


def job(folder, *, slow=0.5):
    """Four ranks in a ring over HCCS at 20 GB/s, but for the one from 2 to 3; one RDMA link."""
    for rank in range(4):
        after = (rank + 1) % 4
        speed = 20.0 * (slow if rank == 2 else 1.0)
        links = {
            "allreduce-total@7": {
                f"{rank}-{rank}": link(80.0, 1.0, "LOCAL"),
                f"{rank}-{after}": link(100.0, 100.0 / speed),
            }
        }
        if rank == 0:
            links["allreduce-total@7"]["0-2"] = link(10.0, 1.0, "RDMA")
        write_rank(folder, rank, collective={"hcom_allReduce__1@7": operator(elapse=1.0)}, links=links)
    return open_cluster(folder)


def test_link_at_half_the_speed_of_its_transport_is_slow(tmp_path):
    found = communication.link_health(job(tmp_path)).to_pylist()
    assert [(r["src"], r["dst"], r["transport"], r["is_slow"]) for r in found] == [
        (2, 3, "HCCS", True), (0, 1, "HCCS", False), (0, 2, "RDMA", False), (1, 2, "HCCS", False), (3, 0, "HCCS", False),
    ]  # fmt: skip
    first = found[0]
    assert (first["bandwidth_gbs"], first["median_gbs"], first["ratio"], first["peer_ratio"]) == (10.0, 20.0, 0.5, 0.5)
    assert (first["size_mb"], first["transit_ms"]) == (100.0, 10.0)
    assert (found[2]["bandwidth_gbs"], found[2]["median_gbs"]) == (10.0, 10.0)


def test_equal_links_are_healthy(tmp_path):
    found = communication.link_health(job(tmp_path, slow=1.0))
    assert not any(found["is_slow"].to_pylist())


def test_little_traffic_tells_nothing_of_a_link(real):
    # 3 → 0 moves 120 bytes only: far below the median, but not slow.
    found = communication.link_health(open_cluster(real("cluster_4rank"))).to_pylist()
    assert not any(r["is_slow"] for r in found)
    assert (found[0]["src"], found[0]["dst"], found[0]["bandwidth_gbs"]) == (3, 0, 0.016)
    assert len(found) == 12


def test_job_without_links_says_so(tmp_path):
    write_rank(tmp_path, 0, collective={"hcom_allReduce__1@7": operator(elapse=1.0)})
    with pytest.raises(NoData, match="No link"):
        communication.link_health(open_cluster(tmp_path))
