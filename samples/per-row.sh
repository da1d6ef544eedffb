#!/bin/sh
# The lowest of each row, of each column, and the lower of the two at each place: reduced axes keep extent 1, so the
# results broadcast against each other. axes.npy holds -1, the last axis. Usage: per-row.sh [FOLDER for the outputs]
set -eu
out=$(realpath "${1:-$(mktemp -d)}")
[ $# -gt 0 ] || trap 'rm -r "$out"' EXIT
cd "$(dirname "$0")"

mincli reduce-min b.npy --axes @axes.npy -o "$out/rows.npy"
mincli reduce-min b.npy --axes 0 -o "$out/columns.npy"
mincli min "$out/rows.npy" "$out/columns.npy"
#> [[1. 1. 1.]
#>  [2. 2. 1.]]

mincli reduce-min b.npy --axes 1 --no-keepdims
#> [1. 2.]
