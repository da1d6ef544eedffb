#!/bin/sh
# Does a model give what it should, and which of its nodes makes the first NaN? margin.onnx takes the root of a
# difference, which some inputs make negative. The exit code says whether there is something to report.
set -eu
cd "$(dirname "$0")"

mincli run-model margin/margin.onnx --test-data margin
#> test_data_set_0: lower is the same as expected: float[2, 3]
#> test_data_set_0: margin is the same as expected: float[2]

mincli run-model margin/margin.onnx a.npy y=b.npy --stats --fail-on-nan || echo "exit $?"
#> lower   float  2 x 3  [[2. 1. 1.] [1. 2. 8.]]
#> margin  float  2      [nan nan]
#> tensor  type   shape  min  max      mean       NaN  Inf  made by
#> x       float  2 x 3  1    9        3.83333    0    0    input
#> y       float  2 x 3  1    8        4.66667    0    0    input
#> lower   float  2 x 3  1    8        2.5        0    0    node 0 (Min lower)
#> gap     float  2 x 3  -7   3        -0.833333  0    0    node 1 (Sub gap)
#> root    float  2 x 3  1    1.73205  1.36603    2    0    node 2 (Sqrt root)
#> margin  float  2      -    -        -          2    0    node 3 (ReduceMin least)
#> node 2 (Sqrt root) makes 2 NaN out of finite inputs: root, the first at [0, 1]
#> exit 1
