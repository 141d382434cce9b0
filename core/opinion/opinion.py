"""Second opinions: a language model judges a citation or claim at a person's request. They never change the verdict."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from core.answer.exact_quotes import QuoteFinder
from core.errors import JobError, LlmOff
from core.labels import JobKind, JobState, Label, LlmTask
from core.llm.budget import LanguageModel
from core.llm.reply_json import structured_reply, with_form
from core.opinion.material import Material, Part, claim_basis, finding_basis, of_claim, of_finding
from core.opinion.quotes import find_quotes
from core.ports.context import JobContext, ProjectContext
from core.ports.store import Progress, ProjectStore
from core.records import Completion, Estimate, Job, Opinion, OpinionQuote, Prompt, PromptDocument
from core.text.jsonable import adapter

_OPINION: TypeAdapter[Opinion] = adapter(Opinion)
MEMO = "opinion:{}"
"""The memo with the newest opinion on an item."""
RULE = (
    "You are a careful second judge of whether sources support a claim. Decide only from the documents, not from what "
    'you know. "supports": the documents say all of the claim, with its numbers, negations and limits. "contradicts": '
    'they say something that cannot be true together with the claim. "neutral": neither. Copy every quote from a '
    "document character for character; a quote that is not in it is worthless."
)
_MOST_TOKENS = 1500
_MOST_QUOTES = 6
_OFF = "Second opinions are switched off. Switch them on under Settings → Language model (llm.opinion)."


class _Quote(BaseModel):
    document: int = Field(description="the number of the document, from 1")
    quote: str = Field(description="words of that document, copied character for character")
    stance: Label
    why: str = ""


class _Reply(BaseModel):
    label: Label
    confidence: int = Field(ge=0, le=100)
    why: str = Field(description="one or two sentences")
    quotes: list[_Quote] = Field(max_length=20, description="the words that decide, at most six")


class Opinions:
    """The service of second opinions of one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store
        self._llm = LanguageModel(context)

    def why_off(self) -> str:
        """The reason why no opinion can be asked for, with what to do; or ""."""
        return self._llm.status().reason if self._context.settings.llm.opinion else _OFF

    def goes_out(self) -> str:
        """The data that leaves the machine with a request, as a sentence."""
        return f"{self._llm.status().goes_out} Here: the claim, and the parts of its sources that bear on it."

    def of_finding(self, finding_id: int) -> tuple[Opinion | None, bool]:
        """The newest opinion on a citation, or None; and False when the claim, its source or the judge's label changed
        since."""
        opinion = kept_opinion(self._store, f"finding:{finding_id}")
        if opinion is None:
            return None, False
        return opinion, opinion.basis == finding_basis(self._store, self._store.finding(finding_id))

    def of_claim(self, claim_id: int) -> tuple[Opinion | None, bool]:
        """The newest opinion on a claim, as in ``of_finding``."""
        opinion = kept_opinion(self._store, f"claim:{claim_id}")
        if opinion is None:
            return None, False
        return opinion, opinion.basis == claim_basis(self._store, self._store.claim(claim_id))

    def estimate_finding(self, finding_id: int) -> Estimate:
        """The most that an opinion on a citation costs (ReportError, LlmOff)."""
        return self._llm.estimate(with_form(prompt_of(self._of_finding(finding_id)), _Reply))

    def estimate_claim(self, claim_id: int) -> Estimate:
        """The most that an opinion on a claim costs (ClaimError, LlmOff)."""
        return self._llm.estimate(with_form(prompt_of(of_claim(self._store, self._store.claim(claim_id))), _Reply))

    def ask_finding(self, finding_id: int) -> Job:
        """Schedule the job that forms an opinion on a citation. Raises LlmOff (opinions or language models are off) or
        ReportError (the citation has no stored source, or no words)."""
        self._check_on()
        self._of_finding(finding_id)
        return self._context.schedule(JobKind.OPINION, {"finding": finding_id}, unique=True)

    def ask_claim(self, claim_id: int) -> Job:
        """Schedule the job that forms an opinion on a claim (LlmOff, ClaimError)."""
        self._check_on()
        of_claim(self._store, self._store.claim(claim_id))
        return self._context.schedule(JobKind.OPINION, {"claim": claim_id}, unique=True)

    def job_of(self, item: str) -> Job | None:
        """The newest unfinished or failed job for an opinion on an item ("finding:ID", "claim:ID"), or None."""
        kind, _, number = item.partition(":")
        mine = [job for job in self._store.jobs(limit=200) if job.kind is JobKind.OPINION]
        newest = next((job for job in mine if str(job.payload.get(kind)) == number), None)
        return None if newest is None or newest.state is JobState.DONE else newest

    def _of_finding(self, finding_id: int) -> Material:
        return of_finding(self._store, self._context.engines, self._context.settings, self._store.finding(finding_id))

    def _check_on(self) -> None:
        if reason := self.why_off():
            raise LlmOff(reason)


