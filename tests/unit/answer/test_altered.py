"""Promises of what words alone show: another name, another figure, a denial; and what is only worded otherwise."""

from __future__ import annotations

import pytest

from core.answer.altered import altered

PASSAGE = (
    "In 2019 the ADAR1 enzyme of Leeds raised the yield of Dicer in human cells. The bench was added at the request of "
    "pensioners, who would not let us leave. The World Health Organization advised it in Germany."
)


@pytest.mark.parametrize(
    "claim",
    [
        "In 2019 the ADAR1 enzyme of Leeds raised the yield of Mecoptera in human cells.",
        "In 2019 the Dicer enzyme of Leeds raised the yield of Dicer in human cells.",
        "In 2019 the BRCA2 enzyme raised a yield.",
        "The bench was added at the request of pensioners, who would let us leave.",
        "In 2019 the ADAR1 enzyme of Leeds never raised the yield of Dicer in human cells.",
    ],
)
def test_what_is_said_otherwise_is_told(claim: str) -> None:
    assert altered(claim, [PASSAGE])


@pytest.mark.parametrize(
    "claim",
    [
        "In 2019 the ADAR1 enzyme of Leeds raised the yield of Dicer in human cells.",
        "ADAR1 made Dicer yield more.",
        "The WHO gave advice to German offices.",
        "Pensioners asked for the bench.",
        "Dicer's yield rose in Leeds.",
        "",
        "\U0001f333",
        "有树的街道凉快。",
    ],
)
def test_what_is_only_worded_otherwise_is_not(claim: str) -> None:
    assert altered(claim, [PASSAGE]) == ""


def test_names_of_the_title_count_and_the_reverse_of_an_acronym() -> None:
    assert (
        altered("The plan of Port Merrin names trees.", ["The plan names trees."], ["Heat plan of Port Merrin"]) == ""
    )
    assert altered("The World Health Organization advised it.", ["The WHO advised it."]) == ""
