#!/bin/sh
# One command's result is the next one's input: "-o -" writes .npy bytes to stdout, and "-" reads them from stdin.
set -eu
cd "$(dirname "$0")"

mincli min a.npy b.npy -o - | mincli reduce-min -
#> 1.0

mincli reduce-min b.npy --axes 1 -o - | mincli min a.npy -
#> [[1. 1. 1.]
#>  [1. 2. 2.]]
