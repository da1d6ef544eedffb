"""The man pages are what `man/make.py` writes, one for each command, and the wheel installs them all."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from mincli.cli.group import group

ROOT = Path(__file__).parents[1]
PAGES = runpy.run_path(str(ROOT / "man" / "make.py"))["pages"]()


def test_one_page_for_each_command():
    assert sorted(PAGES) == sorted(["mincli.1", *(f"mincli-{name}.1" for name in group.commands)])
    assert sorted(PAGES) == sorted(path.name for path in (ROOT / "man").glob("*.1"))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_is_up_to_date(name):
    assert (ROOT / "man" / name).read_text(encoding="utf-8") == PAGES[name], "run python man/make.py"


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_names_the_variables_that_are_heeded(name):
    section = PAGES[name].partition(".SH ENVIRONMENT\n")[2].partition(".SH")[0]
    assert re.findall(r"^\.B (.*)$", section, re.MULTILINE) == ["NO_COLOR", "TERM", "TMPDIR"]


def test_wheel_installs_every_page():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {f"man/{name}": f"share/man/man1/{name}" for name in PAGES}
