#!/bin/sh
# The operators of oneDNN Graph: Minimum takes exactly two inputs and may forbid broadcasting; ReduceMin without axes
# reduces nothing, where ONNX reduces everything.
set -eu
cd "$(dirname "$0")"

mincli min a.npy b.npy --spec onednn
#> [[2. 1. 1.]
#>  [1. 2. 8.]]

mincli min a.npy b.npy nan.npy --spec onednn 2>&1 || echo "exit $?"
#> error: oneDNN Minimum takes exactly 2 inputs, not 3
#> exit 3

mincli min row.npy column.npy --spec onednn --auto-broadcast none 2>&1 || echo "exit $?"
#> error: oneDNN Minimum needs equal shapes with auto_broadcast none
#>   row.npy         4
#>   column.npy  3 x 1
#>   hint: --auto-broadcast numpy allows NumPy broadcasting
#> exit 3

mincli reduce-min b.npy --spec onednn
#> [[2. 7. 1.]
#>  [8. 2. 8.]]

mincli reduce-min b.npy
#> 1.0
