"""Pictures of rankings, costs, probabilities and margins; matplotlib is loaded to draw one."""
