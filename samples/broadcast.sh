#!/bin/sh
# A row and a column make a table, by NumPy's rule. Min has it from opset 8 on.
set -eu
cd "$(dirname "$0")"

mincli min row.npy column.npy
#> [[2. 1. 2. 2.]
#>  [4. 1. 3. 4.]
#>  [5. 1. 3. 6.]]

mincli min row.npy column.npy --opset 7 2>&1 || echo "exit $?"
#> error: Min-6 needs equal shapes
#>   row.npy         4
#>   column.npy  3 x 1
#>   hint: broadcasting is allowed from Min-8 on: use --opset 8 or newer
#> exit 3
