"""The verifier as answers use it: units of a passage, figures of a sentence, the check of a claim against passages."""

import re
from collections.abc import Sequence
from dataclasses import replace

from core.answer.altered import altered
from core.answer.draft import Evidence, Unit
from core.answer.figures import Figure
from core.answer.grounding import Checked
from core.errors import ModelError
from core.labels import Label
from core.ports.engines import Engines
from core.ports.store import Entailer
from core.records import Document, Passage, SourceVerdict
from core.settings.values import Verification
from core.text.faults import OWN_FAULTS, fault_words
from core.verify.check_worthy import check_worthy
from core.verify.checks.numbers import numbers_of
from core.verify.checks.quantities import shown
from core.verify.screen import Remembering, WindowsOnly
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from core.verify.source_units import leans_back, units_of

WINDOWS = 6
"""Windows of a passage that are judged; a passage has three to six sentences."""
_NO_SUBJECT = re.compile(
    r"(?:In|At|On|By|For|Of|From|Under|After|Before|During|As|Among|With)\b[^.,;:]{0,40}?,?\s(?:it|they|he|she|this|these)\s"
    r"|(?:Most|Some|All|Half|Part|Much|Many|None|Few|Several|Both|Each|Any|One|Two|Three|Neither) of "
    r"(?:it|them|this|that|these|those)\b"
)
_LINKS = re.compile(
    r"(?:Yet|Besides|Additionally|Consequently|Accordingly|Nevertheless|Nonetheless|Likewise|Conversely|Meanwhile|Nor|"
    r"Because of (?:this|that)|In (?:addition|contrast|turn|fact|short|other words)|By contrast|As a result|Even so|"
    r"For (?:example|instance|this reason)|On the (?:other hand|contrary)|At the same time|That said|After all|"
    r"Apart from (?:this|that))\b|(?:Together|Still|Then|Hence|Indeed|Or|Now|As (?:such|well)|Of course),"
)
"""Beginnings that join a sentence to the one before it."""
_STATES_NOTHING = frozenset(
    {"a question", "an open question", "only announces what follows", "a transition", "a heading"}
)
_LEFT_OPEN = re.compile(
    r"(?:The|These|None of the|No) (?:given |cited )?(?:documents?|sources?|passages?) "
    r"(?:(?:do|does) not|don't|doesn't|leaves? open) "
    r"?(?:say|state|give|mention|report|address|cover|tell|specify|explain|whether|how|what|why|when|who)\b"
)
_ATTRIBUTION = re.compile(
    r"(?:According to (?:the|these|this|both|all|several|one of the) (?:cited |given )?"
    r"(?:sources?|documents?|passages?),? "
    r"|(?:The|These|This|Both|All|Several) (?:cited |given )?(?:sources?|documents?|passages?) "
    r"(?:say|state|report|note|show|find|agree|write|add)s? that )"
)
_ALTERED = 0.49
"""Most support of a claim with a name, figure or denial that its passage lacks."""
_LEAST_REST = 3
_MOST_PASSAGES = 4
"""Passages of a claim that are judged one by one."""


def split(passage: Evidence) -> list[Unit]:
    """The sentences, headings and lines of a passage."""
    units = units_of(passage.text)
    return [
        Unit(unit.start, unit.end, unit.heading, unit.leans or _leans(passage.text[unit.start : unit.end]))
        for unit in units
    ]


def figures(sentence: str) -> list[Figure]:
    """The numbers of a sentence as the check of numbers reads them, without dates and spans of time."""
    return [
        Figure(
            number.unit.kind,
            number.low,
            number.high,
            number.step,
            number.bound,
            number.nouns,
            _as_read(shown(sentence, number)),
        )
        for number in numbers_of(sentence)
    ]


def _as_read(figure: str) -> str:
    return f"up to {figure.removeprefix('at most ')}" if figure.startswith("at most ") else figure


def _leans(sentence: str) -> bool:
    """True when a sentence begins with a pronoun or linking word, or has no subject of its own ("In Leeds it was
    half")."""
    return leans_back(sentence) or bool(_NO_SUBJECT.match(sentence)) or bool(_LINKS.match(sentence))


