"""Notes of the engine in the current language: fixed sentences, and those with numbers or lists in them."""

from __future__ import annotations

import re

import pyarrow as pa

from insight_desktop.views.common.language import QT_TRANSLATE_NOOP, tr

# How the engine writes a note, and the text for the catalogue with its parts in the same order.
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), text)
    for pattern, text in (
        (
            r"The AI Core frequency drops by (\d+) % \(between (\S+) and (\S+) MHz\): look at power and temperature of the device\.",
            QT_TRANSLATE_NOOP("insight", "The AI Core frequency drops by {0} % (between {1} and {2} MHz): look at power and temperature of the device."),
        ),
        (
            r"The AI Core frequency is steady: it drops by (\d+) % \(between (\S+) and (\S+) MHz\)\.",
            QT_TRANSLATE_NOOP("insight", "The AI Core frequency is steady: it drops by {0} % (between {1} and {2} MHz)."),
        ),
        (
            r"Set (torch_npu\S+\(jit_compile=False\)), so that operators are not compiled while they run\.",
            QT_TRANSLATE_NOOP("insight", "Set {0}, so that operators are not compiled while they run."),
        ),
        (
            r"It takes (\d+) µs or more on AICPU: avoid AICPU operators\.",
            QT_TRANSLATE_NOOP("insight", "It takes {0} µs or more on AICPU: avoid AICPU operators."),
        ),
        (
            r"Its data types call for AICPU\. Types that do not: input (.*); output (.*)\.",
            QT_TRANSLATE_NOOP("insight", "Its data types call for AICPU. Types that do not: input {0}; output {1}."),
        ),
        (r"Needs CANN (\S+) or later\.", QT_TRANSLATE_NOOP("insight", "Needs CANN {0} or later.")),
        (r"missing (\S.*)", QT_TRANSLATE_NOOP("insight", "missing {0}")),
    )
)  # fmt: skip

_SENTENCES = frozenset(
    (
        QT_TRANSLATE_NOOP("insight", "This operator runs on AICPU: use an equivalent operator without it."),
        QT_TRANSLATE_NOOP("insight", "no launch: the end of the dequeue is used"),
        QT_TRANSLATE_NOOP("insight", "times are not in order"),
        QT_TRANSLATE_NOOP("insight", "normal"),
        QT_TRANSLATE_NOOP("insight", "fallback"),
        QT_TRANSLATE_NOOP("insight", "incomplete"),
        QT_TRANSLATE_NOOP(
            "insight", "No <built-in …> call encloses the operator or the enqueue: collect with Python stacks."
        ),
        QT_TRANSLATE_NOOP("insight", "No operator (aten::, npu::, vllm::) encloses the enqueue."),
        QT_TRANSLATE_NOOP("insight", "No async_task_queue link leads to the dequeue."),
        QT_TRANSLATE_NOOP("insight", "No dequeue encloses the CANN call on its thread."),
        QT_TRANSLATE_NOOP("insight", "No aclnn call encloses the launch."),
        QT_TRANSLATE_NOOP("insight", "No aclopCompileAndExecute call was found."),
        QT_TRANSLATE_NOOP("insight", "No HostToDevice link leads to the task."),
        QT_TRANSLATE_NOOP("insight", "No launch lies inside the CANN call."),
        QT_TRANSLATE_NOOP("insight", "No HostToDevice link leads from the launch."),
    )
)


def note_text(note: str) -> str:
    """A note of the engine in the current language; unknown ones stay as they are."""
    if note in _SENTENCES:
        return tr(note)
    for pattern, text in _PATTERNS:
        found = pattern.fullmatch(note)
        if found is not None:
            return tr(text).format(*found.groups())
    return note


def translated(table: pa.Table, *columns: str) -> pa.Table:
    """The table with the notes of some columns in the current language."""
    for name in columns:
        encoded = table.column(name).combine_chunks().dictionary_encode()
        texts = [note_text(text) if text else text for text in encoded.dictionary.cast(pa.string()).to_pylist()]
        column = pa.array(texts, pa.string()).take(encoded.indices)
        table = table.set_column(table.column_names.index(name), name, column)
    return table
