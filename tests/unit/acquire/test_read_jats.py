"""JATS articles."""

from __future__ import annotations

from datetime import date

import pytest

from core.acquire.read_jats import read_jats
from core.errors import UnreadableSource
from core.labels import FetchState

ARTICLE = b"""<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS Journal Archiving DTD v1.2 20190208//EN"
 "JATS-archivearticle1.dtd">
<article article-type="research-article" xml:lang="en" xmlns:xlink="http://www.w3.org/1999/xlink"><front>
<journal-meta><journal-title-group><journal-title>Water Notes</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">1</article-id><article-id pub-id-type="doi">10.1234/WN.7</article-id>
<title-group><article-title>Rain <italic>gardens</italic></article-title></title-group>
<contrib-group><contrib contrib-type="author">
<name><surname>Lee</surname><given-names>Ann</given-names></name></contrib>
<contrib contrib-type="editor"><name><surname>Ed</surname><given-names>E</given-names></name></contrib></contrib-group>
<pub-date pub-type="epub"><day>5</day><month>4</month><year>2023</year></pub-date>
<abstract><p>Short&nbsp;abstract of the work.</p></abstract></article-meta></front>
<body><sec><title>Methods</title><p>We measured at 3&#x2009;sites <xref>[1]</xref>.</p>
<sec><title>Sites</title><p>Three were used: <list>
<list-item><p>North</p></list-item><list-item><p>South</p></list-item></list>
and no more.</p></sec></sec>
<sec><title>Results</title><p>It works.</p><table-wrap><label>Table 1</label><caption><p>Costs.</p></caption>
<table><tr><td>Soil</td><td>20</td></tr></table></table-wrap></sec></body>
<back><ref-list><ref id="r1"><label>1</label><mixed-citation>Cho B. A work. 2001.</mixed-citation></ref>
<ref id="r2"><mixed-citation>Da C. Another.</mixed-citation></ref></ref-list></back></article>"""


def test_an_article_gives_text_headings_and_metadata() -> None:
    article = read_jats(ARTICLE, name="a.xml")
    assert article.title == "Rain gardens"
    assert article.authors == ("Ann Lee",)
    assert article.published == date(2023, 4, 5)
    assert article.doi == "10.1234/wn.7"
    assert article.publisher == "Water Notes"
    assert article.references == 2
    assert [(h.level, h.text) for h in article.headings] == [
        (2, "Abstract"),
        (2, "Methods"),
        (3, "Sites"),
        (2, "Results"),
        (2, "References"),
    ]
    assert all(article.text[h.start : h.end] == h.text for h in article.headings)
    assert "Short abstract of the work." in article.text
    assert "We measured at 3 sites [1]." in article.text
    assert "Three were used:\n\n- North\n- South\n\nand no more." in article.text
    assert "Table 1 Costs.\n\nSoil | 20" in article.text
    assert article.warnings == ()


def test_other_xml_is_told_by_its_root() -> None:
    with pytest.raises(UnreadableSource, match="<rss>") as caught:
        read_jats(b"<?xml version='1.0'?><rss><channel/></rss>", name="feed.xml")
    assert caught.value.state is FetchState.UNSUPPORTED_TYPE


def test_broken_xml_is_read_as_far_as_it_goes_and_says_so() -> None:
    article = read_jats(
        ARTICLE.replace(b"</sec></sec>\n<sec><title>Results", b"</sec>\n<sec><title>Results"), name="a.xml"
    )
    assert any("errors" in warning for warning in article.warnings)


def test_an_abstract_alone_is_read_with_a_warning() -> None:
    start, end = ARTICLE.index(b"<body>"), ARTICLE.index(b"</article>")
    article = read_jats(ARTICLE[:start] + ARTICLE[end:], name="a.xml")
    assert "no body" in article.warnings[0]
