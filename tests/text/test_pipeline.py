"""From documents to a categoriser: what a user writes, and what can be odd about it."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from underdog import AdaBoostClassifier, AdaBoostMHClassifier, Table, TermVectorizer

DOCUMENTS = [
    "oil prices rose", "opec cut oil output", "wheat harvest was large", "wheat and corn prices",
    "oil and wheat", "ships left the port", "port closed to ships", "corn exports by ship",
]  # fmt: skip
TOPICS = np.array(
    [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
)  # nobody has the third


@pytest.fixture
def categoriser():
    return make_pipeline(TermVectorizer(), AdaBoostMHClassifier(n_estimators=10))


def test_three_lines_from_documents_to_topics(categoriser):
    categoriser.fit(DOCUMENTS, TOPICS)
    np.testing.assert_array_equal(categoriser.predict(DOCUMENTS), TOPICS)
    terms = categoriser[0].get_feature_names_out()
    text = categoriser[-1].describe(
        by_label=True, feature_names=terms, label_names=["crude", "grain", "none"]
    )
    assert "if oil present" in text[text.index("crude:") : text.index("grain:")]
    assert "if wheat present" in text[text.index("grain:") :]


def test_a_topic_without_positives_is_never_predicted(categoriser):
    categoriser.fit(DOCUMENTS, TOPICS)
    assert (categoriser.decision_function(["anything", "oil", "", "wheat ship"])[:, 2] < 0).all()


def test_a_topic_with_one_positive_is_learned(categoriser):
    one = TOPICS.copy()
    one[7, 2] = 1
    categoriser.fit(DOCUMENTS, one)
    assert categoriser.predict(["corn exports by ship"])[0, 2] == 1
    assert categoriser.predict(["oil"])[0, 2] == 0


def test_one_topic_without_positives_is_refused():
    categoriser = make_pipeline(TermVectorizer(), AdaBoostClassifier())
    with pytest.raises(ValueError, match="class"):
        categoriser.fit(DOCUMENTS, TOPICS[:, 2])


def test_documents_without_a_known_term_are_scored_alike(categoriser):
    """By what all documents start from, whatever is in them."""
    scores = categoriser.fit(DOCUMENTS, TOPICS).decision_function(["", "?!", "zebra", "yak " * 99])
    assert (scores == scores[0]).all()


def test_duplicated_documents_count_as_often_as_they_are_there(categoriser):
    twice = categoriser.fit(DOCUMENTS * 2, np.tile(TOPICS, (2, 1))).decision_function(DOCUMENTS)
    vectorizer = TermVectorizer().fit(DOCUMENTS)
    weighted = AdaBoostMHClassifier(n_estimators=10)
    weighted.fit(vectorizer.transform(DOCUMENTS), TOPICS, sample_weight=np.full(8, 2))
    again = weighted.decision_function(vectorizer.transform(DOCUMENTS))
    np.testing.assert_array_equal(twice, again)


def test_the_vocabulary_of_another_model_is_refused():
    """More terms, or as many with other names."""
    vectorizer, other = TermVectorizer().fit(DOCUMENTS[:4]), TermVectorizer().fit(DOCUMENTS[4:])
    model = AdaBoostMHClassifier(n_estimators=3)
    model.fit(vectorizer.transform(DOCUMENTS), TOPICS)
    with pytest.raises(ValueError, match=r"features, but AdaBoostMHClassifier is expecting"):
        model.predict(other.transform(DOCUMENTS))
    terms = vectorizer.get_feature_names_out()
    named, strange = (
        Table.hstack([vectorizer.transform(DOCUMENTS)], names=names)
        for names in (terms, [f"other {term}" for term in terms])
    )
    model.fit(named, TOPICS)
    with pytest.raises(ValueError, match="the same columns in the same order"):
        model.predict(strange)
