"""Which nu a booster of the soft margin should take where a class is rare."""
