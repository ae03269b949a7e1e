"""Prints, per specification, how many checklist rows a passing test proves, and which are left."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Run the marked tests (unless `--last` takes the results of the last run) and print the table."""
    results = ROOT / "out" / "rows.json"
    if "--last" not in arguments:
        results.unlink(missing_ok=True)
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "--no-header", "-m", "row or example"], cwd=ROOT, check=False
        )
    found = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {"rows": {}, "examples": {}}
    totals: dict[str, int] = tomllib.loads((ROOT / "tests" / "rows.toml").read_text(encoding="utf-8"))["rows"]
    for spec, total in totals.items():
        proved = {int(n) for n, ok in found["rows"].get(spec, {}).items() if ok}
        left = [n for n in range(1, total + 1) if n not in proved]
        print(f"{spec}: {len(proved)} / {total}")
        print(f"  left: {ranges(left)}")
        examples = found["examples"].get(spec, {})
        if examples:
            print(f"  worked examples proved: {', '.join(sorted(n for n, ok in examples.items() if ok))}")
    return 0


def ranges(numbers: list[int]) -> str:
    """`[1, 2, 3, 7]` → `1–3, 7`."""
    parts: list[list[int]] = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in parts) or "none"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
