"""Data sets, shipped or downloaded; README.md in this folder says where they come from."""

from underdog.datasets.atis import fetch_atis_intents
from underdog.datasets.cache import get_data_home
from underdog.datasets.reuters import fetch_reuters21578
from underdog.datasets.sms_spam import load_sms_spam
from underdog.datasets.trec import fetch_trec_questions
from underdog.datasets.wordnet import fetch_wordnet_glosses

__all__ = [
    "fetch_atis_intents",
    "fetch_reuters21578",
    "fetch_trec_questions",
    "fetch_wordnet_glosses",
    "get_data_home",
    "load_sms_spam",
]
