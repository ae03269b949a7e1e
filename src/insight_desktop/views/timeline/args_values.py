"""How the details of a slice are read: nested values, call stacks line by line, arrays of equal objects as tables."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from insight_desktop.ingest.formats.service_rids import rids_of

# Keys whose values are frames or source lines.
_LINED = {"callstack", "code", "stack", "stacktrace"}
# A frame ends with a line break, in the files usually behind a semicolon; some writers escape the break twice.
_LINE_END = re.compile(r";?(?:\r\n|\n|\r|\\r\\n|\\n)")
_LOOKS_LIKE_A_VALUE = re.compile(r"\s*|\s.*|.*\s|true|false|null|[+-]?[0-9][0-9.eE+-]*|[\[{].*", re.DOTALL)

_TOO_DEEP = '"… nested too deeply"'
LONGEST = 2_000  # characters of a value on screen; copies hold all of it


def clipped(text: str) -> str:
    """The beginning of a very long text, marked as such."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def is_lined(key: str) -> bool:
    """Whether a key holds text with one frame or source line per line."""
    return re.sub(r"[^a-z]", "", key.lower()) in _LINED


def lines_of(text: str) -> list[str]:
    """The frames or lines of a call stack or code value, without their separators."""
    found = [part.strip("\r\n") for part in _LINE_END.split(text)]
    while found and not found[-1].strip(" ;"):
        found.pop()
    if found:
        found[-1] = found[-1].removesuffix(";")
    return found


def flat(text: str) -> str:
    """Entries that stand on lines of their own, as the shapes of several inputs, on one line: `4,8; 8,2`."""
    return re.sub(r";(?:\r\n|\n|\r)", "; ", text).rstrip() if ";" in text else text


def shown(value: Any) -> str:
    """One value as text, as the file has it; quotes where a string would be taken for something else."""
    if isinstance(value, str):
        value = flat(value)
        return json.dumps(value, ensure_ascii=False) if _LOOKS_LIKE_A_VALUE.fullmatch(value) else value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return _TOO_DEEP


def copied(value: Any) -> str:
    """One value as it goes to the clipboard: strings as they are, the rest as JSON."""
    return value if isinstance(value, str) else as_json(value)


def as_json(value: Any) -> str:
    """JSON with two spaces of indent, other letters than ASCII as they are."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=2, default=str)
    except RecursionError:
        return _TOO_DEEP


def pairs_as_json(pairs: Sequence[tuple[str, Any]]) -> str:
    """All details as one JSON object; a key that is there twice keeps both values."""
    body = ",\n".join(
        f"  {json.dumps(key, ensure_ascii=False)}: {as_json(value).replace(chr(10), chr(10) + '  ')}"
        for key, value in pairs
    )
    return f"{{\n{body}\n}}" if body else "{}"


def nested(value: Any) -> Any:
    """A list or dict inside a text, or the value itself: some writers store JSON as text."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    # Lists of plain values (shapes) read better as the text they are.
    plain = isinstance(found, list) and not any(isinstance(v, dict) for v in found)
    return value if plain or not isinstance(found, (dict, list)) else found


def table_of(value: Any) -> pa.Table | None:
    """An array of objects with equal keys as a table, else None."""
    if not isinstance(value, list) or len(value) < 2 or not all(isinstance(v, dict) and v for v in value):
        return None
    keys = list(value[0])
    if any(list(v) != keys and set(v) != set(keys) for v in value):
        return None
    return pa.table({str(key): _column([v[key] for v in value]) for key in keys})


def requests_table(value: Any) -> pa.Table | None:
    """The requests that an event lists, one row each with all that is said of them; None when it lists none."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        value = _literal(value)
    if isinstance(value, dict) and isinstance(value.get("rid"), list):
        value = value["rid"]
    rows = value if isinstance(value, list) else [value]
    if rows and all(isinstance(row, dict) and "rid" in row for row in rows):
        keys = list(dict.fromkeys(str(key) for row in rows for key in row))
        keys.sort(key=lambda key: key != "rid")
        return pa.table({key: _column([row.get(key) for row in rows]) for key in keys})
    names = rids_of(value)
    return pa.table({"rid": pa.array(names, pa.string())}) if names else None


def _literal(text: str) -> Any:
    """A list or object inside a text, as JSON or as Python writes it; the text when it is neither."""
    for read in (json.loads, ast.literal_eval):
        try:
            return read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return text


def children(value: Any) -> Iterable[tuple[str, Any]]:
    """Entries of a nested value: keys of an object, positions of an array."""
    if isinstance(value, dict):
        return [(str(k), v) for k, v in value.items()]
    if isinstance(value, list):
        return [(f"[{i}]", v) for i, v in enumerate(value)]
    return []


def _column(values: list[Any]) -> pa.Array:
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, int) and not isinstance(v, bool) and -(2**63) <= v < 2**63 for v in known):
        return pa.array(values, pa.int64())
    # A float column must not blur integers beyond 2**53.
    if known and all(isinstance(v, float) or (type(v) is int and abs(v) <= 2**53) for v in known):
        return pa.array([None if v is None else float(v) for v in values], pa.float64())
    return pa.array([None if v is None else v if isinstance(v, str) else shown(v) for v in values], pa.string())
