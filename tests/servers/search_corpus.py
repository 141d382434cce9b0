"""The small web that the search server of the tests knows: articles about cool cities and warm houses."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Article:
    """One page. ``kind`` is html or pdf; ``day`` ISO 8601."""

    slug: str
    title: str
    text: str
    authors: tuple[str, ...] = ()
    day: str = ""
    doi: str = ""
    kind: str = "html"

    @property
    def path(self) -> str:
        """Where the server has it."""
        return f"/pages/{self.slug}"

    @property
    def snippet(self) -> str:
        """The first sentence."""
        return self.text.split(". ")[0] + "."

    def body(self) -> tuple[bytes, str]:
        """Bytes and media type."""
        return (_pdf(self), "application/pdf") if self.kind == "pdf" else (_html(self), "text/html; charset=utf-8")


def _html(article: Article) -> bytes:
    head = f"<title>{article.title}</title>"
    head += "".join(f'<meta name="citation_author" content="{name}">' for name in article.authors)
    head += f'<meta name="citation_publication_date" content="{article.day}">' if article.day else ""
    head += f'<meta name="citation_doi" content="{article.doi}">' if article.doi else ""
    paragraphs = "".join(f"<p>{part.strip()}</p>" for part in article.text.split("\n"))
    page = f'<!doctype html><html lang="en"><head><meta charset="utf-8">{head}</head><body><article>'
    return f"{page}<h1>{article.title}</h1>{paragraphs}</article></body></html>".encode()


def _pdf(article: Article) -> bytes:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    made = io.BytesIO()
    styles = getSampleStyleSheet()
    parts = [Paragraph(article.title, styles["Title"])]
    parts += [Paragraph(part.strip(), styles["BodyText"]) for part in article.text.split("\n")]
    SimpleDocTemplate(made, title=article.title, author="; ".join(article.authors), invariant=1).build(parts)
    return made.getvalue()


def matching(query: str, corpus: Sequence[Article]) -> list[Article]:
    """Articles that share words of over three letters with the query, most of them first."""
    asked = {word for word in re.findall(r"\w+", query.lower()) if len(word) > 3}

    def shared(article: Article) -> int:
        return len(asked & set(re.findall(r"\w+", f"{article.title} {article.text}".lower())))

    return sorted((one for one in corpus if shared(one)), key=lambda one: (-shared(one), one.slug))


CORPUS: tuple[Article, ...] = (
    Article(
        "street-trees",
        "Street trees and summer heat",
        "Street trees lower the air temperature under their canopy by one to two degrees on hot afternoons. The "
        "measurements were taken in forty streets of Berlin over three summers.\nThe effect is strongest where the "
        "canopy closes over the pavement and where the soil below holds enough water. Young trees with small crowns "
        "cool hardly at all, and a row of them needs about fifteen years until it shades a street.",
        ("Ada Linde", "Bo Ahorn"),
        "2021-06-15",
        "10.5555/trees.2021.1",
    ),
    Article(
        "cool-roofs",
        "Cool roofs in dense cities",
        "Cool roofs reflect sunlight and lower the surface temperature of buildings by up to thirty degrees. Inside "
        "the top floor the air is about two degrees cooler on summer days.\nIn winter the same roofs raise the demand "
        "for heating a little, so that the gain over a year depends on the climate of the city.",
        ("Carla Weiss",),
        "2019-03-01",
        "10.5555/roofs.2019.7",
    ),
    Article(
        "heat-pumps",
        "Heat pumps at low temperatures",
        "Heat pumps deliver three units of heat for one unit of electricity at minus ten degrees. The field test "
        "followed one hundred houses in Norway for two winters.\nBelow minus twenty degrees the ratio falls to about "
        "two, and an electric heater helps for some hours a year.",
        ("Dag Frost",),
        "2022-11-30",
        "10.5555/pumps.2022.3",
    ),
    Article(
        "urban-parks",
        "Parks as cool islands",
        "Parks are cooler than the built streets around them, and the cool air reaches about one park width into the "
        "neighbourhood. Night cooling needs open lawns; afternoon cooling needs trees.\nA park of less than one "
        "hectare has no measurable effect beyond its own edge in most of the studied cities.",
        ("Eva Wiese", "Finn Hain"),
        "2020-08-20",
        "10.5555/parks.2020.4",
    ),
    Article(
        "green-walls",
        "Green walls measured",
        "Green walls cool the surface behind them by twelve degrees but the air of the street by less than half a "
        "degree. Their cost a square metre is about twenty times that of a street tree.\nWater use is high in summer, "
        "and many plantings fail within five years when nobody tends them.",
        ("Gil Efeu",),
        "2018-05-05",
        "",
    ),
    Article(
        "heat-deaths",
        "Deaths in heat waves",
        "Mortality rises by about two per cent for each degree above the local threshold during heat waves. People "
        "over seventy-five who live alone carry most of the risk.\nHeat warnings with visits by neighbours lowered "
        "the excess mortality by a fifth in the cities that tried them.",
        ("Hana Glut", "Ivo Brand"),
        "2023-07-01",
        "10.5555/deaths.2023.9",
        "pdf",
    ),
    Article(
        "insulation",
        "Insulation of old houses",
        "Insulation of the outer walls halves the heating demand of houses built before 1960. Summer comfort improves "
        "as well, for the rooms warm up later in the day.\nMoisture is a risk where the wall was wet before, so that "
        "the work should begin with the roof and the ground.",
        ("Jo Kork",),
        "2017-10-10",
        "",
    ),
)  # fmt: skip
