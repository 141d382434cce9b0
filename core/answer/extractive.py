"""An answer without a language model: the sources' own sentences, each with its citation. Every sentence is word for
word that of a passage (line breaks become spaces, and the source's own reference marks are left out, because a reader
would take them for ours); its citation holds the exact offsets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.answer.amount import amount_asked
from core.answer.check import figures as figures_of
from core.answer.choose import chosen, likeness, points, weighted
from core.answer.disagree import Dispute, disputes
from core.answer.draft import Contradicts, Draft, DraftClaim, Evidence, Score, Split, readable
from core.answer.figures import Differing, Figures, differing
from core.answer.sentences import Sentence, candidates
from core.labels import AnswerMode
from core.records import AnswerCitation

EXTRACTIVE = "Extractive: these are the sources' own sentences, chosen and put in order; no language model wrote them."
_DISPUTES = 2
"""Disputes that are shown."""


@dataclass
class _Page:
    """The draft as it grows."""

    text: str = ""
    claims: list[DraftClaim] = field(default_factory=list)
    citations: list[AnswerCitation] = field(default_factory=list)
    numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def cite(self, sentence: Sentence) -> int:
        """The number of the citation of a sentence; a new citation is added."""
        if sentence.key not in self.numbers:
            number = len(self.numbers) + 1
            self.numbers[sentence.key] = number
            passage = sentence.evidence
            excerpt = passage.text[sentence.start - passage.start : sentence.end - passage.start]
            self.citations.append(
                AnswerCitation(
                    number, passage.document_id, passage.passage_id, passage.title, excerpt, sentence.start,
                    sentence.end, round(sentence.relevance, 4), passage.url,
                )
            )  # fmt: skip
        return self.numbers[sentence.key]

    def add(self, sentence: Sentence, gap: str) -> None:
        number = self.cite(sentence)
        start = len(self.text) + (len(gap) if self.text else 0)
        self.text = f"{self.text}{gap if self.text else ''}{sentence.text} [{number}]"
        self.claims.append(DraftClaim(start, len(self.text), (number,)))


def extractive(
    question: str,
    evidence: Sequence[Evidence],
    split: Split,
    score: Score,
    contradicts: Contradicts | None = None,
    *,
    figures: Figures | None = None,
    threshold: float = 0.7,
    unwanted: Sequence[str] = (),
) -> Draft:
    """A draft made of sentences of ``evidence``.

    Args:
        contradicts: the judge; None: sentences of sources are not compared with one another.
        figures: the reader of figures; None: figures of sources are not compared.
        threshold: least probability of a contradiction between two sentences.
        unwanted: quotes that are left out (text that addresses a model).
    """
    flagged = [" ".join(quote.split()).rstrip("\u2026").casefold() for quote in unwanted if quote.strip()]
    ranked = candidates(
        question, evidence, split, score, lambda text: any(_overlap(text.casefold(), quote) for quote in flagged)
    )
    amount = amount_asked(question, figures_of)
    has_amount = amount.is_in if amount else lambda _: True
    ranked = weighted(ranked, has_amount)
    taken = chosen(ranked)
    if not taken:
        return Draft(AnswerMode.EXTRACTIVE, missing=_MISSING)
    against = disputes(_wanted(ranked, taken), contradicts, threshold) if contradicts is not None else []
    against = _separate(against)[:_DISPUTES]
    differ = differing(question, taken, figures) if figures else ()
    return _write(_with_disputed(taken, against), against, differ, has_amount)


_MISSING = (
    "None of the passages that were found holds a sentence that answers. Ask in other words, or add sources that "
    "speak about it."
)


def _overlap(text: str, flagged: str) -> bool:
    return flagged in text or text in flagged


def _wanted(ranked: Sequence[Sentence], taken: Sequence[Sentence]) -> list[Sentence]:
    """The sentences that are compared: those taken, and others that are as relevant."""
    least = min(sentence.relevance for sentence in taken)
    return [sentence for sentence in ranked if sentence.relevance >= least]


def _separate(disputed: Sequence[Dispute]) -> list[Dispute]:
    """The disputes that do not repeat one another."""
    separate: list[Dispute] = []
    for dispute in disputed:
        if not any(_likewise(dispute, other) for other in separate):
            separate.append(dispute)
    return separate


def _likewise(dispute: Dispute, other: Dispute) -> bool:
    pairs = [(a, b) for a in (dispute.first, dispute.second) for b in (other.first, other.second)]
    return sum(a.key == b.key or likeness(a, b) >= 0.6 for a, b in pairs) >= 1


def _with_disputed(taken: Sequence[Sentence], against: Sequence[Dispute]) -> list[Sentence]:
    """The sentences of the answer, with both sides of every dispute."""
    have = {sentence.key for sentence in taken}
    sides = [side for dispute in against for side in (dispute.first, dispute.second)]
    return [*taken, *(sentence for sentence in {side.key: side for side in sides}.values() if sentence.key not in have)]


def _write(
    taken: Sequence[Sentence],
    against: Sequence[Dispute],
    differ: Sequence[Differing],
    has_amount: Callable[[str], bool],
) -> Draft:
    page = _Page()
    lead = _lead(taken, has_amount)
    groups: dict[str, list[Sentence]] = {}
    for sentence in taken:
        groups.setdefault(sentence.evidence.document_id, []).append(sentence)
    paragraphs = [[lead], *([sentence for sentence in group if sentence is not lead] for group in groups.values())]
    written: set[tuple[str, int, int]] = set()
    for paragraph in paragraphs:
        gap = "\n\n"
        for sentence in _in_order(paragraph):
            if sentence.key not in written:
                written.add(sentence.key)
                page.add(sentence, gap)
                gap = " "
    bullets, claims = [], list(page.claims)
    for place, sentence in enumerate(points(taken)):
        bullets.append(f"{sentence.text} [{page.cite(sentence)}]")
        claims.append(DraftClaim(0, len(bullets[-1]), (page.cite(sentence),), place))
    notes = [EXTRACTIVE]
    pairs = tuple((page.cite(dispute.first), page.cite(dispute.second)) for dispute in against)
    notes += [
        f"The sources seem to disagree: what [{a}] and [{b}] say can hardly both be right. Read both." for a, b in pairs
    ]
    notes += [_figures_note(differing, page) for differing in differ]
    pairs += tuple(
        (page.cite(differing.first[0]), page.cite(other)) for differing in differ for other, _ in differing.others
    )
    return Draft(
        AnswerMode.EXTRACTIVE, page.text, tuple(bullets), tuple(page.citations), tuple(claims), tuple(notes), pairs
    )


def _lead(taken: Sequence[Sentence], has_amount: Callable[[str], bool]) -> Sentence:
    """The sentence that the answer begins with: one that needs none before it and, where the question asks for an
    amount, gives it."""
    alone = [sentence for sentence in taken if not sentence.leans] or [
        sentence for sentence in taken if sentence.before is None
    ]
    return next((sentence for sentence in alone if has_amount(sentence.text)), (alone or taken)[0])


def _figures_note(differ: Differing, page: _Page) -> str:
    parts = []
    for sentence, figure in (differ.first, *differ.others):
        grade = f" ({sentence.evidence.grade})" if sentence.evidence.grade else ""
        parts.append(f"{figure.shown}{grade} [{page.cite(sentence)}]")
    return f"Sources differ: {', '.join(parts)}. Read what each of them measured before you use a figure."


def _in_order(paragraph: Sequence[Sentence]) -> list[Sentence]:
    """The sentences of one document in its order, each behind the sentence it leans on. Where the question asks for a
    figure, sentences without one come last (inside one document only figures make weights differ)."""
    lined: list[Sentence] = []
    for sentence in sorted(paragraph, key=lambda sentence: (-sentence.weight, sentence.start)):
        if sentence.before is not None:
            lined.append(_leading(sentence))
        lined.append(sentence)
    return lined


def _leading(sentence: Sentence) -> Sentence:
    assert sentence.before is not None
    start, end = sentence.before
    text = readable(sentence.evidence.text[start - sentence.evidence.start : end - sentence.evidence.start])
    return replace(sentence, start=start, end=end, text=text, before=None, leans=False)
