#!/bin/sh
# One array in every format and layout that mincli reads: the result is the same file, byte for byte.
# Usage: formats.sh [FOLDER for the outputs]
set -eu
out=$(realpath "${1:-$(mktemp -d)}")
[ $# -gt 0 ] || trap 'rm -r "$out"' EXIT
cd "$(dirname "$0")"

mincli min a.npy b.npy -o "$out/expected.npy"
for input in a-big-endian.npy a-fortran.npy a.pb ab.npz:a ab.safetensors:a; do
    mincli min "$input" b.npy -o "$out/result.npy"
    cmp "$out/expected.npy" "$out/result.npy"
    echo "$input: the same"
done
#> a-big-endian.npy: the same
#> a-fortran.npy: the same
#> a.pb: the same
#> ab.npz:a: the same
#> ab.safetensors:a: the same
