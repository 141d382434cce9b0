"""Names are free text; folders are safe."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidName
from storage.database.layout import clean_name, free_slug, is_slug


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Heat in cities", "heat-in-cities"),
        ("../x", "x"),
        ("../../etc", "etc"),
        ("..", "project"),
        ("/", "project"),
        ("🌳🌳", "project"),
        ("Ünïcödé Straße", "unicode-strasse"),
        ("東京", "dong-jing"),
        ("CON", "con-project"),
        ("com1", "com1-project"),
        (".hidden", "hidden"),
        ("a\x00b", "a-b"),
        ("x" * 200, "x" * 60),
        ("-", "project"),
        ("C:\\Windows\\system32", "c-windows-system32"),
        ("nul.txt", "nul-txt"),
    ],
)
def test_a_hostile_name_gets_a_safe_slug(name: str, slug: str) -> None:
    assert free_slug(clean_name(name), []) == slug


@pytest.mark.parametrize("name", ["", " ", "\t\n", "\x00\x01", "\u200b\u200d", "\ud800", "x" * 201, "y" * 300])
def test_a_name_that_no_project_can_have_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(InvalidName, match=r"Give it|Shorten"):
        clean_name(name)


def test_two_projects_never_share_a_folder_even_where_case_does_not_count() -> None:
    assert free_slug("Heat", ["HEAT", "heat-2"]) == "heat-3"


def test_a_name_is_kept_readable() -> None:
    assert clean_name("  Heat\r\n in   cities\u0000 ") == "Heat in cities"
    assert clean_name("e\u0301") == "é"


@given(st.text(max_size=250))
def test_whatever_is_accepted_has_a_slug_that_stays_in_its_folder(name: str) -> None:
    try:
        slug = free_slug(clean_name(name), ["project"])
    except InvalidName:
        return
    assert is_slug(slug)
    assert os.path.basename(os.path.normpath(os.path.join("root", slug))) == slug


@pytest.mark.parametrize("text", ["..", "a/b", ".x", "", "A", "a\n", "-a", "a" * 81])
def test_path_tricks_are_no_slugs(text: str) -> None:
    assert not is_slug(text)
