import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from insight_desktop.errors import BadFile
from insight_desktop.ingest.formats import csv_text
from insight_desktop.ingest.formats.csv_text import CsvFile, Field
from insight_desktop.ingest.report import Report

FIELDS = (
    Field("name", ("Name", "Op Name"), required=True),
    Field("start_ns", ("Start(us)",), "ns", required=True),
    Field("size", ("Size",), "real"),
    Field("count", ("Count",), "int"),
    Field("id", ("Id",), "id"),
    Field("device", ("Device",), "device"),
)
HEADER = "Name,Start(us),Size,Count,Id,Device\n"


class Read:
    """All rows of a file as a list of dicts, and the issues."""

    def __init__(self, path, fields=FIELDS, **options):
        self.report = Report()
        self.file = CsvFile(path, self.report, **options)
        self.rows = []
        for columns in self.file.blocks(fields):
            names = list(columns)
            self.rows += [dict(zip(names, row, strict=True)) for row in zip(*(columns[n].to_pylist() for n in names), strict=True)]  # fmt: skip
        self.issues = {issue.code.removeprefix("csv."): issue for issue in self.report.issues}

    def column(self, name):
        return [row[name] for row in self.rows]


@pytest.fixture
def read(tmp_path):
    def make(content, fields=FIELDS, **options):
        path = tmp_path / "one.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Read(path, fields, **options)

    return make


def test_types_of_the_columns(read):
    got = read(HEADER + "a,1.5\t,2.5,3,7,NPU:4\n b ,2,N/A,,N/A,host\n")
    assert got.rows == [
        {"name": "a", "start_ns": 1500, "size": 2.5, "count": 3, "id": "7", "device": 4},
        {"name": "b", "start_ns": 2000, "size": None, "count": None, "id": None, "device": None},
    ]
    assert got.issues == {}


def test_optional_columns_may_be_absent_and_others_are_left_alone(read):
    got = read("extra,op name,start(us)\nx,a,1\n")
    assert got.rows == [{"name": "a", "start_ns": 1000}]


def test_missing_required_columns_and_the_header_are_told(read):
    got = read("Nome,Start(us)\na,1\n")
    assert got.rows == []
    assert got.issues["no_column"].severity == "error"
    assert "no column Name or Op Name" in got.issues["no_column"].message
    assert "Nome, Start(us)" in got.issues["no_column"].message


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"\0\0\0"])
def test_file_without_text_is_empty_not_broken(read, content):
    got = read(content)
    assert (got.rows, got.issues["empty"].severity) == ([], "warning")


def test_header_alone_is_empty(read):
    got = read(HEADER)
    assert got.rows == []
    assert "header but no rows" in got.issues["empty"].message


def test_equal_headers_use_the_first(read):
    got = read("Name,Start(us),Name\na,1,b\n")
    assert got.column("name") == ["a"]
    assert got.issues["duplicate_header"].count == 1


@pytest.mark.row("system-memory-operator-rl", 1)
def test_short_rows_are_left_out_and_long_rows_cut_both_counted(read):
    got = read(HEADER + "a,1,1,1,1,0\nb,2\nc,3,1,1,1,0,x,y\nd,4,1,1,1,0\n")
    assert got.column("name") == ["a", "c", "d"]
    assert (got.issues["short_rows"].count, got.issues["long_rows"].count) == (1, 1)


def test_a_comma_at_the_end_of_every_row_is_no_defect(read):
    got = read(HEADER + "a,1,1,1,1,0,\nb,2,1,1,1,0,\n")
    assert got.column("name") == ["a", "b"]
    assert got.issues == {}


@pytest.mark.row("system-memory-operator-rl", 1)
def test_quoted_fields_keep_one_pair_of_their_own_quotes(read):
    got = read('Name,Start(us)\n"""2,8193""",1\n"""""",2\n"a,b",3\n')
    assert got.column("name") == ['"2,8193"', '""', "a,b"]


def test_bytes_before_the_header_and_line_ends_of_other_systems(read):
    assert read(codecs.BOM_UTF8 + b"Name,Start(us)\r\na,1\r\n").column("name") == ["a"]
    assert read(b"Name,Start(us)\ra,1\rb,2\r").column("name") == ["a", "b"]


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16(read, coding):
    assert read((HEADER + "算子,1,1,1,1,0\n").encode(coding)).column("name") == ["算子"]


def test_gb18030(read):
    got = read((HEADER + "矩阵乘,1,1,1,1,0\n").encode("gb18030"))
    assert got.column("name") == ["矩阵乘"]
    assert got.issues["encoding"].severity == "info"


