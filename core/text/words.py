"""Words and tables for people, made from records: pure functions that pages and the command line share. Nothing here
knows Streamlit or a store; text is returned as plain text, never as markup."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise

from core.labels import FetchState, Grade, JobKind, JobState, Stage, Status
from core.records import Acquisition, Document, Filters, Job, Passage, ScoredPassage, SearchResult, StageRank
from core.text.urls import url_parts

STAGE_NAMES: dict[Stage, str] = {
    Stage.LEXICAL: "Words",
    Stage.DENSE: "Meaning",
    Stage.LATE_INTERACTION: "Word by word",
    Stage.FUSION: "Combined",
    Stage.MMR: "Variety",
    Stage.RERANK: "Close reading",
}
"""What each stage is called on the page."""

STAGE_HELP: dict[Stage, str] = {
    Stage.LEXICAL: "Same words: BM25 over word stems.",
    Stage.DENSE: "Same meaning: one vector for the passage, one for the question.",
    Stage.LATE_INTERACTION: "Each word of the question looks for its best word in the passage (ColBERT, MaxSim).",
    Stage.FUSION: "The searches joined into one order; “What produced this answer” names how.",
    Stage.MMR: "Passages that repeat a better one move down (maximal marginal relevance), and of ten results at most "
    "three are of one source while others answer too.",
    Stage.RERANK: "A cross-encoder reads question and passage together; its order is joined with the earlier one.",
}

TIMING_NAMES: dict[str, str] = {
    "encode": "Reading the question",
    **{stage.value: name for stage, name in STAGE_NAMES.items()},
    "load": "Fetching the texts",
    "excerpts": "Cutting excerpts",
    "total": "Altogether",
}
"""What each measured step of a search is called, in the order in which they run."""

GRADE_WORDS: dict[Grade, str] = {
    Grade.A: "very strong source",
    Grade.B: "strong source",
    Grade.C: "usable source",
    Grade.D: "weak source",
    Grade.E: "very weak source",
}

_ARCHIVE = "With “wayback” switched on in the settings of the web, a retry takes the Internet Archive's copy, if any."

_STATES: dict[FetchState, tuple[str, str]] = {
    FetchState.QUEUED: ("Waiting", "It is read as soon as the worker gets to it."),
    FetchState.STORED: ("Stored", ""),
    FetchState.DUPLICATE: ("Already here", "The same text was stored before; nothing needs to be done."),
    FetchState.CANCELLED: ("Stopped", "You stopped this. Retry when you want it after all."),
    FetchState.BLOCKED: ("Blocked by the site", "Open it in your browser, save the page, and upload the file."),
    FetchState.ROBOTS_DISALLOWED: (
        "The site forbids robots",
        "Its robots.txt does not allow this address. Save the page in your browser and upload the file.",
    ),
    FetchState.NOT_FOUND: (
        "Not found",
        f"The site has no page at this address. Check it for a typing mistake. {_ARCHIVE}",
    ),
    FetchState.GONE: (
        "Gone",
        f"The site says that the page was removed. {_ARCHIVE}",
    ),
    FetchState.TIMEOUT: ("Too slow", "The site or the file took too long. Retry later, or upload the file."),
    FetchState.TOO_LARGE: ("Too large", "It is over the size limit in the settings. Add the part you need."),
    FetchState.UNSUPPORTED_TYPE: (
        "Not a readable kind of file",
        "Readable are HTML, PDF, DOCX, Markdown, plain text, and JATS XML. Convert it and upload it again.",
    ),
    FetchState.NO_TEXT: ("No text in it", "Nothing to read was found. Paste the text by hand if you can see it."),
    FetchState.NEEDS_JAVASCRIPT: (
        "Page is built by scripts",
        "The text appears only in a browser. Save the page there and upload the file.",
    ),
    FetchState.SERVER_ERROR: ("The site has a fault", "Its server answered with an error. Retry later."),
    FetchState.DNS_FAILURE: (
        "No such site",
        f"The name of the site could not be found. Check the address. {_ARCHIVE}",
    ),
    FetchState.NO_NETWORK: (
        "No network",
        "No name can be looked up from here, so nothing is known about this source. Retry with a connection.",
    ),
    FetchState.NEVER_SEEN: (
        "Not there, and in no archive",
        "The page is not there, and the Internet Archive never saw it. Check the address; it may be made up.",
    ),
    FetchState.TLS_ERROR: ("Not a safe connection", "The site has no valid certificate. Save the page and upload it."),
    FetchState.FORBIDDEN_ADDRESS: (
        "Address not allowed",
        "It leads into a private network. Allow the host by name in workbench.toml if you trust it.",
    ),
    FetchState.ENCRYPTED: ("Protected by a password", "Save a copy without the password and upload that."),
    FetchState.IMAGE_ONLY: ("Scanned pictures only", "Run text recognition (OCR) and upload the result."),
    FetchState.EMPTY: ("Empty file", "The file has no content. Check that the right file was saved."),
    FetchState.BROKEN: ("Damaged file", "It could not be read. Download it again and upload the new copy."),
}

_JOBS: dict[JobKind, str] = {
    JobKind.ADD: "Adding sources",
    JobKind.ENCODE: "Preparing search by meaning",
    JobKind.REFETCH: "Fetching again",
    JobKind.RECHUNK: "Cutting passages anew",
    JobKind.AUDIT: "Checking citations",
    JobKind.VERIFY: "Checking claims",
    JobKind.CITED_SOURCES: "Fetching and checking the cited sources",
    JobKind.EXPORT: "Writing an export",
    JobKind.EVALUATE: "Measuring",
    JobKind.EXPAND: "Making variants of a question",
    JobKind.WEB_SEARCH: "Searching the web",
    JobKind.ASK: "Answering a question",
    JobKind.OPINION: "Asking a language model",
    JobKind.INDEX_LATE: "Building the index of RAGatouille",
    JobKind.CHECK: "Checking what is stored",
}


def state_words(state: FetchState) -> str:
    """A fetch state in two or three words."""
    return _STATES[state][0]


def state_advice(state: FetchState) -> str:
    """What to do about a fetch state, one or two sentences; may be empty."""
    return _STATES[state][1]


def job_name(kind: JobKind) -> str:
    """What a kind of job does, in a few words."""
    return _JOBS[kind]


def job_words(job: Job, report: str = "") -> str:
    """The work and the state of a job in one line. ``report`` is the title of the report that it is about."""
    name = f"{_JOBS[job.kind]} of \u201c{short(report, 60)}\u201d" if report else _JOBS[job.kind]
    if job.state is JobState.PENDING:
        return f"{name}: waiting"
    if job.state is JobState.RUNNING:
        return f"{name}: stopping" if job.cancel_requested else name
    return f"{name}: {job.state.value}"


def progress_words(job: Job) -> str:
    """``3 of 12 · Reading notes.md`` as far as it is known."""
    parts = [f"{job.done:,} of {job.total:,}"] if job.total else []
    return " · ".join([*parts, *([job.message] if job.message else [])])


def size_words(size: int) -> str:
    """Bytes in the unit people read: ``0 B``, ``12 kB``, ``3.4 MB`` (powers of 1000)."""
    value = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:.1f} {unit}" if unit not in ("B", "kB") and value < 10 else f"{value:.0f} {unit}"
        value /= 1000
    raise AssertionError("unreachable")


def count_words(number: int, one: str, many: str = "") -> str:
    """``1 source``, ``2,000 sources``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def when_words(moment: datetime | None, now: datetime) -> str:
    """How long ago, coarse (``just now``, ``5 minutes ago``, ``yesterday``), or the date beyond a week and for a moment
    to come: the clock was set back since."""
    if moment is None:
        return "never"
    seconds = (now - moment).total_seconds()
    if abs(seconds) < 60:
        return "just now"
    if seconds < 0:
        return moment.date().isoformat()
    if seconds < 3600:
        return f"{count_words(int(seconds // 60), 'minute')} ago"
    if seconds < 86400:
        return f"{count_words(int(seconds // 3600), 'hour')} ago"
    days = int(seconds // 86400)
    if days < 8:
        return "yesterday" if days == 1 else f"{days} days ago"
    return moment.date().isoformat()


def day_words(day: date | None) -> str:
    """An ISO date, or a dash."""
    return day.isoformat() if day else "–"


def site_of(document: Document) -> str:
    """Where a document is from: the host of its address, else its publisher or file name, else ``pasted text``."""
    if document.canonical_url:
        host = url_parts(document.canonical_url).hostname or ""
        return host.removeprefix("www.") or document.canonical_url
    return document.filename or document.publisher or "pasted text"


def short(text: str, width: int = 80) -> str:
    """One line of at most ``width`` characters; a cut is shown by an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def title_of(document: Document, width: int = 120) -> str:
    """The title, or what can stand for it."""
    return short(document.title, width) or short(site_of(document), width)


def section_of(passage: Passage, document: Document) -> str:
    """The heading under which a passage stands, also when it begins with that heading; empty when there is none."""
    section, at = "", passage.start
    for heading in document.headings:
        between = passage.text[at - passage.start : max(0, heading.start - passage.start)]
        if heading.start > at and (heading.start >= passage.end or between.strip()):
            break
        section, at = heading.text, max(at, heading.end)
    return "" if section == document.title else section


def kind_words(media_type: str) -> str:
    """``application/pdf`` → ``PDF``; an unknown type stays as it is."""
    essence = media_type.split(";")[0].strip().lower()
    known = {
        "text/html": "HTML",
        "application/xhtml+xml": "HTML",
        "application/pdf": "PDF",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
        "text/markdown": "Markdown",
        "text/plain": "Text",
        "application/xml": "XML",
        "text/xml": "XML",
        "application/jats+xml": "JATS XML",
    }
    return known.get(essence, essence or "unknown")


def encoding_words(encoded: int, searchable: int) -> str:
    """How far search by meaning has got; empty when it is complete."""
    if encoded >= searchable:
        return ""
    if encoded == 0:
        return "Search goes by words for now: passages are still being prepared for search by meaning."
    return f"{encoded:,} of {searchable:,} passages can be found by meaning so far; all can be found by words."


def filter_words(filters: Filters, titles: dict[str, str]) -> list[str]:
    """Each active filter in a few words; ``titles`` by document id."""
    words = []
    if filters.min_grade:
        words.append(f"grade {filters.min_grade.value} or better")
    if len(filters.documents) == 1:
        words.append(f"only “{short(titles.get(filters.documents[0], filters.documents[0]), 40)}”")
    elif filters.documents:
        words.append(f"only {len(filters.documents)} documents")
    if filters.published_from:
        words.append(f"from {filters.published_from.isoformat()}")
    if filters.published_to:
        words.append(f"until {filters.published_to.isoformat()}")
    if filters.languages:
        words.append("language " + ", ".join(filters.languages))
    if filters.tags:
        words.append("tag " + ", ".join(filters.tags))
    return words


def grouped_failures(items: Sequence[Acquisition]) -> list[tuple[FetchState, list[Acquisition]]]:
    """Failed requests by state, the most frequent first."""
    groups: dict[FetchState, list[Acquisition]] = {}
    for item in items:
        if item.state.failed or item.state is FetchState.CANCELLED:
            groups.setdefault(item.state, []).append(item)
    return sorted(groups.items(), key=lambda group: -len(group[1]))


def ended_words(job: Job) -> str:
    """The outcome of a finished job in one sentence; empty when it tells nothing."""
    if job.kind is JobKind.EXPORT:
        return str(job.result.get("name", ""))
    if job.kind in (JobKind.EXPAND, JobKind.WEB_SEARCH, JobKind.ASK, JobKind.OPINION):
        return ""  # the page that asked shows what came of it
    states = job.result.get("states")
    outcomes = job.result.get("outcomes")
    counts = states if isinstance(states, dict) else outcomes if isinstance(outcomes, dict) else {}
    if job.kind in (JobKind.AUDIT, JobKind.CITED_SOURCES, JobKind.VERIFY):
        named = [(_OUTCOMES.get(str(key), str(key).replace("_", " ")), int(value)) for key, value in counts.items()]
        return ", ".join(f"{value} {words}" for words, value in named if value)
    return _added_words({FetchState(key): int(value) for key, value in counts.items()})


_OUTCOMES = {
    Status.PASS.value: "pass",
    Status.REVIEW.value: "to review",
    Status.SOURCE_NOT_INDEXED.value: "source missing",
    "failed": "could not be judged",
}
"""The words of the machine alone, which are not those of the outcome: people's decisions are no part of a job."""


def _added_words(counts: dict[FetchState, int]) -> str:
    parts = []
    if stored := counts.pop(FetchState.STORED, 0):
        parts.append(f"{count_words(stored, 'source')} stored")
    if again := counts.pop(FetchState.DUPLICATE, 0):
        parts.append(f"{again} already here")
    if failed := sum(count for state, count in counts.items() if state.failed):
        parts.append(f"{failed} could not be read")
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class StageCell:
    """Where one passage stood after one stage: best rank over the queries, and the score there."""

    stage: Stage
    rank: int
    score: float


def stage_cells(trail: Sequence[StageRank]) -> dict[Stage, StageCell]:
    """The trail of one passage, one cell a stage in pipeline order; over several queries the best rank counts."""
    cells: dict[Stage, StageCell] = {}
    for step in trail:
        known = cells.get(step.stage)
        if known is None or step.rank < known.rank:
            cells[step.stage] = StageCell(step.stage, step.rank, step.score)
    return {stage: cells[stage] for stage in Stage if stage in cells}


def stages_run(result: SearchResult) -> list[Stage]:
    """The stages that spoke about any returned passage, in pipeline order."""
    seen = {step.stage for scored in result.passages for step in scored.trail}
    return [stage for stage in Stage if stage in seen]


def waterfall(result: SearchResult) -> list[dict[str, object]]:
    """One row a returned passage: its ``rank``, ``title`` and ``section``, then by stage rank and score as
    ``2 (9.43)``, or a dash where that stage did not have it."""
    rows = []
    for scored in result.passages:
        cells = stage_cells(scored.trail)
        row: dict[str, object] = {
            "rank": scored.rank,
            "title": title_of(scored.document, 60),
            "section": section_of(scored.passage, scored.document) or "–",
        }
        for stage in stages_run(result):
            cell = cells.get(stage)
            row[stage.value] = f"{cell.rank} ({cell.score:.4g})" if cell else "–"
        rows.append(row)
    return rows


def order_words(scores: Sequence[float]) -> str:
    """In which order results stand. With variety the score of a later one may be higher: it says less that is new."""
    if all(later <= before for before, later in pairwise(scores)):
        return "best first"
    return "the best first, then what adds something new before what repeats it, so scores may rise again"


def found_by(scored: ScoredPassage) -> str:
    """Which searches found a passage: ``words (1st), meaning (4th)``; empty when nothing is recorded."""
    cells = stage_cells(scored.trail)
    names = {Stage.LEXICAL: "words", Stage.DENSE: "meaning", Stage.LATE_INTERACTION: "word by word"}
    return ", ".join(f"{name} ({ordinal(cells[stage].rank)})" for stage, name in names.items() if stage in cells)


def timing_names(steps: Iterable[str]) -> dict[str, str]:
    """Measured steps with their names, in the order in which they run; unknown ones last."""
    given = set(steps)
    known = {step: name for step, name in TIMING_NAMES.items() if step in given}
    return known | {step: step.replace("_", " ") for step in sorted(given - set(known))}


def ordinal(number: int) -> str:
    """1 → ``1st``."""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
