#!/bin/sh
# What is wrong with a model, before anything runs it? And may an array go into an operator, and from which version on?
# The exit code says whether there is something to report.
set -eu
cd "$(dirname "$0")"

mincli check-schema faulty.onnx --ignore MC313 || echo "exit $?"
#> faulty.onnx: error MC201: node 1 (Sub-14 gap): nothing makes its input lowr; hint: did you mean lower?
#> faulty.onnx: error MC301: node 2 (Relu6 kept): ai.onnx has no operator Relu6; hint: did you mean Relu?
#> exit 1

# The codes alone, as a program would read them.
mincli check-schema faulty.onnx --output-format json | grep '"code"'
#>           "code": "MC201",
#>           "code": "MC301",
#>           "code": "MC313",

mincli check-schema --op Min --output-format json ground-int32.npy | grep '"first"'
#>   "first": 12,