def test_semicolons_and_decimal_commas_of_a_spreadsheet(read):
    got = read("Name;Start(us);Size\na;1,5;2,25\n")
    assert got.rows == [{"name": "a", "start_ns": 1500, "size": 2.25}]


def test_quote_that_nothing_closes_costs_its_row_at_most(read):
    got = read('Name,Start(us)\na,1\n"b,2\nc,3\n')
    assert got.column("name") == ["a", "b", "c"]


def test_two_open_quotes_do_not_swallow_the_rows_between(read):
    got = read('Name,Start(us)\n"a,1\nb,2\n"c,3\n')
    assert got.column("name") == ["a", "b", "c"]


def test_file_that_ends_inside_a_row(read):
    got = read(HEADER + "a,1,1,1,1,0\nb,2,1")
    assert got.column("name") == ["a"]
    assert "ends inside a row" in got.issues["cut"].message
    assert "short_rows" not in got.issues


def test_last_row_without_a_line_end_is_whole(read):
    got = read(HEADER + "a,1,1,1,1,0\nb,2,1,1,1,0")
    assert (got.column("name"), got.issues) == (["a", "b"], {})


def test_nul_bytes(read):
    got = read((HEADER + "a,1\0,1\0,1,1,0\n").encode() + b"\0\0\0")
    assert (got.column("start_ns"), got.column("size")) == ([1000], [1.0])


def test_exponents_are_used_and_warned_of(read):
    got = read(HEADER + "a,1.761E+15,1,1,1,0\n")
    assert got.column("start_ns") == [1761000000000000000]
    assert "precision" in got.issues["lost_precision"].message


def test_text_in_a_number_column_costs_that_cell_only(read):
    got = read(HEADER + "a,1,big,1,1,0\nb,2,3.5\t,1,1,0\nc,x,1,1,1,0\n")
    assert got.column("size") == [None, 3.5, 1.0]
    assert got.column("start_ns") == [1000, 2000, None]
    assert [(i.where, i.count) for i in got.report.issues] == [
        ("one.csv, column Start(us)", 1),
        ("one.csv, column Size", 1),
    ]


def test_formula_texts_stay_texts(read):
    assert read(HEADER + "=1+1,1,1,1,1,0\n@x,2,1,1,1,0\n").column("name") == ["=1+1", "@x"]


def test_call_stacks_over_several_lines(read):
    got = read('Name,Start(us)\n"f;\ng",1\nh,2\n', multi_line=True)
    assert got.column("name") == ["f;\ng", "h"]


def test_blocks_make_no_difference(tmp_path, monkeypatch):
    path = tmp_path / "big.csv"
    rows = [f'"op,\n{i}",{i}.25,{i / 2},{i},{i},NPU:0' for i in range(3000)]
    path.write_text(HEADER + "\n".join(rows) + "\n")
    whole = Read(path, multi_line=True)
    monkeypatch.setattr(csv_text, "BLOCK_BYTES", 4096)
    pieces = Read(path, multi_line=True)
    assert len(whole.rows) == 3000
    assert pieces.rows == whole.rows
    assert (pieces.rows[-1]["name"], pieces.rows[-1]["start_ns"]) == ("op,\n2999", 2999250)
    assert pieces.issues == {}


def test_one_bad_row_in_many_blocks_is_the_only_loss(tmp_path, monkeypatch):
    path = tmp_path / "big.csv"
    rows = [f"op{i},{i}.25,{i / 2},{i},{i},NPU:0" for i in range(3000)]
    rows[1500] = "broken,1"
    rows[2000] += ",more"
    path.write_text(HEADER + "\n".join(rows) + "\n")
    monkeypatch.setattr(csv_text, "BLOCK_BYTES", 4096)
    got = Read(path)
    assert got.column("start_ns") == [i * 1000 + 250 for i in range(3000) if i != 1500]
    assert {code: issue.count for code, issue in got.issues.items()} == {"short_rows": 1, "long_rows": 1}


def test_missing_file_is_an_error_with_its_name(tmp_path):
    with pytest.raises(BadFile, match=r"none\.csv cannot be read"):
        CsvFile(tmp_path / "none.csv", Report())


