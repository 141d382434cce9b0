"""Which headings announce a list of references."""

import re

_NAMES = (
    "references", "reference list", "bibliography", "works cited", "literature cited", "literature", "sources",
    "source list", "sources cited", "citations", "endnotes", "footnotes", "notes", "notes and references",
    "sources and references", "references and sources", "references and notes", "further reading and references",
    "literatur", "literaturverzeichnis", "quellen", "quellenverzeichnis", "références", "bibliographie",
    "referencias", "bibliografía", "referências", "riferimenti", "bibliografia",
    "参考文献", "参考资料", "引用文献", "引用",
    "资料来源", "参考来源", "信息来源", "来源", "參考文獻", "参考文献リスト",
)  # fmt: skip
_QUALIFIED = re.compile(
    r"(?:(?:list of|full|complete|selected|key|primary|cited|all|numbered) )?"
    r"(?:references|sources|citations|bibliography|works cited)(?: cited| consulted| list| used in this report)?"
)
_MARKS = re.compile(
    r"^[\s#*_>]*(?:(?:\d{1,2}(?:\\?\.\d{1,2})*|[IVX]{1,5}|[A-Z])\\?[.):、]\s*)?[\s*_]*|[\s#*_:\uff1a.]+$"
)
_GLUED = re.compile(
    rf"(?:\W*)(?:{'|'.join(re.escape(name) for name in _NAMES)})\s*[:\uff1a]?\s*(?=\[1\])", re.IGNORECASE
)


def is_reference_heading(line: str) -> bool:
    """Whether a heading's text names a list of references (marks, numbering and a colon do not matter)."""
    if len(line) > 80:
        return False
    for bare in {_MARKS.sub("", line).strip().casefold(), line.strip(" \t#*_:\uff1a.").casefold()}:
        if bare in _NAMES or _QUALIFIED.fullmatch(bare):
            return True
    return False


def is_reference_label(line: str) -> bool:
    """Whether a line of plain text stands for such a heading: it is bold, ends in a colon, or is nothing else."""
    return is_reference_heading(line)


def glued_heading_end(text: str) -> int | None:
    """Where the entries begin in a heading that runs on into them (``References[1] ...``); None if it does not."""
    match = _GLUED.match(text)
    return match.end() if match else None
