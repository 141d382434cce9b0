"""Checks that the rows of an audit pack are whole and quote the sources beside them word for word."""

from core.export.html_check import page_faults
from core.export.rows import WAITING
from core.records import Document, Finding, Judgement, PackContents
from core.text.words import count_words


def record_problems(contents: PackContents, rows: int, text_hash: str) -> list[str]:
    """Faults of the rows, a sentence each. ``rows`` and ``text_hash`` (of the report) are those that pack.json
    names."""
    problems: list[str] = []
    if len(contents.reports) != 1:
        return [f"It holds {count_words(len(contents.reports), 'report')}; a pack is about one."]
    if contents.reports[0].content_hash != text_hash:
        problems.append("The text of the report is another one than pack.json names.")
    if len(contents.findings) != rows:
        problems.append(f"It holds {count_words(len(contents.findings), 'row')}; pack.json names {rows}.")
    order = [row.ordinal for row in contents.findings]
    for place, ordinal in enumerate(order):
        if ordinal != place:
            problems.append(f"Row {ordinal + 1} stands in place {place + 1}: rows were moved, added or left out.")
            break
    for row in contents.findings:
        problems += _row_problems(row, contents)
    if contents.page is not None:
        statuses = {row.ordinal + 1: row.status.value if row.status else WAITING for row in contents.findings}
        problems += page_faults(contents.page, statuses)
    return problems


def _row_problems(row: Finding, contents: PackContents) -> list[str]:
    name = f"Row {row.ordinal + 1}"
    problems = [f"{name}: its source {source[:64]} is not in the pack." for source in absent(row, contents)]
    if row.verdict is not None and row.verdict.document_id in contents.documents:
        document = contents.documents[row.verdict.document_id]
        for window in (row.verdict.best, row.verdict.against):
            if window is not None and not _stands(window, document, contents.texts[document.id]):
                problems.append(
                    f"{name}: the passage at characters {window.start} to {window.end} of “{document.title[:80]}” is "
                    f"not the one that was judged: “{' '.join(window.text.split())[:80]}”."
                )
    rescue = row.rescue
    text = contents.texts.get(rescue.document_id) if rescue is not None else None
    if rescue is not None and text is not None and text[rescue.start : rescue.end] != rescue.text:
        problems.append(f"{name}: the passage of the better source does not stand at its place.")
    return problems


def absent(row: Finding, contents: PackContents) -> list[str]:
    """Ids of the sources that a row names and the pack does not hold."""
    named = [row.document_id, row.verdict.document_id if row.verdict else None]
    named.append(row.rescue.document_id if row.rescue else None)
    return [source for source in dict.fromkeys(named) if source is not None and source not in contents.documents]


def _stands(window: Judgement, document: Document, text: str) -> bool:
    """True when the judged words are those of the document; its title may stand in front of them."""
    spans = window.spans or ((window.start, window.end),)
    if not all(0 <= start <= end <= len(text) for start, end in spans):
        return False
    judged = "".join(window.text.split())
    stored = "".join("".join(text[start:end].split()) for start, end in spans)
    before = judged.removesuffix(stored).removesuffix(":")
    return judged.endswith(stored) and "".join(document.title.split()).startswith(before)
