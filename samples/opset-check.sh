#!/bin/sh
# Which opset's Min accepts int32? A dry run checks everything and computes nothing; its exit code is the answer.
set -eu
cd "$(dirname "$0")"

for opset in 1 6 8 11 12 13; do
    code=0
    mincli min ground-int32.npy --opset "$opset" --dry-run >/dev/null 2>&1 || code=$?
    echo "opset $opset: exit $code"
done
#> opset 1: exit 3
#> opset 6: exit 3
#> opset 8: exit 3
#> opset 11: exit 3
#> opset 12: exit 0
#> opset 13: exit 0

mincli min ground-int32.npy --opset 8 2>&1 || echo "exit $?"
#> error: Min-8 does not accept int32 (ground-int32.npy)
#>   Min-8 (opset 8 to 11) accepts float16, float, double
#>   hint: int32 is accepted from Min-12 on: use --opset 12 or newer
#> exit 3
