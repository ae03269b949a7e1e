"""The sample runs that come with the source tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import insight_desktop
from insight_desktop.views.common.language import tr


@dataclass(frozen=True)
class Sample:
    """A folder that can be opened right away."""

    path: Path
    title: str
    about: str
    icon: str


def sample_folder() -> Path:
    """`sample_data` beside the sources; not there in an installed package."""
    return Path(insight_desktop.__file__).resolve().parents[2] / "sample_data"


def samples() -> list[Sample]:
    """The samples that are there."""
    folder = sample_folder()
    known = [
        Sample(
            folder / "train_text",
            tr("Training, text output"),
            tr("Two ranks. Timeline from trace_view.json"),
            "chart-bar-horizontal",
        ),
        Sample(
            folder / "train_db", tr("Training, database"), tr("The same two ranks from profiler databases"), "database"
        ),
        Sample(
            folder / "kernels", tr("Two kernels"), tr("Operator profiles of an addition and a matrix product"), "cpu"
        ),
        Sample(
            folder / "memory", tr("Memory snapshot"), tr("A training run that leaks and runs out of memory"), "stack"
        ),
        Sample(folder / "serving", tr("Serving"), tr("Requests, batches and a KV cache that runs short"), "gauge"),
    ]
    return [sample for sample in known if sample.path.is_dir()]
