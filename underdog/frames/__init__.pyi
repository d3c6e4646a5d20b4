from .encoder import FrameEncoder
from .errors import BadData
from .leakage import leaks
from .roles import ROLES, Role

__all__ = ["ROLES", "BadData", "FrameEncoder", "Role", "leaks"]
