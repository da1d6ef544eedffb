#!/bin/sh
# -0 is less than +0, whichever comes first: the rows of zeros.npy hold both, in both orders.
set -eu
cd "$(dirname "$0")"

mincli min zeros.npy
#> [[ 0. -0.]
#>  [-0.  0.]]

mincli reduce-min zeros.npy --axes 1
#> [[-0.]
#>  [-0.]]