CELLS = st.sampled_from(["", "N/A", "1.5", "-2", "3\t", "1e3", "x", '"q,r"', '""', "算", "7.0005", "NPU:3", " 4 "])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=5, max_size=7), min_size=1, max_size=8), st.booleans())
def test_fast_way_gives_what_the_slow_way_gives(rows, whole):
    block = "\n".join(",".join(row) for row in rows).encode() + (b"\n" if whole else b"")
    parser = csv_text._Parser(6, ",", {f: i for i, f in enumerate(FIELDS)}, multi_line=False)
    fast = parser._fast(block, whole) or parser._fast(block, whole, typed=False)
    slow = parser._slow(block, whole)
    assert parser.parse(block).columns == slow.columns
    if fast is not None:
        assert (fast.columns, fast.rows, fast.short, fast.cut) == (slow.columns, slow.rows, slow.short, slow.cut)


def test_one_column_may_be_wanted_by_two_fields_of_different_kinds(read):
    got = read(
        "Time\n55.161\n2\n", (Field("ps", ("Time",), "ps"), Field("us", ("Time",), "real"), Field("t", ("Time",)))
    )
    assert got.rows == [{"ps": 55161000, "us": 55.161, "t": "55.161"}, {"ps": 2000000, "us": 2.0, "t": "2"}]


def test_lines_that_tools_write_before_the_header_are_no_header(read):
    assert read("sep=,\n# made by a tool\n" + HEADER + "a,1,2,3,4,5\n").column("start_ns") == [1000]


def test_files_joined_to_one_give_their_rows_and_no_row_of_headers(read):
    got = read((HEADER + "a,1,2.5,3,4,5\n" + HEADER + "b,2,3.5,3,4,5\n" + HEADER).replace("\n", "\r\n"))
    assert (got.column("name"), got.column("size")) == (["a", "b"], [2.5, 3.5])
    assert {code: issue.count for code, issue in got.issues.items()} == {"header_again": 2}


def test_numbers_as_spreadsheets_group_and_guard_them(read):
    got = read(HEADER + 'a,"86,470.910","1,234,567","1,234,567",x,1\nb,"=""1736412474730135.222""","1.234,5",7,x,1\n')
    assert got.column("start_ns") == [86470910, 1736412474730135222]
    assert (got.column("size"), got.column("count")) == ([1234567.0, 1234.5], [1234567, 7])
    assert got.issues == {}


def test_line_ends_inside_quotes_keep_their_row_whole(read):
    got = read(HEADER + 'a,1,2,3,4,5\n"b\nb",2,3,3,4,5\nc,3,4,3,4,5\n')
    assert (got.column("name"), got.column("start_ns")) == (["a", "b\nb", "c"], [1000, 2000, 3000])
    assert got.issues == {}


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 5\n", "a Git LFS pointer"),
        (b"\x1f\x8b\x08\x00" + bytes(range(1, 40)), "gzip data"),
        (b"PK\x03\x04" + bytes(range(1, 40)), "a zip archive"),
        (b"<html><body>404</body></html>\n", "an HTML page"),
    ],
)
def test_what_stands_in_for_a_csv_is_named(read, content, what):
    got = read(content)
    assert got.rows == []
    assert f"it is no csv but {what}" in got.issues["no_csv"].message
    assert got.issues["no_csv"].fix


@pytest.mark.parametrize("more", ["", "d,1,oops,3,7,NPU:4\n"])
def test_infinite_numbers_are_no_numbers(read, more):
    got = read(HEADER + "a,1,2.5,3,7,NPU:4\nb,1,inf,3,7,NPU:4\nc,1,-Infinity,3,7,NPU:4\n" + more)
    assert got.column("size")[:3] == [2.5, None, None]
    assert got.issues["not_a_number"].count == (3 if more else 2)


@pytest.mark.parametrize("multi_line", [False, True])
def test_line_ends_of_another_kind_in_a_damaged_line_do_no_harm(read, multi_line):
    got = read(
        "Name,Start(us),Size,Count,Id,\rDevice\na,1,2,3,7,NPU:4\nb,1\r,2,3,7\r,NPU:5\nc,1\n", multi_line=multi_line
    )
    assert got.column("name")[:1] == ["a"]
    assert got.column("device")[0] == 4


def test_cells_larger_than_any_limit_are_read_beside_ragged_rows(read):
    got = read(HEADER + f"{'x' * 300_000},1,2,3,7,NPU:4\nshort,1\nb,1,2,3,7,NPU:4,9\n")
    assert [len(name) for name in got.column("name")] == [300_000, 1]


def test_a_short_row_in_another_encoding_is_counted_like_any_other(read):
    got = read((HEADER + "a,1,2,3,7,NPU:4\n短,1\nb,1,2,3,7,NPU:4\n").encode("gb18030"))
    assert got.column("name") == ["a", "b"]
    assert {code: issue.count for code, issue in got.issues.items()} == {"short_rows": 1, "encoding": 1}
