"""Gradient boosting for real-valued targets beside other libraries."""
