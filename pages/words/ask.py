"""Words and pieces of an answer for the page, made from records: pure functions, nothing of Streamlit or a store."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from core.answer.domains import AUTO, Template, template
from core.answer.draft import without_markers
from core.errors import AnswerError
from core.evaluate.measures import Triad
from core.labels import AnswerMode, AnswerState
from core.records import Answer, AnswerCitation, AnswerSentence
from core.text.words import count_words, short
from pages.words.insight import TRIAD

_MARKER = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
SUPPORTED, UNSUPPORTED, UNCHECKED = "supported", "unsupported", "unchecked"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of an answer. ``kind``: supported, unsupported, or unchecked. ``marker``: the number of the citation that
    this run is, None for words. ``why`` says what decided."""

    text: str
    kind: str = UNCHECKED
    marker: int | None = None
    why: str = ""
    first: bool = False


def answer_blocks(answer: Answer) -> list[list[Piece]]:
    sentences = [sentence for sentence in answer.sentences if sentence.bullet is None]
    return _blocks(answer.text, sentences, markers_of(answer))


def bullet_pieces(answer: Answer) -> list[list[Piece]]:
    """Each bullet cut into pieces."""
    blocks = []
    for at, bullet in enumerate(answer.bullets):
        sentences = [sentence for sentence in answer.sentences if sentence.bullet == at]
        blocks.append([piece for block in _blocks(bullet, sentences, markers_of(answer)) for piece in block])
    return blocks


def markers_of(answer: Answer) -> frozenset[int]:
    """Numbers that lead to a citation."""
    return frozenset(citation.marker for citation in answer.citations)


def _blocks(text: str, sentences: Sequence[AnswerSentence], markers: frozenset[int]) -> list[list[Piece]]:
    blocks: list[list[Piece]] = []
    for start, end in _paragraphs(text):
        pieces: list[Piece] = []
        at = start
        for sentence in sorted(sentences, key=attrgetter("start")):
            left, right = max(sentence.start, at), min(sentence.end, end)
            if left >= right:
                continue
            pieces += _cut(text[at:left], None, markers)
            pieces += _cut(text[left:right], sentence, markers)
            at = right
        pieces += _cut(text[at:end], None, markers)
        blocks.append(pieces)
    return blocks


