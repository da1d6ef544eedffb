#!/bin/sh
# The lowest point of a grid in a shell variable: a single element is printed as the bare number.
# The heights are int32 here, since no version of ReduceMin takes int16.
set -eu
cd "$(dirname "$0")"

lowest=$(mincli reduce-min ground-int32.npy)
[ "$lowest" -ge 0 ] || { echo "the grid has holes: $lowest" >&2; exit 1; }
echo "the valley lies $lowest m above the sea"
#> the valley lies 302 m above the sea

mincli reduce-min ground.npy 2>&1 || echo "exit $?"
#> error: ReduceMin-20 does not accept int16 (ground.npy)
#>   ReduceMin-20 (opset 20 and newer) accepts bool, bfloat16, uint8, int8, uint32, uint64, int32, int64, float16, float, double
#>   hint: no version of ReduceMin accepts int16
#> exit 3
