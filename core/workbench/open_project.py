"""One open project: its services by name, and search. Every method is safe to call from any thread."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from core import records
from core.acquire.grade import Grader
from core.acquire.intake import Intake
from core.acquire.reference_lists import ReferenceLists
from core.acquire.sources import Sources
from core.answer.answers import Answers
from core.audit.reports import Audits
from core.claims.claims import Claims
from core.errors import QueryError
from core.evaluate.evaluations import Evaluations
from core.evaluate.usage import UsageHistory
from core.export.exports import Exports
from core.lab.lab import QueryLab
from core.labels import JobKind
from core.late.service import ProjectLateEngine
from core.llm.budget import LanguageModel
from core.opinion.opinion import Opinions
from core.opinion.quotes import Quotations
from core.ports.context import JobContext, PackWriter, ProjectContext, no_pack_writer
from core.ports.engines import Engines
from core.ports.store import Clock, ProjectStore
from core.retrieve import late_interaction, pipeline
from core.retrieve.search import search_project
from core.review.review import Reviews
from core.settings.values import Settings
from core.web.search import WebSearches
from core.workbench.jobs import Jobs
from core.workbench.stored_check import StoredCheck

DIFFERS = "differs-on-import"
"""The memo with what checking a pack found before it was taken in: a JSON list of sentences."""
_LINES = 10
"""Sentences of a check that are told at an import; of more their number is."""


def import_notes(store: ProjectStore) -> list[str]:
    """Parts of the imported zip that were left out, as sentences for the user. Empty for a project made here."""
    return [str(load) for load in json.loads(store.memo(records.LEFT_OUT) or "[]")]


def first_of(lines: Sequence[str]) -> list[str]:
    """The first ten, fit for a terminal (words of a stranger may stand in them), and how many more there are."""
    more = len(lines) - _LINES
    shown = ["".join(letter if letter.isprintable() else " " for letter in line) for line in lines[:_LINES]]
    return [*shown, f"And {more} more; `workbench verify` lists them."] if more > 0 else shown


def keep_differences(store: ProjectStore, lines: Sequence[str]) -> None:
    """Keep what differs in the pack that this project was made of."""
    store.set_memo(DIFFERS, json.dumps(first_of(lines)))


def import_differences(store: ProjectStore) -> list[str]:
    """Differences in the imported pack: at most ten sentences and a count."""
    return [str(load) for load in json.loads(store.memo(DIFFERS) or "[]")]


class OpenProject:
    """One project: search, and a service for everything else. Each service is made anew of the present settings."""

    def __init__(
        self,
        store: ProjectStore,
        engines: Engines,
        settings: Settings,
        clock: Clock,
        grader: Grader,
        *,
        wake: Callable[[], None],
        write_pack: PackWriter = no_pack_writer,
    ) -> None:
        self.context = ProjectContext(store, engines, settings, clock, wake)
        self._grader = grader
        self._write_pack = write_pack

    def adopt(self, settings: Settings, engines: Engines) -> None:
        """Use other settings from now on; what is under way goes on with those it began with."""
        self.context = replace(self.context, settings=settings, engines=engines)

    @property
    def settings(self) -> Settings:
        return self.context.settings

    @property
    def project(self) -> records.Project:
        return self.context.store.project

    @property
    def detached(self) -> bool:
        """Whether the project was deleted (and perhaps made anew) since it was opened; open it again then."""
        return self.context.store.detached()

    @property
    def sources(self) -> Sources:
        """Requested sources and stored documents."""
        return Sources(self.context)

    @property
    def references(self) -> ReferenceLists:
        """Lists of references (BibTeX, RIS, CSL-JSON, sitemaps, DOIs, arXiv ids) as sources."""
        return ReferenceLists(self.context)

    @property
    def jobs(self) -> Jobs:
        """Work that waits, runs, or has ended."""
        return Jobs(self.context)

    @property
    def check(self) -> StoredCheck:
        """The check of everything stored against its hashes."""
        return StoredCheck(self.context)

    @property
    def audits(self) -> Audits:
        return Audits(self.context)

    @property
    def claims(self) -> Claims:
        """Claims and what the sources say about them."""
        return Claims(self.context)

    @property
    def reviews(self) -> Reviews:
        """Decisions of people about citations and claims."""
        return Reviews(self.context)

    @property
    def answers(self) -> Answers:
        return Answers(self.context)

    @property
    def opinions(self) -> Opinions:
        """A language model's opinions beside the judge's verdicts."""
        return Opinions(self.context)

    @property
    def quotations(self) -> Quotations:
        """Quotations of one source that a language model found, kept only where they stand in it."""
        return Quotations(self.context)

    @property
    def exports(self) -> Exports:
        """Reports written out as files."""
        return Exports(self.context)

    @property
    def evaluations(self) -> Evaluations:
        """Measurings of how well search and judge do here."""
        return Evaluations(self.context)

    @property
    def usage(self) -> UsageHistory:
        """Searches, jobs and space on disk over time."""
        return UsageHistory(self.context)

    @property
    def web(self) -> WebSearches:
        """Searches of the web, and what of them to fetch."""
        return WebSearches(self.context)

    @property
    def language_model(self) -> LanguageModel:
        """The language model: whether it would be asked, what it costs, what was spent."""
        return LanguageModel(self.context)

    @property
    def lab(self) -> QueryLab:
        """Questions, their variants, and what each variant brings."""
        return QueryLab(self.context)

    @property
    def late(self) -> ProjectLateEngine:
        """The late engine: how it stands here, and its index."""
        return ProjectLateEngine(self.context)

    def job_context(self) -> JobContext:
        """The context of this project's jobs (worker, command line)."""
        self.late.heed_note()
        store, engines, settings, clock = (
            self.context.store, self.context.engines, self.context.settings, self.context.clock,
        )  # fmt: skip
        intake = Intake(store, engines.extractor(), self._grader, settings.chunking, clock)
        return JobContext(store, engines, settings, clock, intake=intake, write_pack=self._write_pack)

    def search(self, request: records.SearchRequest) -> records.SearchResult:
        """Answer a search (without the cross-encoder, see ``rerank``) and count it. Raises QueryError: an empty or
        oversized query."""
        from core.audit.audit_page import refresh_audit_page

        result = search_project(self.context, request)
        refresh_audit_page(self.context.store, self.context.engines.encoder_fingerprint(), self.context.clock())
        return result

    def rerank(self, result: records.SearchResult) -> records.SearchResult:
        """Let the cross-encoder speak on a result (ModelError when there is none)."""
        return pipeline.rerank(result, self.context.engines.reranker(), self.settings.retrieval)

    def explain(self, query: str, passage: records.Passage) -> list[records.WordMatch]:
        """Which words of a passage answered which words of the query (ModelError)."""
        if not query.strip():
            raise QueryError("The query is empty. Type a question or a few words.")
        return late_interaction.explain(query, passage, self.context.engines.encoder())

    def statistics(self) -> records.Statistics:
        """Counts, query statistics and latencies."""
        return self.context.store.statistics(self.context.engines.encoder_fingerprint())

    def import_notes(self) -> list[str]:
        """Parts of the imported zip that were left out, as sentences for the user. Empty for a project made here."""
        return import_notes(self.context.store)

    def import_differences(self) -> list[str]:
        """Differences between the imported audit pack and what it says of itself, as at most ten sentences and a count.
        The pack was taken in all the same."""
        return import_differences(self.context.store)

    def generation(self) -> int:
        """Grows with every committed change that can change an answer."""
        return self.context.store.generation()

    def coverage(self) -> tuple[int, int]:
        """(encoded, searchable) passages."""
        return self.context.store.coverage(self.context.engines.encoder_fingerprint())

    def catch_up(self) -> None:
        """Ask for what is left to do: sources without a job, passages cut under other settings, or not encoded."""
        self.sources.catch_up()
        encoded, searchable = self.coverage()
        if encoded < searchable:
            self.context.schedule(JobKind.ENCODE)
        else:
            self.late.build_if_due()
        self.reviews.threshold.catch_up()

    def close(self) -> None:
        self.context.store.close()
