import pyarrow as pa

from insight_desktop import schema
from insight_desktop.ingest.formats import table_batches


def test_missing_columns_are_null_and_further_ones_follow():
    columns = {"more": pa.array([1.5, 2.5]), "name": pa.array(["a", "b"]), "start_ns": pa.array([1, 2], pa.int32())}
    batch = table_batches.make("kernel", columns, 2, 10)
    assert batch.schema.names == [*schema.TABLES["kernel"].schema.names, "more"]
    assert batch.column("row").to_pylist() == [10, 11]
    assert (batch.column("start_ns").type, batch.column("wait_ns").to_pylist()) == (pa.int64(), [None, None])


def test_empty_texts():
    assert table_batches.empty_text(2).to_pylist() == ["", ""]
