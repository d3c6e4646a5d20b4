"""Boosters with costs beside plain AdaBoost, calibrated and with a threshold, on 46 real sets."""
