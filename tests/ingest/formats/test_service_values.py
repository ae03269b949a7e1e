from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from insight_desktop.ingest.formats import service_chains, service_lanes, service_rids, service_values, trace_json
from insight_desktop.ingest.formats.service_values import Item
from insight_desktop.ingest.report import Report
from insight_desktop.ingest.sources import Source


@pytest.mark.row("service", 18)
@pytest.mark.parametrize(
    ("value", "ns"),
    [
        (1754914572001.0, 1754914572001000000), (1754914572001999.8, 1754914572001999800), ("1754914572002300.0", 1754914572002300000),
        (1754914572290380.8, 1754914572290380800), (1754914572001999, 1754914572001999000), ("<NA>", None), (None, None),
    ],
)  # fmt: skip
def test_time_called_ms_may_hold_microseconds(value: Any, ns: int | None) -> None:
    assert service_values.ms_to_ns(value) == ns


@pytest.mark.row("service", 18)
@pytest.mark.parametrize("value", ["None", "nan", "<NA>", "N/A", "", None, float("nan"), True, "x"])
def test_missing_in_any_spelling_is_no_number(value: Any) -> None:
    assert service_values.number(value) is None


@pytest.mark.row("service", 18)
@pytest.mark.example("service", 18)
def test_dates_are_read_with_either_point() -> None:
    assert service_values.datetime_ns("2025-08-11 20:16:12:001999") == 1754914572001999000
    assert service_values.datetime_ns("2025-08-11 20:16:12.001999") == 1754914572001999000
    assert service_values.datetime_ns("2025-02-12 03:02:52:248") % 1_000_000_000 == 248_000_000
    assert service_values.datetime_ns("2025-08-11 20:16:12") == 1754914572000000000
    assert service_values.datetime_ns("0") is None
    assert service_values.datetime_ns("2025-13-45 99:16:12") is None


@pytest.mark.row("service", 18)
@pytest.mark.example("service", 16)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Prefill, Decode", "mixed"), ("Prefill,Decode", "mixed"), ("Mixed", "mixed"), ("prefill", "prefill"), ("Decode", "decode"),
        ("Extend", "extend"), ("Dummy", "dummy"), ("unknown", "other"), (0, "prefill"), ("1", "decode"), (None, ""), ("nan", ""),
    ],
)  # fmt: skip
def test_types_of_batches_are_normalised(text: Any, kind: str) -> None:
    assert service_values.batch_type(text) == kind


@pytest.mark.row("service", 18)
def test_lists_of_requests_in_every_form() -> None:
    assert service_values.items_of("[{'rid': '100', 'iter': 0}]") == [Item("100", 0)]
    assert service_values.items_of([{"rid": "a", "iter": 2, "type": 1, "num_scheduled_tokens": 1}]) == [
        Item("a", 2, 1, 1)
    ]
    assert [i.rid for i in service_values.items_of("a, b,,")] == ["a", "b"]
    assert service_values.items_of("nan") == service_values.items_of("[]") == service_values.items_of(None) == []
    assert [i.rid for i in service_values.items_of("[broken")] == ["[broken"]


def test_names_of_requests() -> None:
    assert [service_rids.canonical(t) for t in ("007", "000", "a07", "")] == ["7", "0", "a07", ""]
    names = service_rids.RequestNames(["cmpl-1"])
    assert names.canonical("cmpl-1-0a1b2c3d") == "cmpl-1"
    assert names.canonical("other-0a1b2c3d") == "other-0a1b2c3d"


def test_points_that_share_a_place_take_the_slices_in_their_order() -> None:
    chains = service_chains.Chains()
    chains.add_slices(np.array([0, 0, 1]), np.array([5, 5, 9]))
    chains.add_points(np.array([0, 0, 1, 1]), np.array([5, 5, 9, 9]), np.array([3, 4, 3, 4]))
    links = chains.links()
    assert links is not None
    rows = {(r["category"], r["from_serial"], r["to_serial"]) for r in links.to_pylist()}
    assert rows == {(3, 0, 2), (4, 1, 2)}


@pytest.mark.row("service", 4)
def test_service_traces_are_told_from_others(real: Any) -> None:
    assert service_lanes.looks_like_service(real("service/g1/chrome_tracing.json").read_bytes())
    assert not service_lanes.looks_like_service(real("text_level2").read_bytes()[:65536] if real("text_level2").is_file() else b'[{"ph":"X","name":"aten::mm","tid":"Execute"}]')  # fmt: skip
    assert service_lanes.host_and_dp("node-a,dp3") == ("node-a", 3)
    assert service_lanes.host_and_dp("node-a") == ("node-a", None)
    assert service_lanes.domain_of("Schedule(12)") == "Schedule"


def test_ordinary_links_of_a_merged_trace_stay(tmp_path: Any) -> None:
    path = tmp_path / "chrome_tracing.json"
    path.write_text(
        '[{"name":"x","ph":"X","ts":1,"dur":1,"pid":1,"tid":1},{"name":"y","ph":"X","ts":3,"dur":1,"pid":1,"tid":2},'
        '{"name":"async_npu","ph":"s","ts":1,"id":"7_1","cat":"async_npu","pid":1,"tid":1},'
        '{"name":"async_npu","ph":"f","ts":3,"id":"7_1","cat":"async_npu","pid":1,"tid":2}]',
        encoding="utf-8",
    )
    tables = [
        t for t, b in trace_json.read(Source("trace_json", "service", (path,)), Report()) for _ in range(b.num_rows)
    ]
    assert (tables.count("flow"), tables.count("link"), tables.count("slice")) == (2, 0, 2)
