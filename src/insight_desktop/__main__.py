"""`insight-desktop`: a subcommand runs on the command line, paths open the window."""

from __future__ import annotations

import multiprocessing
import sys

from insight_desktop.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())
