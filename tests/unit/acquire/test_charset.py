"""Character sets: what a file declares is believed, what is guessed is said, and Latin text is Windows-1252."""

from __future__ import annotations

import pytest

from core.acquire.read_source import read
from core.acquire.read_text import Decoded, decoded
from core.records import Fetched

GUESSED = [
    ("cp1252", "It cost £40 – or €45 – in 2019. The council planted four hundred lime trees on Mill Lane in spring."),
    ("cp1252", "El niño llegó a la ciudad después del año 2019 y plantó cuarenta árboles en la calle."),
    ("cp1252", "L’été dernier, la mairie a planté quarante tilleuls près de l’église. Où sont les garçons ?"),
    ("cp1252", "Grüße aus Köln"),
    ("cp1252", "A cidade plantou quarenta árvores na rua. As crianças não estão lá, é uma informação."),
    ("cp1252", "Staden planterade fyrtio träd på gatan. Där är också några små hus på ön."),
    ("cp1252", "Byen plantede fyrre træer på gaden. Børnene går i skole på øen."),
    ("cp1252", "Kaupunki istutti neljäkymmentä puuta kadulle. Tämä on hyvä asia myös lapsille."),
    ("cp1252", "La città ha piantato quaranta tigli perché l’aria è più fresca. Così è."),
    ("cp1252", "Temperature rose 3°C ± 1 at 50 µm, he said: “It’s ½ of it”…"),
    ("cp1250", "Miasto posadziło czterdzieści lip przy ulicy Młyńskiej. Dzieci są zadowolone, że jest chłodniej."),
    ("cp1250", "Město zasadilo čtyřicet lip v ulici. Děti jsou rády, že je příjemněji a že můžou běhat."),
    ("cp1250", "A város negyven hársfát ültetett az utcán. A gyerekek örülnek, hogy hűvösebb lett az idő."),
    ("cp1254", "Şehir caddeye kırk ıhlamur ağacı dikti. Çocuklar serin olduğu için mutlu ve koşabiliyorlar."),
    ("cp1257", "Miestas pasodino keturiasdešimt liepų gatvėje. Vaikai džiaugiasi, kad yra vėsiau."),
    ("mac_roman", "L’été dernier, la mairie a planté quarante tilleuls près de l’église."),
    ("cp850", "Die Stadt pflanzte vierzig Bäume an der Mühlstraße. Größe und Höhe sind unterschiedlich."),
    ("cp1251", "Город посадил сорок лип на улице. Дети рады, что стало прохладнее."),
    ("koi8-r", "Город посадил сорок лип на улице. Дети рады, что стало прохладнее."),
    ("cp1253", "Η πόλη φύτεψε σαράντα δέντρα στον δρόμο. Τα παιδιά χαίρονται."),
    ("euc_jp", "市は通りに四十本の木を植えた。子供たちは喜んでいる。"),
    ("gb18030", "市议会在磨坊巷种植了四百棵椴树。街道树木使空气降温。"),
]


@pytest.mark.parametrize(("encoding", "text"), GUESSED)
def test_text_without_a_named_charset_is_read_as_written_and_the_guess_is_said(encoding: str, text: str) -> None:
    body = text.encode(encoding)
    result = decoded(body)
    assert (result.text, result.guessed) == (text, True)
    stored = read(Fetched(body, "text/plain", filename="a.txt"), max_bytes=10**6, max_text_chars=10**6)
    assert any("character set" in warning for warning in stored.warnings)
    page = f"<html><head><title>T</title></head><body><p>{text}</p></body></html>".encode(encoding)
    read_page = read(Fetched(page, "text/html", filename="a.html"), max_bytes=10**6, max_text_chars=10**6)
    assert any("character set" in warning for warning in read_page.warnings)


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        (b"plain words", None, "plain words"),
        ("Grüße, £40".encode(), None, "Grüße, £40"),
        ("Grüße".encode("utf-16"), None, "Grüße"),
        ("£40 – nińo".encode("cp1250", "replace"), "windows-1250", "?40 – nińo"),
        ("£40 – €45".encode("cp1252"), "iso-8859-1", "£40 – €45"),
    ],
)
def test_what_is_known_is_no_guess(body: bytes, declared: str | None, text: str) -> None:
    assert decoded(body, declared).warnings() == ()
    assert decoded(body, declared).text == text


def test_utf_8_with_a_broken_byte_stays_utf_8() -> None:
    text = "Die Bäume an der Mühlstraße sind größer als die Häuser, und das Gedränge im März ist schön. "
    result = decoded((text * 3).encode() + b"\xe9 and \xff more")
    assert result.text.startswith(text * 3)
    assert result == Decoded(result.text, "utf-8")
    assert "could not be decoded" in result.warnings()[0]
