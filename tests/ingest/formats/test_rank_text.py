from tests.support import csv_fixtures

from insight_desktop import schema
from insight_desktop.ingest.formats import rank_text
from insight_desktop.ingest.report import Report


def test_card_of_csv_files_has_an_empty_timeline(tmp_path):
    assert list(rank_text.read(csv_fixtures.write(tmp_path), Report())) == []


def test_every_text_table_names_its_files(tmp_path):
    source = csv_fixtures.write(tmp_path)
    found = {table: [path.name for path in rank_text.files(source, table)] for table in schema.TABLES}
    assert {table: names for table, names in found.items() if names} == {
        "memory_record": ["memory_record.csv"],
        "operator_memory": ["operator_memory.csv"],
        "module_memory": ["npu_module_mem.csv"],
        "static_memory": ["static_op_mem.csv"],
        "kernel": ["kernel_details.csv"],
    }


def test_table_that_text_files_do_not_have_is_empty(tmp_path):
    source = csv_fixtures.write(tmp_path)
    assert list(rank_text.read_table(source, "app_memory", Report())) == []
    assert (rank_text.files(source, "app_memory"), rank_text.role("app_memory")) == ([], "")
    assert rank_text.role("kernel") == "kernel_csv"
