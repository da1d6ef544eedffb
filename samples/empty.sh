#!/bin/sh
# The minimum of nothing is what leaves every other minimum as it is: the greatest integer, or infinity.
set -eu
cd "$(dirname "$0")"

mincli reduce-min empty.npy
#> 9223372036854775807

mincli reduce-min onnx/reduce_min_empty_set/data.npy --axes 1 --no-keepdims
#> [[inf inf inf inf]
#>  [inf inf inf inf]]
