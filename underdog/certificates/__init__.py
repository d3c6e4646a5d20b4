"""What theory says about a fitted booster: bounds with their constants, and why there are none."""

from underdog.certificates.certificate import Certificate, Certificates

__all__ = ["Certificate", "Certificates"]
