"""Makes the sample runs anew: `./dev samples`. Same seed, same bytes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sample_data import make_bin, make_db, make_service, make_snapshot, make_text  # noqa: E402
from sample_data.simulate import simulate  # noqa: E402


def main() -> None:
    """Write train_text, train_db, kernels, memory and serving beside this script."""
    ranks = simulate()
    make_bin.write(HERE / "kernels")
    make_snapshot.write(HERE / "memory")
    shutil.rmtree(HERE / "serving", ignore_errors=True)
    make_service.write(HERE / "serving")
    for name, maker in (("train_text", make_text), ("train_db", make_db)):
        shutil.rmtree(HERE / name, ignore_errors=True)
        maker.write(HERE / name, ranks)
        size = sum(p.stat().st_size for p in (HERE / name).rglob("*") if p.is_file())
        print(f"{name}: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
