"""Rules: content words, short and long forms, nouns and verbs, statements; three to five variants, never the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import QueryError
from core.expand import word_forms
from core.expand.compose import expansion
from core.expand.definitions import definitions, expanded, long_form
from core.expand.question import MAX_QUESTION_CHARS, checked_question, cut, distinct, manual, original, same
from core.expand.transform import statement, transform
from core.expand.word_forms import content_words, inflected, reformulated, respelled
from core.labels import QueryKind
from core.records import Variant
from core.retrieve.request import MAX_QUERY_CHARS

QUESTIONS = [
    "What is the effect of urban trees on air temperature?",
    "Does shade lower the temperature of streets?",
    "How do LLMs reduce hallucination in RAG?",
    "0-dimensional biomaterials lack inductive properties.",
    "Is aspirin effective against myocardial infarction?",
    "Why did inflation rise in the EU?",
    "what similarity laws must be obeyed when constructing aeroelastic models of heated high speed aircraft .",
    "Are randomized trials of tumor vaccines biased?",
    "Can mobile phones cause cancer in children?",
]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("most", [3, 4, 5])
def test_three_to_five_different_variants_and_never_the_question(question: str, most: int) -> None:
    made, notes = transform(question, {}, most)
    assert 3 <= len(made) <= most
    words = [same(one.text) for one in made]
    assert len(set(words)) == len(words)
    assert same(question) not in words
    assert len({one.key for one in made}) == len(made)
    assert all(one.kind is QueryKind.TRANSFORM and one.why for one in made)
    assert notes == []


@pytest.mark.parametrize(
    "question", ["\U0001f333\U0001f333", "the of and", "街道树木能降温吗", "هل تبرد الأشجار المدينة", "???"]
)
def test_what_the_rules_do_not_know_gives_no_variant_and_says_so(question: str) -> None:
    made, notes = transform(question, {})
    assert made == []
    assert "no variant" in notes[0]


def test_the_content_word_query_leaves_out_words_that_ask() -> None:
    assert content_words("How does the shade of trees lower the heat of the street?") == [
        "shade",
        "trees",
        "lower",
        "heat",
        "street",
    ]


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Do trees cool streets?", "Trees cool streets"),
        ("Does shade lower the temperature?", "Shade lowers the temperature"),
        ("What is the effect of trees on heat?", "The effect of trees on heat is"),
        ("How do trees cool streets?", "Trees cool streets by"),
        ("Why did prices rise?", "Prices rise because"),
        ("Is aspirin a risk factor?", "Aspirin is a risk factor"),
        ("Can phones cause cancer?", "Phones can cause cancer"),
        ("Which trees are best for shade?", "Trees are best for shade"),
        ("Who discovered penicillin?", "Discovered penicillin"),
        ("Street trees cool the air.", "Is it true that Street trees cool the air"),
        ("heat", ""),
        ("?", ""),
    ],
)
def test_a_question_becomes_a_statement_and_a_statement_a_question(question: str, stated: str) -> None:
    assert statement(question) == stated


def test_verbs_become_nouns_and_nouns_verbs_but_look_alikes_stay() -> None:
    assert reformulated(["trees", "reduces", "heat"]) == ["trees", "reduction", "heat"]
    assert reformulated(["reduction", "heat"]) == ["reduce", "heat"]
    assert reformulated(["effective", "dose"]) == ["effective", "dose"]


def test_other_spelling_and_number() -> None:
    assert respelled("Tumor behaviour of neighbors") == "Tumour behavior of neighbours"
    assert inflected(["streets", "trees"]) == ["street", "tree"]
    assert inflected(["glass", "analysis", "virus"]) == ["glass", "analysis", "virus"]
    assert inflected(["lichens", "glass", "lichen"], {"lichen", "lichens"}) == ["lichen", "glass", "lichens"]


# ------------------------------------------------------------ definitions


@pytest.mark.parametrize(
    ("short", "before", "long"),
    [
        ("UHI", "The urban heat island ", "urban heat island"),
        ("LST", "we measured the land surface temperature ", "land surface temperature"),
        ("BBB", "crosses the blood-brain barrier ", "blood-brain barrier"),
        ("PCR", "by polymerase chain reaction ", "polymerase chain reaction"),
        ("UHI", "nothing of the kind ", ""),
        ("see", "as we see ", ""),
        ("UHI", "", ""),
        ("A", "alpha ", ""),
    ],
)
def test_a_long_form_stands_right_before_its_bracket(short: str, before: str, long: str) -> None:
    assert long_form(short, before) == long


def test_definitions_are_taken_from_texts_by_majority() -> None:
    texts = ["The urban heat island (UHI) is real.", "An urban heat island (UHI).", "ultra high intake (UHI)"]
    assert definitions(texts) == {"UHI": "urban heat island"}


def test_the_projects_own_definition_goes_before_the_data_file_and_stays_off_the_web() -> None:
    assert expanded("What does RAG do?", {})[0] == "What does RAG do (retrieval-augmented generation)"
    own = {"RAG": "recombination activating gene"}
    made, _ = transform("What does RAG do?", own)
    assert made[0].text == "What does RAG do (recombination activating gene)"
    assert made[0].web_text == ""


def test_short_forms_are_added_to_long_ones_and_plurals_are_known() -> None:
    assert expanded("large language models for law", {})[0] == "large language models for law (LLM)"
    assert expanded("Do LLMs lie?", {})[0] == "Do LLMs lie (large language model)"
    assert expanded("Do LLMs, large language models, lie?", {}) == ("", "")
    assert expanded("the airport", {}) == ("", "")


# ------------------------------------------------------------ what all variants have in common


def test_the_longest_question_is_what_a_search_takes() -> None:
    assert MAX_QUESTION_CHARS == MAX_QUERY_CHARS
    assert checked_question("x" * 2000)


@pytest.mark.parametrize("question", ["", "  \n\t", "\x00\x00", "x" * 2001, "x" * 100_000])
def test_what_cannot_be_searched_is_refused_with_the_reason(question: str) -> None:
    with pytest.raises(QueryError):
        expansion(question, {})


def test_a_cut_is_at_a_word_where_there_is_one() -> None:
    assert cut("one two three", 8) == "one two"
    assert cut("one two three", 7) == "one two"
    assert cut("x" * 20, 7) == "x" * 7
    assert cut("short", 7) == "short"


def test_variants_that_say_the_same_are_one() -> None:
    kept = distinct(
        "Trees?", [Variant("a", QueryKind.MANUAL, text) for text in ("trees", "Oaks", "OAKS!", "", "\u00d6l")]
    )
    assert [one.text for one in kept] == ["Oaks", "\u00d6l"]


def test_a_variant_by_hand_has_a_key_of_its_own() -> None:
    first = manual("one", [original("q")])
    assert (first.key, first.edited) == ("manual-1", True)
    assert manual("two", [first]).key == "manual-2"
    with pytest.raises(QueryError):
        manual(" ", [])


ORDINARY = """What is R?|Is coffee healthy?|How much water do trees need?|How long do batteries live?|What is C++?
What is photosynthesis?|Who invented the telephone?|When did the war end?|Where do penguins live?|Why is the sky blue?
Do vaccines cause autism?|What are the side effects of aspirin?|How many people lived in Rome in 100 AD?
Which countries pay the most taxes?|Did companies paying dividends do better?|Are endangered species protected by law?
What causes inflation?|How do I learn C++?|How effective are masks?|Can dogs eat chocolate?|What happened in 1989?
Which is better, Python or Java?|Who was Ada Lovelace?|Have wages risen since 2010?|What is the capital of Australia?
Does it work?|Does income vary?|Is the news true?|Were pets centered?""".replace("\n", "|").split("|")


@pytest.mark.parametrize("question", ORDINARY)
def test_an_ordinary_question_gives_three_variants_of_real_words(question: str) -> None:
    made, notes = transform(question, {})
    assert 3 <= len(made) <= 5
    assert notes == []
    assert len({same(one.text) for one in made} | {same(question)}) == len(made) + 1
    real = set(same(" ".join([question, FORMS.read_text("utf-8"), BY_RULE])))
    assert [word for one in made for word in same(one.text) if word not in real] == []


FORMS = Path(word_forms.__file__).with_name("word_forms.toml")
BY_RULE = """countries vaccine masks mask tax varies is it true that there facts about battery penguin company dog
country wars because laws to works"""


def test_no_word_is_made_by_its_ending_alone() -> None:
    words = ["lived", "paying", "species", "healthy", "risen", "news", "series", "stress", "sky"]
    assert inflected(words) == words
    assert respelled("centered catalogs centering") == "centered catalogues centering"
    assert statement("Does income vary?") == "Income varies"
