"""Which headings announce a list of references."""

import re

_HEADS = frozenset(
    """references bibliography literature sources citations endnotes footnotes notes works-cited reference-list
    source-list literatur quellen literaturverzeichnis quellenverzeichnis literaturangaben quellenangaben fußnoten
    einzelnachweise belege références bibliographie sources notes referencias bibliografía fuentes notas
    referências fontes bibliografia riferimenti fonti note referenties bronnen literatuur bibliografie
    bronvermelding literatuurlijst bronnenlijst referenser källor litteratur källförteckning litteraturförteckning
    referencer kilder kildeliste litteraturliste referanser lähteet viitteet lähdeluettelo źródła literatura
    przypisy zdroje reference irodalom források irodalomjegyzék hivatkozások surse referințe kaynakça kaynaklar
    referensi daftar-pustaka rujukan tài-liệu-tham-khảo nguồn источники литература литературы источников
    библиография примечания ссылки джерела джерел література літератури βιβλιογραφία παραπομπές πηγές المراجع
    المصادر والمراجع والمصادر מקורות ביבליוגרפיה संदर्भ सन्दर्भ เอกสารอ้างอิง""".split()  # noqa: SIM905
)
_JOINS = frozenset(
    """and & of list full complete selected key primary secondary main cited all numbered consulted used in this
    report the further reading online web und der die liste verzeichnis verwendete benutzte zitierte
    weiterführende et des de liste bibliographiques citées consultées principales y e lista bibliográficas citada
    citadas consultada consultadas utilizada utilizadas principais elenco delle dei bibliografici bibliografiche
    citate consultate en van lijst gebruikte geraadpleegde och og ja i használt felhasznált список использованных
    использованной использованная использованные цитируемая використаних и та και قائمة""".split()  # noqa: SIM905
)
_PHRASES = re.compile(
    r"works cited|reference list|source list|daftar pustaka|tài liệu tham khảo", re.IGNORECASE
)  # the words of which mean nothing alone
_UNSPACED = re.compile(
    r"(?:主要|关键|關鍵|重要|使用)?(?:参考|參考|引用|引文|来源|來源|文献|文獻|资料|資料|信息|資訊|出处|出處|出典|参照|典拠|注释|註釋|脚注"
    r"|链接|連結|文章|書目|书目|元|与|與|及|和|リスト|一覧|列表|目录|目錄|清单|清單|\uff0f|/|URL|サイト)+"
    r"|참고\s?(?:문헌|자료)|인용\s?문헌|출처|참조|각주"
)
_TELLING = re.compile("[献獻源引出典考注註脚参문자참출조각]")
_MARKS = re.compile(
    r"^[\s#*_>]*(?:(?:\d{1,2}(?:\\?\.\d{1,2})*|[IVX]{1,5}|[A-Z])\\?[.):、]\s*)?[\s*_]*|[\s#*_:\uff1a.]+$"
)
_LONGEST = 80
_MOST_WORDS = 7
_FIRST_ENTRY = re.compile(r"(?<!\s)\s*+[:\uff1a]?\s*+(?=\[1\])")


def is_reference_heading(line: str) -> bool:
    """Whether a heading's text names a list of references (marks, numbering and a colon do not matter)."""
    if len(line) > _LONGEST:
        return False
    return any(_names_list(bare) for bare in {_MARKS.sub("", line).strip(), line.strip(" \t#*_:\uff1a.")})


def _names_list(bare: str) -> bool:
    if _UNSPACED.fullmatch(bare):
        return bool(_TELLING.search(bare))
    joined = _PHRASES.sub(lambda match: match.group().replace(" ", "-"), bare.casefold())
    words = re.sub(r"(?<=\w)-(?=\s)|[,/()]", " ", joined).split()
    return bool(words) and len(words) <= _MOST_WORDS and not _HEADS.isdisjoint(words) and set(words) <= _HEADS | _JOINS


def is_reference_label(line: str) -> bool:
    """Whether a line of plain text stands for such a heading: it is bold, ends in a colon, or is nothing else."""
    return is_reference_heading(line)


def glued_heading_end(text: str) -> int | None:
    """Where the entries begin in a heading that runs on into them (``References[1] ...``); None if it does not."""
    match = _FIRST_ENTRY.search(text[:_LONGEST])
    return match.end() if match and is_reference_heading(text[: match.start()]) else None
