"""Text categorisation with AdaBoost.MH, after Schapire and Singer, "BoosTexter", 2000."""
