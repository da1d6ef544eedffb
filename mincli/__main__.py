"""Make `python -m mincli` the same as `mincli`."""

from mincli.cli.main import main

if __name__ == "__main__":
    main()
