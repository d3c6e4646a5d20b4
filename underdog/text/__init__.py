"""From text to presence or counts of terms, and the way back to the places in the text."""

from underdog.text.terms import TermVectorizer, UnknownTermError

__all__ = ["TermVectorizer", "UnknownTermError"]