def _paragraphs(text: str) -> list[tuple[int, int]]:
    borders = [match.span() for match in re.finditer(r"\n\s*\n", text)]
    starts = [0, *(end for _, end in borders)]
    ends = [*(start for start, _ in borders), len(text)]
    return [(start, end) for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _cut(text: str, sentence: AnswerSentence | None, markers: frozenset[int]) -> list[Piece]:
    """Words and, each for itself, the markers between them."""
    kind, why = kind_of(sentence), sentence.why if sentence else ""
    pieces: list[Piece] = []
    at = 0
    for match in _MARKER.finditer(text):
        numbers = [int(number) for number in match[1].split(",")]
        if not any(number in markers for number in numbers):
            continue
        pieces += _words(text[at : match.start()], kind, why)
        pieces += [Piece(f"[{number}]", UNCHECKED, number if number in markers else None) for number in numbers]
        at = match.end()
    pieces += _words(text[at:], kind, why)
    for number, piece in enumerate(pieces):
        if piece.kind != UNCHECKED:
            pieces[number] = replace(piece, first=True)
            break
    return pieces


def _words(text: str, kind: str, why: str) -> list[Piece]:
    """Words with what is said of them; a full stop behind a marker, and white space, are no words."""
    if not any(map(str.isalnum, text)):
        return [Piece(text)] if text else []
    bare = text.strip()
    at = text.index(bare)
    parts = [Piece(text[:at]), Piece(bare, kind, why=why), Piece(text[at + len(bare) :])]
    return [part for part in parts if part.text]


def kind_of(sentence: AnswerSentence | None) -> str:
    """The mark of a sentence. A sentence that claims nothing was not checked."""
    if sentence is None or sentence.label is None:
        return UNCHECKED
    return SUPPORTED if sentence.supported else UNSUPPORTED


def unsupported(answer: Answer) -> list[tuple[str, str]]:
    """Sentences that no cited passage supports, each with why; one that the bullets or the text repeat stands once."""
    unbacked: dict[str, tuple[str, str]] = {}
    for sentence in answer.sentences:
        if kind_of(sentence) == UNSUPPORTED:
            words = " ".join(_words_of(answer, sentence).split())
            unbacked.setdefault(without_markers(words).casefold(), (words, sentence.why))
    return list(unbacked.values())


def checked_count(answer: Answer) -> tuple[int, int]:
    """(supported, checked) sentences of the text, each once; its bullets repeat them."""
    checked: dict[str, bool] = {}
    for sentence in answer.sentences:
        if sentence.bullet is None and kind_of(sentence) != UNCHECKED:
            words = without_markers(_words_of(answer, sentence)).casefold()
            checked[words] = sentence.supported and checked.get(words, True)
    return sum(checked.values()), len(checked)


def _words_of(answer: Answer, sentence: AnswerSentence) -> str:
    text = answer.text if sentence.bullet is None else answer.bullets[sentence.bullet]
    return text[sentence.start : sentence.end]


def citation_of(answer: Answer, marker: int) -> AnswerCitation | None:
    return next((citation for citation in answer.citations if citation.marker == marker), None)


def by_document(answer: Answer) -> list[list[AnswerCitation]]:
    """Citations by the document they lead to, in the order of their numbers."""
    groups: dict[str, list[AnswerCitation]] = {}
    for citation in sorted(answer.citations, key=lambda cited: cited.marker):
        groups.setdefault(citation.document_id, []).append(citation)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge: its word, icon, colour, and what it means."""

    word: str
    icon: str
    color: str
    help: str = ""


STATES: dict[AnswerState, Badge] = {
    AnswerState.WRITING: Badge("Being written", "edit_note", "blue"),
    AnswerState.DONE: Badge("Done", "check_circle", "gray"),
    AnswerState.FAILED: Badge("Failed", "error", "red"),
    AnswerState.CANCELLED: Badge("Stopped", "block", "gray", "It was stopped before it was finished."),
    AnswerState.INTERRUPTED: Badge(
        "Interrupted", "power_off", "orange", "The process that wrote it ended before it was finished."
    ),
}


MODES: dict[AnswerMode, Badge] = {
    AnswerMode.EXTRACTIVE: Badge(
        "Extractive: the sources' own sentences",
        "format_quote",
        "blue",
        "No language model wrote this. The sentences are taken from the passages that answer best, word for word.",
    ),
    AnswerMode.GENERATED: Badge(
        "Written by a language model",
        "smart_toy",
        "orange",
        "Each sentence was checked against the passages it cites; read those before you rely on it.",
    ),
}

LEVELS: dict[str, Badge] = {
    "high": Badge("High confidence", "signal_cellular_alt", "green"),
    "medium": Badge("Medium confidence", "signal_cellular_alt_2_bar", "orange"),
    "low": Badge("Low confidence", "signal_cellular_alt_1_bar", "red"),
}

CONFIDENCE_HELP = (
    "How far what was found can carry an answer: from 0 (not at all) to 100. It is about the evidence, not about the "
    "wording."
)
GROUNDING_HELP = (
    "The share of the answer's sentences that the passages they cite support, as the judge of citations reads them."
)


def domain_name(domain: str, templates: Mapping[str, Template] | None = None) -> str:
    if domain == AUTO:
        return "Found from the question"
    own = (templates or {}).get(domain)
    if own is not None:
        return own.title
    try:
        return template(domain).title
    except AnswerError:  # an answer of another version
        return short(domain.replace("_", " "), 40)


def grounding_value(answer: Answer) -> str:
    """``5 of 6``, or a dash."""
    supported, checked = checked_count(answer)
    if answer.grounding_score is None:
        return "–"
    return f"{answer.grounding_score:.0%}" if not checked else f"{supported} of {checked}"


def grounding_line(answer: Answer, threshold: float) -> str:
    """The meaning of the grounding score for this answer, in one sentence. Sentences of the sources themselves stand in
    them by construction: no score is shown."""
    if answer.mode is AnswerMode.EXTRACTIVE:
        return "Its sentences are the sources' own, word for word. Whether they answer the question is for you to see."
    if answer.grounding_score is None:
        return "No sentence of it makes a claim that could be checked."
    if answer.strict:
        rule = "Strict: every sentence must be supported."
    else:
        rule = f"At least {threshold:.0%} of its sentences must be supported."
    verdict = "It is grounded." if answer.grounded else "It is not grounded well enough."
    return f"{verdict} {rule}"


def cut_excerpt(excerpt: str, most: int = 500) -> str:
    """An excerpt as a card shows it: cut at a word, with an ellipsis, where it is long."""
    if len(excerpt) <= most:
        return excerpt
    return excerpt[:most].rsplit(None, 1)[0].rstrip(".,;:") + " …"


def headline(answer: Answer) -> str:
    """The state of an answer in a few words for a list."""
    if answer.state is not AnswerState.DONE:
        return STATES[answer.state].word.lower()
    if answer.missing and not answer.text:
        return "no answer"
    supported, checked = checked_count(answer)
    cited = count_words(len(answer.citations), "citation")
    if answer.mode is AnswerMode.EXTRACTIVE:
        return f"the sources' own sentences, {cited}"
    grounded = f", {supported} of {count_words(checked, 'sentence')} supported" if checked else ""
    return f"written by a model, {cited}{grounded}"


def answer_title(answer: Answer, width: int = 120) -> str:
    return short(answer.question, width) or "(empty question)"


def share_words(value: float | None) -> str:
    """A share with two decimals, or a dash where there was nothing to measure."""
    return "–" if value is None else f"{value:.2f}"


def triad_columns(triads: Sequence[Triad]) -> dict[str, list[str]]:
    """Columns of a table: the three measures of each answer."""
    values = [(triad.context_relevance, triad.groundedness, triad.answer_relevance) for triad in triads]
    return {name: [share_words(value[at]) for value in values] for at, name in enumerate(TRIAD)}
