#!/bin/sh
# NaN always wins, even against -inf, whichever input it comes from.
set -eu
cd "$(dirname "$0")"

mincli min a.npy nan.npy
#> [[ nan   0.   4.]
#>  [-inf   5.  nan]]

mincli min nan.npy a.npy
#> [[ nan   0.   4.]
#>  [-inf   5.  nan]]

mincli reduce-min nan.npy
#> nan

mincli reduce-min nan.npy --axes 0
#> [[nan  0. nan]]
