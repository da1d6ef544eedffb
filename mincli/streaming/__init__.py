"""Whole tensors through the kernels, block by block: memory is bounded whatever the size of inputs and output."""