def prompt_of(material: Material) -> Prompt:
    """The prompt, without the form of the reply. Claim and context are foreign text like the sources, so they go along
    as documents too, behind those of the sources."""
    documents = [PromptDocument(f"{part.document_id}:{part.start}", part.title, part.text) for part in material.parts]
    count = len(documents)
    user = f"Judge the claim in document {count + 1}, which is no evidence, by document 1"
    user += f" to {count}." if count > 1 else "."
    documents.append(PromptDocument("claim", "The claim", material.claim[:4000]))
    if material.context.strip():
        documents.append(PromptDocument("context", "What stands before the claim", material.context[:1000]))
        user += f" Document {count + 2} is what it stands after in the report, and no evidence."
    return Prompt(LlmTask.JUDGE, RULE, user, tuple(documents), _MOST_TOKENS)


def form_opinion(write: Callable[[Prompt], Completion], material: Material, at: datetime) -> Opinion:
    """The opinion of the model, with the quotes that stand in the sources. Raises LlmError: as ``write``; LlmMalformed
    for a reply of another form."""
    reply, completions = structured_reply(write, prompt_of(material), _Reply)
    quotes, dropped = _checked(reply.quotes, material.parts)
    count = "1 quote was" if dropped == 1 else f"{dropped} quotes were"
    notes = (f"{count} dropped: the language model gave words that do not stand in the source.",) if dropped else ()
    costs = [completion.cost_usd for completion in completions if completion.cost_usd is not None]
    return Opinion(
        item=material.item,
        at=at,
        model=completions[-1].model,
        label=reply.label,
        confidence=reply.confidence,
        why=" ".join(reply.why.split())[:1000],
        verdict=material.verdict,
        agrees=None if material.verdict is None else reply.label is material.verdict,
        quotes=tuple(quotes),
        dropped=dropped,
        notes=notes,
        cost_usd=sum(costs) if costs else None,
        basis=material.basis,
    )


def kept_opinion(store: ProjectStore, item: str) -> Opinion | None:
    """The stored opinion on an item, or None. An opinion that this version cannot read counts as none."""
    memo = store.memo(MEMO.format(item))
    try:
        return _OPINION.validate_json(memo, strict=True, extra="forbid") if memo else None
    except ValidationError:
        return None


def keep_opinion(store: ProjectStore, opinion: Opinion) -> None:
    store.set_memo(MEMO.format(opinion.item), _OPINION.dump_json(opinion, ensure_ascii=True).decode())


def _checked(given: Sequence[_Quote], parts: Sequence[Part]) -> tuple[list[OpinionQuote], int]:
    """The quotes that stand in a document of the request (the named document first), and the number of the others."""
    finders = [QuoteFinder(part.text) for part in parts]
    checked: list[OpinionQuote] = []
    dropped = 0
    for quote in given:
        order = sorted(range(len(parts)), key=lambda index: index != quote.document - 1)
        places = ((parts[index], finders[index].find(quote.quote)) for index in order)
        part, place = next(((part, place) for part, place in places if place is not None), (None, None))
        if part is None or place is None:
            dropped += 1
        elif len(checked) < _MOST_QUOTES:
            start, end = part.start + place[0], part.start + place[1]
            words = part.text[slice(*place)]
            checked.append(
                OpinionQuote(part.document_id, start, end, words, quote.stance, " ".join(quote.why.split())[:500])
            )
    return checked, dropped


def run_opinion(context: JobContext, job: Job, progress: Progress) -> Mapping[str, object]:
    """Form the opinion (or find the quotes) of the payload, and store it. A failed or stopped job stores nothing.
    Raises JobCancelled (the user asked to stop), LlmError (the language model did not answer as asked) or ReportError,
    ClaimError, DocumentNotFound (the subject of the opinion is gone)."""
    store, model = context.store, LanguageModel(context)
    progress(0, 1, "Looking for what bears on the claim")
    if (finding := job.payload.get("finding")) is not None:
        row = store.finding(int(str(finding)))
        material = of_finding(store, context.engines, context.settings, row)
    elif (claim := job.payload.get("claim")) is not None:
        material = of_claim(store, store.claim(int(str(claim))))
    elif job.payload.get("document") is not None:
        return find_quotes(context, job.payload, progress)
    else:
        raise JobError("The job names neither a citation nor a claim nor a source.")

    def write(prompt: Prompt) -> Completion:
        return model.write(prompt, lambda _: progress(0, 1, "Asking the language model"))

    opinion = form_opinion(write, material, context.clock())
    keep_opinion(store, opinion)
    progress(1, 1, "Done")
    return {"item": opinion.item, "label": opinion.label.value, "agrees": opinion.agrees, "cost_usd": opinion.cost_usd}
