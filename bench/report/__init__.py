"""Results as a page of tables, with plots."""

from pathlib import Path

from bench.record import Results
from bench.report import plots
from bench.report.markdown import page


def write(results: Results, out: Path) -> list[Path]:
    """Write the plots into the folder `out`, and the page beside it; return the paths of all.

    Without matplotlib there are no plots, and the page says so.
    """
    drawn = plots.draw(results, out)
    path = out.with_name(f"{out.name}.md")
    path.write_text(page(results, {family: f"{out.name}/{plot.name}" for family, plot in drawn.items()}), "utf-8")
    return [path, *drawn.values()]
