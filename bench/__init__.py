"""How fast mincli is, beside others that can do the same: `python -m bench`.

| you are looking for | it is in |
|---|---|
| a family of measurements, and its list of cases | `families/`, one file each |
| a peer, and how it does a case | `peers/`, one file each |
| what a case is | `case.py` |
| how two are compared: in turns, in one run | `rounds.py` |
| whole processes, timed from outside | `on_files.py`, `process.py` |
| kernels, timed in memory | `in_memory.py` |
| models, checked in memory | `checks.py` |
| the bars that mincli has to reach | `report/bars.py` |
| tables and plots | `report/markdown.py`, `report/plots.py` |

This process stays small, because a child process starts with the peak memory of its parent: whatever needs NumPy or
a peer runs in a child.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout, from which the children that need this package run."""
