"""Documents as matrices of terms, and the places of terms in documents."""

from underdog.text.terms import TermVectorizer, UnknownTermError

__all__ = ["TermVectorizer", "UnknownTermError"]
