#!/bin/sh
# What a run did, for programs: one JSON document. Integers are exact, here beyond what a double can hold.
set -eu
cd "$(dirname "$0")"

mincli reduce-min big-integers.npy --opset 18 --json | python3 -c '
import json, sys
run = json.load(sys.stdin)
print(run["operator"], run["since_version"], run["attributes"])
print(run["output"]["type"], run["output"]["shape"], run["result"])'
#> ReduceMin 18 {'axes': [0], 'keepdims': True}
#> int64 [1] [9007199254740993]
