"""Promises of the bundled sources."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from core import demo
from core.acquire import grade as grade_module
from core.acquire.dedup import signature, similarity
from core.acquire.grade import Grader
from core.errors import UnreadableSource
from core.labels import FetchState, Grade
from tests.unit.demo.reading import EXTRACTED, MARK, STORED, TEXTS, extraction


def test_every_file_of_the_folder_is_in_the_catalogue_once() -> None:
    folder = Path(demo.__file__).parent / "sources"
    assert sorted(path.name for path in folder.iterdir()) == sorted(source.filename for source in demo.sources())


def test_addresses_are_unique_and_under_the_reserved_name_example() -> None:
    urls = [source.url for source in demo.sources()] + [gone.url for gone in demo.unavailable()]
    assert len(set(urls)) == len(urls)
    assert all(url.split("/")[2].endswith(".example") for url in urls)


@pytest.mark.parametrize("source", STORED, ids=lambda source: source.filename)
def test_every_text_says_that_it_is_invented(source: demo.DemoSource) -> None:
    assert MARK in TEXTS[source.filename]


@pytest.mark.parametrize("source", STORED, ids=lambda source: source.filename)
def test_every_text_is_long_enough_to_be_worth_a_search(source: demo.DemoSource) -> None:
    words = len(EXTRACTED[source.filename].text.split())
    assert 300 <= words <= 1500


def test_formats_and_grades_cover_what_the_product_reads() -> None:
    endings = [source.filename.rsplit(".", 1)[1] for source in demo.sources()]
    assert {ending: endings.count(ending) for ending in set(endings)} == {
        "html": 6,
        "pdf": 4,
        "docx": 3,
        "md": 3,
        "txt": 1,
        "xml": 1,
    }
    assert {source.grade for source in STORED} == set(Grade)


def test_the_scan_has_no_text_and_is_reported_as_pictures() -> None:
    (scan,) = (source for source in demo.sources() if source.state is not FetchState.STORED)
    assert TEXTS[scan.filename] == ""
    with pytest.raises(UnreadableSource) as failure:
        extraction(scan)
    assert failure.value.state is scan.state is FetchState.IMAGE_ONLY


def test_only_the_press_release_and_its_copy_are_near_duplicates() -> None:
    signatures = {name: signature(read.text) for name, read in EXTRACTED.items()}
    names = sorted(signatures)
    close = [
        [a, b] for i, a in enumerate(names) for b in names[i + 1 :] if similarity(signatures[a], signatures[b]) > 0.5
    ]
    assert [sorted(pair) for pair in demo.key()["near_duplicates"]] == close
    assert all(similarity(signatures[a], signatures[b]) >= 0.8 for a, b in close)


def test_articles_of_shared_origin_name_it() -> None:
    study, release = demo.key()["shared_origins"]
    for name in study["sources"]:
        assert "10.5555/jucp.2023.0417" in (EXTRACTED[name].text + " ".join(EXTRACTED[name].links))
        assert "a thermometer in the air will tell you one" in TEXTS[name]
    assert "Pia Thornbury" in TEXTS[release["origin"]]


@pytest.mark.parametrize("source", STORED, ids=lambda source: source.filename)
def test_grade_is_the_expected_one_once_the_rules_know_the_domain(source: demo.DemoSource, tmp_path: Path) -> None:
    grader = Grader(_rules_with_demo_domains(tmp_path))
    assessment = grader.assess(EXTRACTED[source.filename], url=source.url, kind=source.kind)
    assert assessment.grade is source.grade, [reason.text for reason in assessment.reasons]


def _rules_with_demo_domains(folder: Path) -> Path:
    """The shipped rules, with the demonstration's domains added where they are not listed yet."""
    rules = Path(grade_module.__file__).with_name("grade_rules.toml").read_text(encoding="utf-8")
    known = {domain for publisher in tomllib.loads(rules)["publisher"] for domain in publisher.get("domains", [])}
    effects = {publisher["name"]: publisher for publisher in tomllib.loads(rules)["publisher"]}
    blocks = []
    for source in STORED:
        domain = source.url.split("/")[2]
        if source.publisher_class is None or domain in known:
            continue
        publisher = effects.get(source.publisher_class, {"effect": -0.5})
        flags = "".join(f"{flag} = true\n" for flag in ("preprint", "peer_reviewed") if publisher.get(flag))
        blocks.append(
            f'[[publisher]]\nname = "{source.publisher_class}"\neffect = {publisher["effect"]}\n{flags}'
            f'reason = "of the demonstration ({{domain}})"\ndomains = ["{domain}"]\n'
        )
    path = folder / "grade_rules.toml"
    path.write_text(rules.replace("[signals]", "\n".join([*blocks, "[signals]"]), 1), encoding="utf-8")
    return path
