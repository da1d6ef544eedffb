"""The command line: parse, make one library call, render. One file per command."""
