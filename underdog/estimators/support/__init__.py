"""What the boosters share: input checks, weights, validation, predictions, stored state."""
