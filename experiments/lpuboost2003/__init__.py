"""Leskovec and Shawe-Taylor, "Linear programming boosting for uneven datasets", ICML 2003."""
