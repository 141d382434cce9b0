"""Quotes of one source that a language model finds: for a question, or for and against a claim."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from core.answer import exact_quotes
from core.errors import LlmOff, QueryError
from core.labels import JobKind, JobState
from core.llm.budget import LanguageModel
from core.ports.context import JobContext, ProjectContext
from core.ports.store import Progress, ProjectStore
from core.records import Completion, Estimate, Job, Prompt, PromptDocument

MEMO = "quotes:{}"
"""The memo with the newest quotes of a source, by its id."""
LONGEST = 2000
"""Most characters of a question or claim."""


class Way(StrEnum):
    """The kind of quotes that are looked for in a source."""

    PASSAGES = "passages"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class SourceQuotes:
    """The quotes of a source, each with its range in the stored text. ``current`` is False when the text changed
    since."""

    text: str
    way: Way
    at: str
    model: str
    quotes: tuple[exact_quotes.Quoted, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    cost_usd: float | None
    current: bool = True


class Quotations:
    """The service of quotes of the sources of one project."""

    def __init__(self, context: ProjectContext) -> None:
        self._context, self._store = context, context.store
        self._llm = LanguageModel(context)

    def why_off(self) -> str:
        """The reason why quotes cannot be asked for, with what to do; or ""."""
        return self._llm.status().reason

    def goes_out(self) -> str:
        """The data that leaves the machine with a request, as a sentence."""
        return f"{self._llm.status().goes_out} Here: what you type, and the text of this source."

    def estimate(self, document_id: str, text: str, way: Way) -> Estimate:
        """The most that a request costs (QueryError, DocumentNotFound, LlmOff)."""
        request = exact_quotes.passages_request if way is Way.PASSAGES else exact_quotes.evidence_request
        return self._llm.estimate(request(_words(text), _document(self._store, document_id)))

    def ask(self, document_id: str, text: str, way: Way) -> Job:
        """Schedule the job that finds quotes. Raises LlmOff (language models are off), QueryError (the question or
        claim is empty or too long) or DocumentNotFound (there is no such source)."""
        if reason := self.why_off():
            raise LlmOff(reason)
        self._store.document(document_id)
        payload = {"document": document_id, "text": _words(text), "way": way.value}
        return self._context.schedule(JobKind.OPINION, payload, unique=True)

    def found(self, document_id: str) -> SourceQuotes | None:
        """The newest quotes of a source, or None."""
        return kept_quotes(self._store, document_id)

    def job_of(self, document_id: str) -> Job | None:
        """The newest unfinished or failed job for quotes of a source, or None."""
        mine = [job for job in self._store.jobs(limit=200) if job.kind is JobKind.OPINION]
        newest = next((job for job in mine if job.payload.get("document") == document_id), None)
        return None if newest is None or newest.state is JobState.DONE else newest


def find_quotes(context: JobContext, payload: Mapping[str, object], progress: Progress) -> Mapping[str, object]:
    """Find the quotes of the payload and store them (JobCancelled, LlmError, DocumentNotFound, QueryError)."""
    store, using = context.store, LanguageModel(context)
    document_id, way = str(payload["document"]), Way(str(payload.get("way")))
    text, document = _words(str(payload.get("text"))), _document(store, document_id)
    done: list[Completion] = []

    def write(prompt: Prompt) -> Completion:
        done.append(using.write(prompt, lambda _: progress(0, 1, "Asking the language model")))
        return done[-1]

    find = exact_quotes.extract_passages if way is Way.PASSAGES else exact_quotes.match_evidence
    quotes = find(write, text, document)
    costs = [completion.cost_usd for completion in done if completion.cost_usd is not None]
    content = store.document(document_id).content_hash
    memo = {"text": text, "way": way.value, "at": context.clock().isoformat(), "model": done[-1].model,
            "cost_usd": sum(costs) if costs else None, "content": content, **_plain(quotes)}  # fmt: skip
    store.set_memo(MEMO.format(document_id), json.dumps(memo, ensure_ascii=True))
    progress(1, 1, "Done")
    return {"quotes": len(quotes.quotes), "dropped": len(quotes.dropped)}


def kept_quotes(store: ProjectStore, document_id: str) -> SourceQuotes | None:
    """The stored quotes of a source, or None. Quotes that this version cannot read count as none."""
    memo = store.memo(MEMO.format(document_id))
    if not memo:
        return None
    try:
        value = json.loads(memo)
        quotes = tuple(exact_quotes.Quoted(**row) for row in value["quotes"])
        return SourceQuotes(
            text=str(value["text"]),
            way=Way(value["way"]),
            at=str(value["at"]),
            model=str(value["model"]),
            quotes=quotes,
            dropped=tuple(map(str, value["dropped"])),
            notes=tuple(map(str, value["notes"])),
            cost_usd=None if value["cost_usd"] is None else float(value["cost_usd"]),
            current=value["content"] == store.document(document_id).content_hash,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _plain(quotes: exact_quotes.Quotes) -> dict[str, object]:
    return {
        "quotes": [asdict(quote) for quote in quotes.quotes],
        "dropped": [drop.quote for drop in quotes.dropped],
        "notes": list(quotes.notes),
    }


def _document(store: ProjectStore, document_id: str) -> PromptDocument:
    return PromptDocument(document_id, store.document(document_id).title, store.text(document_id))


def _words(text: str) -> str:
    words = " ".join(text.split())
    if not words:
        raise QueryError("Type a question or a claim first.")
    if len(words) > LONGEST:
        raise QueryError(f"This has {len(words):,} characters; at most {LONGEST:,} are sent. Make it shorter.")
    return words
