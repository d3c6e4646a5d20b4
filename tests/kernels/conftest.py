"""The first call of a kernel may compile it: no deadline for a single example."""

from hypothesis import settings

settings.register_profile("kernels", deadline=None)
settings.load_profile("kernels")
