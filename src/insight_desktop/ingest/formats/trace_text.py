"""Texts of trace files: decoding, escapes, and what a file is that is no trace."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.)|$)", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}

# First bytes of formats that get mixed up with traces, and what to call them.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer, not JSON: the data were not downloaded"),
    (b"SQLite format 3\x00", "an SQLite database, not JSON"),
    (b"PK\x03\x04", "a zip archive, not JSON"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data, not JSON"),
    (b"\xfd7zXZ\x00", "xz data, not JSON"),
    (b"BZh", "bzip2 data, not JSON"),
    (b"\x80\x02", "a Python pickle, not JSON"),
    (b"\x80\x03", "a Python pickle, not JSON"),
    (b"\x80\x04", "a Python pickle, not JSON"),
    (b"\x80\x05", "a Python pickle, not JSON"),
    (b"\x7fELF", "a program, not JSON"),
    (b"\xff\xfe", "UTF-16 text; traces are UTF-8"),
    (b"\xfe\xff", "UTF-16 text; traces are UTF-8"),
    (b"[\x00", "UTF-16 text; traces are UTF-8"),
    (b"{\x00", "UTF-16 text; traces are UTF-8"),
    (b"\x00[", "UTF-16 text; traces are UTF-8"),
    (b"\x00{", "UTF-16 text; traces are UTF-8"),
)
_FIXES = {
    "a Git LFS pointer": "Fetch the file with `git lfs pull` and open it again.",
    "an SQLite database": "If it is a profiler database, give it its original name ending in .db.",
    "a zip archive": "Unpack it and open what is inside.",
    "gzip data": "Give the file a name that ends in .json.gz.",
    "zstd data": "Unpack it first.",
    "a Python pickle": "If it is a memory snapshot, give it its original name ending in .pkl or .pickle.",
    "UTF-16 text": "Save the file as UTF-8 and open it again.",
}


def decode(raw: bytes) -> str:
    """UTF-8, else GB18030 where all bytes fit, else UTF-8 with damaged bytes replaced."""
    if raw.isascii():
        return raw.decode("ascii")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "replace")


def unescape(text: str) -> str:
    """Inside of a JSON string without its escapes; half surrogates become the replacement character."""
    if "\\" not in text:
        return text
    found = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SIMPLE.get(m[2], m[2] or ""), text)
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def string_text(raw: bytes) -> str:
    """Text of a JSON string from the bytes between its quotes."""
    return unescape(decode(raw))


def parse(raw: bytes) -> Any:
    """A small JSON value; numbers stay text. None when it cannot be read."""
    try:
        return json.loads(decode(raw), parse_int=str, parse_float=str, parse_constant=str, strict=False)
    except (ValueError, RecursionError):
        return None


def what_is(head: bytes) -> str:
    """What a file with these first bytes is, when it is known to be no JSON; else empty."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "")


def fix_for(what: str) -> str:
    """What to do with a file of that kind."""
    return next((fix for start, fix in _FIXES.items() if what.startswith(start)), "")


def quote_head(head: bytes) -> str:
    """The first bytes of a file for a message."""
    shown = head[:24]
    if all(32 <= byte < 127 or byte in b"\r\n\t" for byte in shown):
        return repr(shown.decode("ascii"))
    return " ".join(f"{byte:02x}" for byte in shown)


def without_bom(head: bytes) -> bytes:
    """Bytes without a UTF-8 byte order mark."""
    return head.removeprefix(codecs.BOM_UTF8)
