"""Excerpts: what is shown, where it is cut, and that offsets lead back into the document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.retrieve.stretch import ELLIPSIS, excerpts, highlights, wanted_stems

FILLER = "lorem ipsum dolor sit amet " * 30


def test_inflected_words_are_highlighted() -> None:
    text = "Pumps pumped; a pump is pumping."
    spans = highlights(text, wanted_stems(["heat pump"]))
    assert [text[start:end] for start, end in spans] == ["Pumps", "pumped", "pump", "pumping"]


def test_a_word_with_an_accent_is_found_without_it() -> None:
    text = "Le Cafe\u0301, the café"
    assert [text[start:end] for start, end in highlights(text, wanted_stems(["cafe"]))] == ["Cafe\u0301", "café"]


def test_overlapping_pairs_of_unspaced_scripts_are_one_span() -> None:
    text = "熱泵効率について"
    assert [text[start:end] for start, end in highlights(text, wanted_stems(["熱泵効率"]))] == ["熱泵効率"]


def test_one_sign_is_highlighted_wherever_it_stands() -> None:
    text = "種樹。樹木多，看樹"
    assert [text[start:end] for start, end in highlights(text, wanted_stems(["樹"]))] == ["樹", "樹", "樹"]


def test_a_match_is_shown_with_its_surroundings_cut_at_words() -> None:
    text = FILLER + "needle " + FILLER
    (one,) = excerpts(text, wanted_stems(["needle"]), around=50, offset=1000)
    assert one.text.startswith(ELLIPSIS)
    assert one.text.endswith(ELLIPSIS)
    inner = one.text[one.lead : -1]
    assert text[one.start - 1000 : one.end - 1000] == inner
    assert 80 <= len(inner) <= 106
    assert set(inner.split()) <= set(text.split())
    ((start, end),) = one.matches
    assert one.text[start:end] == "needle"


def test_near_matches_share_a_window_and_far_ones_do_not() -> None:
    near = excerpts("needle " + "x " * 20 + "needle", wanted_stems(["needle"]), around=50)
    assert len(near) == 1
    assert len(near[0].matches) == 2
    far = excerpts("needle " + FILLER + "needle", wanted_stems(["needle"]), around=50)
    assert [one.text.strip(ELLIPSIS).count("needle") for one in far] == [1, 1]
    assert far[0].lead == 0
    assert far[1].lead == 1
    assert not far[1].text.endswith(ELLIPSIS)


def test_nothing_matched_gives_the_beginning() -> None:
    (one,) = excerpts(FILLER, wanted_stems(["needle"]), around=50)
    assert one.start == 0
    assert one.matches == ()
    assert FILLER.startswith(one.text.rstrip(ELLIPSIS))
    assert len(one.text) <= 101


def test_a_short_passage_is_shown_whole() -> None:
    (one,) = excerpts("A short one.", wanted_stems(["short"]))
    assert one.text == "A short one."
    assert (one.start, one.end) == (0, 12)


def test_an_endless_word_is_cut_all_the_same() -> None:
    (one,) = excerpts("needle " + "x" * 5000, wanted_stems(["needle"]), around=100)
    assert len(one.text) < 200


def test_an_empty_passage_has_no_excerpt() -> None:
    assert excerpts("", wanted_stems(["needle"])) == ()


@given(
    text=st.text(alphabet="ab \n.néé東京", max_size=400),
    wanted=st.sampled_from(["ab", "né", "東京", "zz"]),
    around=st.integers(20, 60),
)
def test_offsets_lead_back_whatever_the_text(text: str, wanted: str, around: int) -> None:
    windows = excerpts(text, wanted_stems([wanted]), around=around, offset=5)
    assert sum(window.end - window.start for window in windows) <= len(text)
    for window in windows:
        inner = window.text[window.lead :]
        held = text[window.start - 5 : window.end - 5]
        assert inner == held or inner == held + ELLIPSIS
        for start, end in window.matches:
            assert (
                text[start - window.lead + window.start - 5 : end - window.lead + window.start - 5]
                == (window.text[start:end])
            )


def test_function_words_are_not_highlighted_unless_there_is_nothing_else() -> None:
    assert wanted_stems(["How cool were the streets?"]) == {"cool", "street"}
    assert wanted_stems(["were you"]) != frozenset()
