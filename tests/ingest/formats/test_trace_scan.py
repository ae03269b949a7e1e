"""Values of single events: times, names, ids, counters, phases."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.ingest.formats.trace_help import read_bytes

from insight_desktop.ingest.formats import trace_json

X = '{"ph":"X","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s}'


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ('"1736412474714258.990"', 1736412474714258990),
        ("1761000000000100.130", 1761000000000100130),
        ('"2682030"', 2682030000),
        ("0.0004", 0),
        ("0.0005", 1),
        ("1.9995", 2000),
        ("1.99949999999", 1999),
        ("1.7E+15", 1700000000000000000),
        ("1.5e3", 1500000),
        ("15e-1", 1500),
        ("1e-9", 0),
        ("5e-4", 1),
        ("12345678901234567890e-5", 123456789012345679),
        ('" 12.5 "', 12500),
        ('"+3"', 3000),
        ("5.", 5000),
        (".25", 250),
        ("-0.0", 0),
        ("9223372036854775.807", 9223372036854775807),
        ("000000000000000000001.5", 1500),
    ],
)
def test_times_are_exact_nanoseconds_rounded_half_up(tmp_path: Path, text: str, ns: int) -> None:
    read = read_bytes(tmp_path, "[" + X % ("a", text, 0) + "]")
    assert read.slices[0]["start_ns"] == ns
    assert "bad_ts" not in read.codes


@pytest.mark.parametrize(
    "text", ['""', "null", "true", '"abc"', "NaN", "-5", "9223372036854775.808", "1e300", "1.2.3", '"1e"', "[1]", "{}"]
)
def test_an_unusable_ts_stands_at_zero_and_is_counted(tmp_path: Path, text: str) -> None:
    read = read_bytes(tmp_path, "[" + X % ("a", text, 2) + "]")
    assert read.times() == {"a": (0, 2000, 0)}
    assert read.codes == {"bad_ts": 1}


@pytest.mark.parametrize("text", ['""', "null", '"abc"', "NaN", "Infinity", "-5", "1e300", "[]"])
def test_an_unusable_dur_is_zero_flagged_and_counted(tmp_path: Path, text: str) -> None:
    read = read_bytes(tmp_path, "[" + X % ("a", 7, text) + "]")
    assert read.times() == {"a": (7000, 0, 4)}
    assert read.codes == {"bad_dur": 1}


def test_a_missing_dur_or_ts_keeps_the_event(tmp_path: Path) -> None:
    read = read_bytes(tmp_path, '[{"ph":"X","name":"d","pid":1,"tid":1,"ts":3},{"ph":"X","name":"t","dur":1}]')
    assert read.times() == {"d": (3000, 0, 4), "t": (0, 1000, 0)}
    assert read.codes == {"bad_dur": 1, "bad_ts": 1}


def test_an_end_beyond_the_range_of_time_is_clamped(tmp_path: Path) -> None:
    read = read_bytes(tmp_path, "[" + X % ("a", "9223372036854775", "5000") + "]")
    assert read.times() == {"a": (9223372036854775000, 0, 4)}


def test_missing_null_and_empty_names_get_a_label(tmp_path: Path) -> None:
    events = [{"name": ""}, {"name": None}, {}, {"name": 42}, {"name": True}, {"name": {"k": [1]}}]
    text = json.dumps([{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1, **e} for e in events])
    names = [row["name"] for row in read_bytes(tmp_path, text).slices]
    assert names == ["(no name)", "(no name)", "(no name)", "42", "true", '{"k": [1]}']


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (rb"\u0041b", "Ab"),
        (rb"a\"b\\c\/d\n", 'a"b\\c/d\n'),
        (rb"\ud83d\ude00", "😀"),
        (rb"x\ud83dy", "x\ufffdy"),
        (rb"\q\u12", "qu12"),
        ("名字".encode(), "名字"),
        ("算子名称".encode("gb18030"), "算子名称"),
        (b"cfg \xff\xfe\x80 end", "cfg \ufffd\ufffd\ufffd end"),
        (b"tab\there\x00nul", "tab\there\x00nul"),
    ],
)
def test_names_are_unescaped_and_decoded(tmp_path: Path, raw: bytes, name: str) -> None:
    data = b'[{"ph":"X","name":"' + raw + b'","pid":1,"tid":1,"ts":1,"dur":1}]'
    assert [row["name"] for row in read_bytes(tmp_path, data).slices] == [name]


def test_a_name_of_a_megabyte_is_kept_whole(tmp_path: Path) -> None:
    name = "n" * 1_000_000
    assert read_bytes(tmp_path, "[" + X % (name, 1, 1) + "]").slices[0]["name"] == name


def test_ids_are_text_whatever_their_json_type(tmp_path: Path) -> None:
    ids = ["7", '"7"', r'"\u0037"']
    events = [f'{{"ph":"X","name":"a","pid":{i},"tid":{i},"ts":1,"dur":1}}' for i in ids]
    read = read_bytes(tmp_path, "[" + ",".join(events) + "]")
    assert [(t["pid"], t["tid"]) for t in read.tracks] == [("7", "7")]


@pytest.mark.parametrize("value", ["-136712896", "7168000000", "123145516716032", "40006882869110636543", "1.5", "0"])
def test_odd_ids_are_shown_as_written(tmp_path: Path, value: str) -> None:
    read = read_bytes(tmp_path, f'[{{"ph":"X","name":"a","pid":{value},"tid":"{value}","ts":1,"dur":1}}]')
    assert [(t["pid"], t["process"], t["tid"], t["thread"]) for t in read.tracks] == [(value,) * 4]


def test_the_last_of_equal_keys_wins(tmp_path: Path) -> None:
    data = '[{"ph":"B","name":"x","ts":9,"dur":5,"args":{"a":1},"pid":1,"tid":1,"name":"y","dur":9,"ts":2,"args":{"a":2},"ph":"X"}]'
    read = read_bytes(tmp_path, data)
    assert read.times() == {"y": (2000, 9000, 0)}
    row = read.slices[0]
    assert trace_json.details((tmp_path / "trace.json",), row["args_at"], row["args_len"]) == b'{"a":2}'


@pytest.mark.parametrize(
    "args",
    ['"text"', "[1,2]", "null", "17", '{"n":1180591620717411303424}', '{"deep":' + "[" * 5000 + "]" * 5000 + "}"],
)
def test_args_of_any_kind_are_kept_as_json_text(tmp_path: Path, args: str) -> None:
    read = read_bytes(tmp_path, f'[{{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{args}}}]')
    row = read.slices[0]
    assert trace_json.details((tmp_path / "trace.json",), row["args_at"], row["args_len"]) == args.encode()


def test_a_lasting_capital_i_is_a_slice_and_other_instants_are_points(tmp_path: Path) -> None:
    base = '"pid":1,"tid":1,"ts":1'
    read = read_bytes(
        tmp_path,
        f'[{{"ph":"I","name":"s",{base},"dur":2}},{{"ph":"I","name":"p",{base}}},{{"ph":"i","name":"q",{base},"s":"g"}}]',
    )
    assert read.times() == {"s": (1000, 2000, 0)}
    assert [row["name"] for row in read.instants] == ["p", "q"]


def test_other_phases_are_counted_by_letter_in_one_issue(tmp_path: Path) -> None:
    phases = ["N", "O", "D", "P", "R", "v", "V", "c", "(", ")", "(", "XX"]
    events = [{"ph": ph, "name": "o", "pid": 1, "tid": 1, "ts": 1} for ph in phases]
    read = read_bytes(tmp_path, json.dumps([*events, {"ph": "X", "name": "x", "ts": 1, "dur": 1}]))
    assert len(read.slices) == 1
    (issue,) = read.report.issues
    assert (issue.code, issue.count) == ("trace_json.other_phases", 12)
    assert "( 2" in issue.message
    assert "N 1" in issue.message
    assert read.report.counts["phase.N"] == 1


def test_group_ids_are_kept_for_shared_rows(tmp_path: Path) -> None:
    data = '[{"ph":"X","name":"a","ts":1,"dur":1,"group_id":"g1"},{"ph":"X","name":"b","ts":1,"dur":1}]'
    assert [row["group"] for row in read_bytes(tmp_path, data).slices] == ["g1", None]


def counter(ts: int, args: str, more: str = "") -> str:
    return f'{{"ph":"C","name":"c","pid":3,"ts":{ts},"args":{args}{more}}}'


def test_counter_values_null_and_nan_are_gaps_and_quoted_numbers_count(tmp_path: Path) -> None:
    read = read_bytes(
        tmp_path,
        "[" + counter(1, '{"a":3,"b":"1.5","c":-2e1}') + "," + counter(2, '{"a":NaN,"b":null,"c":"Infinity"}') + "]",
    )
    assert read.counters[:3] == [("c", "a", 1000, 3.0), ("c", "b", 1000, 1.5), ("c", "c", 1000, -20.0)]
    assert [row[:3] for row in read.counters[3:]] == [("c", "a", 2000), ("c", "b", 2000), ("c", "c", 2000)]
    assert all(math.isnan(row[3]) for row in read.counters[3:])


def test_a_line_that_an_event_lacks_gets_one_gap_and_goes_on_later(tmp_path: Path) -> None:
    events = [counter(1, '{"a":1,"b":2}'), counter(2, '{"a":1}'), counter(3, '{"a":1}'), counter(4, '{"a":1,"b":5}')]
    read = read_bytes(tmp_path, "[" + ",".join(events) + "]")
    assert [(ts, None if math.isnan(v) else v) for _, s, ts, v in read.counters if s == "b"] == [
        (1000, 2.0), (2000, None), (4000, 5.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["0.1", "3.141592653589793", "1e22", "1e-7", "123456789012345678", "2.2250738585072014e-308", "7"]
)
def test_counter_numbers_equal_the_nearest_double(tmp_path: Path, text: str) -> None:
    read = read_bytes(tmp_path, "[" + counter(1, f'{{"a":{text}}}') + "]")
    assert read.counters[0][3] == float(text)


def test_nested_and_worded_counter_values_are_left_out(tmp_path: Path) -> None:
    read = read_bytes(tmp_path, "[" + counter(1, '{"a":{"x":1},"b":[2],"c":"busy","d":true,"e":4}') + "]")
    assert read.counters == [("c", "e", 1000, 4.0)]
    assert read.codes == {"counter_text": 2}


def test_counters_without_args_or_at_zero_are_counted_not_kept(tmp_path: Path) -> None:
    events = [counter(0, '{"a":1}'), counter(1, "{}"), counter(2, "null"), '{"ph":"C","name":"c","pid":3,"ts":3}']
    read = read_bytes(tmp_path, "[" + ",".join([*events, counter(4, '{"a":1}')]) + "]")
    assert read.counters == [("c", "a", 4000, 1.0)]
    assert read.codes == {"counter_at_zero": 1, "counter_without_values": 3}
    assert read.report.counts["counters"] == 1


def test_the_last_of_equal_counter_keys_wins(tmp_path: Path) -> None:
    assert read_bytes(tmp_path, "[" + counter(1, '{"a":1,"a":2}') + "]").counters == [("c", "a", 1000, 2.0)]


def test_an_id_or_acc_id_splits_the_lane(tmp_path: Path) -> None:
    events = [
        counter(1, '{"v":1}', ',"id":4'),
        counter(1, '{"v":2}', ',"id":"4"'),
        counter(1, '{"value":3,"acc_id":9}'),
    ]
    read = read_bytes(tmp_path, "[" + ",".join(events) + "]")
    assert read.counters == [("c[4]", "v", 1000, 1.0), ("c[4]", "v", 1000, 2.0), ("c[9]", "value", 1000, 3.0)]


def test_a_counter_with_many_thousand_lines_stays_quick(tmp_path: Path) -> None:
    args = json.dumps({f"k{i}": i for i in range(30_000)})
    assert len(read_bytes(tmp_path, "[" + counter(1, args) + "]").counters) == 30_000


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("9", "9"), ('"9"', "9"), (r'"\u0039"', "9"), ('"0x1f"', "0x1f"), ("7.0", "7.0"), ('"007"', "007"), ("-4", "-4"),
        ("1736412474725417508", "1736412474725417508"), ("9223372036854775807", "9223372036854775807"),
        ('"40006882869110636543"', "40006882869110636543"), ("9223372036854775808", "9223372036854775808"),
    ],
)  # fmt: skip
def test_flow_ids_are_compared_as_text(tmp_path: Path, given: str, shown: str) -> None:
    read = read_bytes(
        tmp_path, f'[{{"ph":"s","name":"f","cat":"k","id":{given},"pid":1,"tid":2,"ts":1,"bp":"e"}},{X % ("a", 1, 1)}]'
    )
    (flow,) = read.flows
    assert (flow["id"], flow["category"], flow["enclosing"], flow["tid"]) == (shown, "k", True, "2")
    plain = shown.isdigit() and shown != "007" and int(shown) < 2**63
    assert (read.tables["flow"][0]["id"] >= 0) is plain


def test_flow_steps_and_ends_before_starts_are_handed_on_in_file_order(tmp_path: Path) -> None:
    flows = [("f", 9), ("t", 5), ("s", 1)]
    text = json.dumps([{"ph": p, "cat": "k", "id": 1, "pid": 1, "tid": 1, "ts": t} for p, t in flows])
    read = read_bytes(tmp_path, text)
    assert [(chr(f["phase"]), f["ts_ns"], f["enclosing"]) for f in read.flows] == [
        ("f", 9000, False), ("t", 5000, False), ("s", 1000, False),
    ]  # fmt: skip
    assert (read.report.counts["flow_starts"], read.report.counts["flow_ends"]) == (1, 1)


def test_a_flow_without_an_id_is_left_out_and_counted(tmp_path: Path) -> None:
    read = read_bytes(tmp_path, '[{"ph":"s","cat":"k","ts":1},{"ph":"f","cat":"k","ts":1,"id":null}]')
    assert read.flows == []
    assert read.codes == {"flow_without_id": 2, "nothing_to_show": 1}


def test_keys_and_phases_written_with_escapes_are_read(tmp_path: Path) -> None:
    event = (
        r'{"\u0070h":"\u0058","n\u0061me":"a","\u0064ur":3,"t\u0073":1,"pid":1,"tid":1,"\u0070hh":"Y","a\/b":"c\u0064"}'
    )
    for text in (f"[{event}]", r'{"trace\u0045vents":[' + event + "]}", event):
        assert read_bytes(tmp_path, text).times() == {"a": (1000, 3000, 0)}


def test_a_counter_value_beyond_a_double_is_a_gap(tmp_path: Path) -> None:
    values = ("1", "1e400", "-1e999", "123456789012345678901234567890")
    events = [f'{{"ph":"C","name":"m","pid":1,"ts":{t + 1},"args":{{"a":{v}}}}}' for t, v in enumerate(values)]
    found = [value for *_, value in read_bytes(tmp_path, f"[{','.join(events)}]").counters]
    assert found[0] == 1.0
    assert [math.isnan(value) for value in found] == [False, True, True, False]
