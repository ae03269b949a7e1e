"""How often the experts of a mixture-of-experts model were used, and where they lie: files of an inference service's dump.

Read are `prefill_<rank>.csv` and `decode_<rank>.csv` (a row per layer, a column per expert of the rank), `model_gen_config.json`
(number of MoE layers), and `prefill_global_deployment.json`, `decode_global_deployment.json` (experts of every device and layer).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from insight_desktop.errors import BadFile, InsightError, NoData
from insight_desktop.ingest.formats.cluster_rank import load_json
from insight_desktop.ingest.open_files import decode_text
from insight_desktop.ingest.report import Report

CONFIG = "model_gen_config.json"
MOST_FILES = 20_000
_HOTSPOT = re.compile(r"^(prefill|decode)_(\d{1,4})\.csv$")
_DEPLOYMENT = re.compile(r"^(prefill|decode)_global_deployment\.json$")
_FIX = "Choose the folder with prefill_<rank>.csv or decode_<rank>.csv and model_gen_config.json, or with *_global_deployment.json."


@dataclass
class ExpertData:
    """What the files of one stage tell.

    Attributes:
        visits: rank → layer → expert of the rank.
        experts: (layer, device) → numbers of the experts that lie there, by slot.
        moe_layers: layers that have experts.
        ranks: number of ranks.
        experts_per_rank: columns of a rank.
    """

    visits: dict[int, list[list[int]]] = field(default_factory=dict)
    experts: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    moe_layers: int = 0
    ranks: int = 0
    experts_per_rank: int = 0


def files(folder: Path, stage: str) -> list[Path]:
    """The files below a folder that tell of a stage, in order of their paths; a file counts for its folder."""
    if not folder.exists():
        raise NoData(f"{folder} is not there any more.", fix=_FIX)
    start = folder if folder.is_dir() else folder.parent
    return sorted(path for path in _below(start) if path.name == CONFIG or _stage(path.name) == stage)


def read(found: list[Path], stage: str, report: Report) -> ExpertData:
    """Read the files of one stage.

    Args:
        found: what `files` gave.
        stage: `prefill` or `decode`.
        report: takes single files that cannot be used.

    Raises:
        NoData: nothing can be used, or the hotspots lack their configuration.
        BadFile: hotspots and deployment do not belong together.
    """
    layers = _layers([path for path in found if path.name == CONFIG], report)
    hotspots = [path for path in found if _HOTSPOT.match(path.name)]
    data = ExpertData()
    if layers is not None:
        _add_hotspots(data, hotspots, layers, report)
    placed = _deployment([path for path in found if _DEPLOYMENT.match(path.name)], report)
    if not data.visits and not placed:
        if hotspots and layers is None:
            raise NoData(f"{CONFIG} is missing beside the {stage} files.", fix=_FIX)
        raise NoData(f"No parsable files of the stage {stage} were found.", fix=_FIX)
    if placed:
        _add_deployment(data, placed, stage)
    return data


def _below(folder: Path) -> Iterator[Path]:
    for seen, path in enumerate(folder.rglob("*")):
        if seen > MOST_FILES:
            raise NoData(f"{folder} holds more than {MOST_FILES:,} files.", fix="Choose a folder closer to the data.")
        if path.is_file():
            yield path


def _stage(name: str) -> str:
    found = _HOTSPOT.match(name) or _DEPLOYMENT.match(name)
    return found[1] if found else ""


def _layers(configs: list[Path], report: Report) -> int | None:
    for path in configs:
        content = _json(path, report)
        layers = content.get("num_moe_layers") if isinstance(content, dict) else None
        if isinstance(layers, int) and not isinstance(layers, bool) and layers > 0:
            return layers
        report.issue("expert_csv.config", "warning", path.name, f"{path.name} does not tell the number of MoE layers.")
    return None


def _json(path: Path, report: Report) -> Any:
    try:
        return load_json(path)
    except (OSError, ValueError) as error:
        report.issue("expert_csv.unusable", "warning", path.name, f"{path.name} was left out: {error}.")
        return None


def _add_hotspots(data: ExpertData, paths: list[Path], layers: int, report: Report) -> None:
    widths: dict[int, int] = {}
    for path in paths:
        match = _HOTSPOT.match(path.name)
        rank = int(match[2]) if match else 0
        try:
            rows = _numbers(path)
        except (OSError, ValueError, InsightError) as error:
            report.issue("expert_csv.unusable", "warning", path.name, f"{path.name} was left out: {error}.")
            continue
        data.visits[rank] = rows[-layers:]
        widths[rank] = max(map(len, rows))
        if len({len(row) for row in rows}) > 1:
            report.issue(
                "expert_csv.ragged", "warning", path.name, f"The rows of {path.name} have different numbers of experts."
            )
    if data.visits:
        first = min(data.visits)
        data.moe_layers = max(map(len, data.visits.values()))
        data.ranks = max(data.visits) + 1
        data.experts_per_rank = widths[first]


def _numbers(path: Path) -> list[list[int]]:
    lines = [line for line in decode_text(path.read_bytes()).splitlines() if line.strip(" ,\t")]
    if not lines:
        raise ValueError("it is empty")
    return [[int(cell) for cell in line.rstrip(", ").split(",")] for line in lines]


Placed = dict[tuple[int, int], list[int]]


def _deployment(paths: list[Path], report: Report) -> Placed:
    for path in paths:
        content = _json(path, report)
        try:
            found = {
                (int(layer["layer_id"]), int(device["device_id"])): [int(e) for e in device["device_expert"]]
                for layer in content["layer_list"]
                for device in layer["device_list"]
            }
        except (KeyError, TypeError, ValueError):
            report.issue("expert_csv.unusable", "warning", path.name, f"{path.name} has no list of layers and devices.")
            continue
        if found:
            return found
    return {}


def _add_deployment(data: ExpertData, placed: Placed, stage: str) -> None:
    layers = max(layer for layer, _ in placed) + 1
    ranks = max(device for _, device in placed) + 1
    if data.visits and (layers, ranks) != (data.moe_layers, data.ranks):
        raise BadFile(
            f"The {stage} files do not belong together: {data.moe_layers} layers on {data.ranks} ranks were counted, "
            f"{layers} layers on {ranks} devices are deployed.",
            fix="Put files of one run into a folder of their own.",
        )
    data.experts = placed
    data.moe_layers, data.ranks = layers, ranks
    data.experts_per_rank = data.experts_per_rank or len(placed[min(placed)])