def worthy(sentence: str) -> tuple[bool, str]:
    """True when a sentence of an answer needs a source, with the reason. Answers are stricter than reports: only a
    sentence that clearly states nothing goes without a source."""
    if _LEFT_OPEN.match(sentence):
        return False, "says what the sources leave open"
    states, reason = check_worthy(sentence)
    return states or reason not in _STATES_NOTHING, reason


class PassageCheck:
    """The check of claims against the passages they cite. Meant for one thread; each pair is judged once."""

    def __init__(self, engines: Engines, settings: Verification, documents: dict[str, Document]) -> None:
        self._engines = engines
        self._settings = settings.model_copy(update={"windows": WINDOWS})
        self._documents = documents
        self._entailer: Remembering | None = None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the judge, or ""."""
        try:
            return self._judge().fingerprint
        except ModelError:
            return ""

    def __call__(self, claim: str, cited: Sequence[Evidence], context: str) -> Checked:
        """The result of a claim against its passages: of the best single passage, else of all passages together.
        Without a judge no claim is supported, and the reason says so."""
        try:
            return self._checked(claim, cited, context)
        except ModelError as error:
            return Checked(Label.NEUTRAL, 0.0, False, f"Not checked: {error}")
        except OWN_FAULTS as error:  # of this sentence; the others are checked
            return Checked(Label.NEUTRAL, 0.0, False, f"Not checked: {fault_words(error)}")

    def contradicts(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability that the second sentence of each pair contradicts the first; 0 without a judge."""
        try:
            return [float(row[1]) for row in self._judge().judge(pairs)]
        except ModelError:
            return [0.0] * len(pairs)

    def _judge(self) -> Entailer:
        if self._entailer is None:
            self._entailer = Remembering(self._engines.entailer())
        return self._entailer

    def _checked(self, claim: str, cited: Sequence[Evidence], context: str) -> Checked:
        claim = _without_attribution(claim)
        verdicts = [self._verdict(claim, [evidence], context) for evidence in cited[:_MOST_PASSAGES]]
        best = max(verdicts, key=lambda verdict: (verdict.label is Label.SUPPORTS, verdict.supports))
        if best.label is not Label.SUPPORTS and len(cited) > 1:
            together = self._verdict(claim, cited[: 2 * _MOST_PASSAGES], context)
            if together.label is Label.SUPPORTS:
                best = together
        against = [verdict for verdict in verdicts if verdict.label is Label.CONTRADICTS]
        if best.label is not Label.SUPPORTS and against:
            best = max(against, key=lambda verdict: verdict.contradicts)
        if best.label is Label.SUPPORTS:
            titles = [self._documents[evidence.document_id].title for evidence in cited]
            difference = altered(claim, [evidence.text for evidence in cited], titles)
            if difference:
                return Checked(Label.NEUTRAL, min(best.supports, _ALTERED), False, difference)
        return Checked(best.label, best.supports, best.label is Label.SUPPORTS, _why(best))

    def _verdict(self, claim: str, cited: Sequence[Evidence], context: str) -> SourceVerdict:
        text = "\n\n".join(evidence.text for evidence in cited)
        document = replace(self._documents[cited[0].document_id], headings=())
        passage = Passage(document.id, 0, 0, len(text), text)
        source = CitedSource(document, text, [passage], parser=self._engines.parser_or_reason()[0])
        return judge_in_source(claim, source, WindowsOnly(self._judge()), self._settings, context=context)


def _without_attribution(claim: str) -> str:
    """The claim without an attribution to its source, which is checked anyway."""
    match = _ATTRIBUTION.match(claim)
    rest = claim[match.end() :] if match else ""
    return rest[:1].upper() + rest[1:] if len(rest.split()) >= _LEAST_REST else claim


def _why(verdict: SourceVerdict) -> str:
    """A sentence on what decided the verdict."""
    if verdict.label is Label.SUPPORTS:
        return f"The cited passage supports it ({verdict.supports:.0%})."
    failed = [check for check in verdict.checks if check.veto]
    if verdict.vetoed and failed:
        return failed[0].explanation
    if verdict.label is Label.CONTRADICTS:
        return f"The cited passage contradicts it ({verdict.contradicts:.0%})."
    if failed:
        return failed[0].explanation
    return f"The cited passage does not support it ({verdict.supports:.0%})."
