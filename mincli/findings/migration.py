"""What changes at a node towards another opset."""
