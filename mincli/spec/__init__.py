"""What the standards say, as data: element types, operator versions, shape and axes rules."""
