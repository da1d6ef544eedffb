"""The man pages are what `man/make.py` writes, one for each command; the Chinese one, which is written, has no less."""

import re
import runpy
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import mincli
from mincli.cli.group import group
from mincli.errors import ExitCode

ROOT = Path(__file__).parents[1]
PAGES = runpy.run_path(str(ROOT / "man" / "make.py"))["pages"]()
CHINESE = (ROOT / "man" / "zh_TW" / "man1" / "mincli.1").read_text(encoding="utf-8")


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
    english = {f"man/{name}": f"share/man/man1/{name}" for name in PAGES}
    assert shared == english | {"man/zh_TW/man1/mincli.1": "share/man/zh_TW/man1/mincli.1"}


def entries(page: str, heading: str) -> list[str]:
    """Return what a section of a page has entries for, without roff's escapes."""
    section = page.partition(f".SH {heading}\n")[2].partition(".SH")[0]
    return [entry.replace("\\-", "-") for entry in re.findall(r"^\.TP\n\.BR? (.*)$", section, re.MULTILINE)]


@pytest.mark.parametrize(
    ("heading", "chinese", "known"),
    [
        pytest.param("COMMANDS", "指令", [f"mincli-{name} (1)" for name in sorted(group.commands)], id="commands"),
        pytest.param("EXIT STATUS", "結束狀態", [str(code.value) for code in ExitCode], id="exit-codes"),
        pytest.param(
            "OPTIONS",
            "選項",
            ["--version", "--color [auto|always|never]", "--traceback", "-h, --help"],
            id="options",
        ),
        pytest.param("ENVIRONMENT", "環境變數", ["NO_COLOR", "TERM", "TMPDIR"], id="environment"),
    ],
)
def test_the_chinese_page_has_the_same_entries(heading, chinese, known):
    assert entries(CHINESE, chinese) == entries(PAGES["mincli.1"], heading) == known


def test_the_chinese_page_is_of_this_version():
    assert CHINESE.splitlines()[0] == f'.TH MINCLI 1 "" "mincli {mincli.__version__}" "使用者指令"'


def test_the_chinese_page_has_the_options_that_commands_share():
    commands = [entries(page, "OPTIONS") for name, page in PAGES.items() if name != "mincli.1"]
    having = Counter(option for options in commands for option in options if option != "-h, --help")
    told = entries(CHINESE, "常用選項")
    assert [option for option in told if having[option] < 2] == []
    assert {option for option, count in having.items() if count > 3} <= set(told)


@pytest.mark.skipif(not shutil.which("groff"), reason="there is no groff")
def test_the_chinese_page_is_sound_roff():
    path = ROOT / "man" / "zh_TW" / "man1" / "mincli.1"
    # Not every groff knows where Chinese lines may be broken.
    command = ["groff", "-K", "utf8", "-T", "utf8", "-man", "-ww", "-W", "break", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stderr == ""
    assert "最小值運算子" in done.stdout
