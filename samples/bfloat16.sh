#!/bin/sh
# bfloat16 makes the round trip: .npy cannot name it, so two-byte raw elements are read and written as bfloat16. A
# TensorProto can name it. Usage: bfloat16.sh [FOLDER for the outputs]
set -eu
out=$(realpath "${1:-$(mktemp -d)}")
[ $# -gt 0 ] || trap 'rm -r "$out"' EXIT
cd "$(dirname "$0")"

mincli min bfloat16.npy --dry-run | grep raw
#>     bfloat16.npy  bfloat16  4  C order, raw two-byte elements, read as bfloat16

mincli min bfloat16.npy -o "$out/copy.pb"
mincli min "$out/copy.pb" -o "$out/copy.npy"
cmp bfloat16.npy "$out/copy.npy"
mincli min "$out/copy.npy"
#> [3.14 2.72 -0.5 3e+38]
