"""Write the man pages, made from the command line's own definition: `python man/make.py`.

One page for the group and one per command. `tests/test_man.py` fails when a page is not what this script writes, and
when the Chinese page of the group, which is written by hand (`man/zh_TW`), lacks a command, an option or an exit code.
"""

import sys
from inspect import cleandoc
from pathlib import Path

import click

from mincli import __version__
from mincli.cli.group import group
from mincli.errors import ExitCode

ENVIRONMENT = {
    "NO_COLOR": "Set to anything but an empty string: no colours, unless --color asks for them.",
    "TERM": "Set to dumb: no colours, unless --color asks for them, and no progress bar.",
    "TMPDIR": "The folder for temporary copies: of inputs from pipes, .npz archives and TensorProtos with varints, of"
    " outputs to pipes.",
}


def pages() -> dict[str, str]:
    """Return the text of each man page by its file name."""
    names = {"mincli": group} | {f"mincli-{name}": command for name, command in sorted(group.commands.items())}
    return {f"{name}.1": page(name, command, sorted(names)) for name, command in names.items()}


def page(name: str, command: click.Command, names: list[str]) -> str:
    """Return the man page of a command in roff (man(7))."""
    context = click.Context(command, info_name=name.replace("-", " ", 1))
    context.help_option_names = ["-h", "--help"]
    summary, *description = paragraphs(command.help or "")
    examples = [text for text in description if text.startswith("Example")]
    lines = [
        f'.TH {name.upper()} 1 "" "mincli {__version__}" "User Commands"',
        ".SH NAME",
        f"{roff(name)} \\- {roff(summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {roff(context.info_name or '')}",
        roff(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        roff(summary),
    ]
    for text in description:
        if text not in examples:
            lines += [".PP", roff(text)]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for subcommand, target in sorted(command.commands.items()):
            lines += [".TP", f".BR mincli\\-{roff(subcommand)} (1)", roff(paragraphs(target.help or "")[0])]
    lines.append(".SH OPTIONS")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record:
            lines += [".TP", f".B {roff(record[0])}", roff(record[1])]
    for text in examples:
        lines += [".SH EXAMPLES", ".nf", *(roff(line.removeprefix("  ")) for line in text.splitlines()[1:]), ".fi"]
    lines.append(".SH EXIT STATUS")
    for code in ExitCode:
        lines += [".TP", f".B {code.value}", roff(code.meaning)]
    lines.append(".SH ENVIRONMENT")
    for variable, meaning in ENVIRONMENT.items():
        lines += [".TP", f".B {variable}", roff(meaning)]
    *others, last = [f".BR {roff(other)} (1)" for other in names if other != name]
    lines += [".SH SEE ALSO", *(f"{other}," for other in others), last]
    return "\n".join(lines) + "\n"


def paragraphs(text: str) -> list[str]:
    """Split a help text: one line for each paragraph, but those that click is told not to wrap as they are."""
    parts = [part.strip("\n") for part in cleandoc(text).split("\n\n")]
    return [part[2:].strip("\n") if part.startswith("\b") else " ".join(part.split()) for part in parts if part.strip()]


def roff(text: str) -> str:
    """Escape text for roff: backslashes, hyphens that are minus signs, and what starts a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for file, text in pages().items():
        (folder / file).write_text(text, encoding="utf-8")
