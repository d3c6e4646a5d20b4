"""From scores to decisions: probabilities with costs, and thresholds that can be defended."""
