"""Quality grade A-E of a source by transparent rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.acquire.grade_rules import Publisher, Rules, Signal, load_rules
from core.acquire.injection import WARNING
from core.labels import SourceKind
from core.records import Assessment, Extraction, GradeReason
from core.text.urls import registrable, url_parts


class Grader:
    """Grades sources by one rules file; ``rules_path`` None uses the shipped rules.

    Raises:
        SettingsError: the rules file is not valid; the message names the line or key.
    """

    def __init__(self, rules_path: Path | None = None) -> None:
        self._rules: Rules = load_rules(rules_path)

    def assess(self, extraction: Extraction, *, url: str | None, kind: SourceKind) -> Assessment:
        """Grade of a source with the reason of every rule that spoke, in the order applied.

        ``url`` is where the source was fetched, None for a file or pasted text without one. A file's own word
        about its address may be given too: the reasons then say that nobody fetched it from there. The first
        reason is the starting value.
        """
        reasons = [GradeReason("start", self._rules.start, "starting value of every source")]
        publisher, reason = self._publisher(url)
        reasons.append(reason)
        reasons.extend(self._signals(extraction, publisher, url, kind))
        points = sum(reason.effect for reason in reasons)
        return Assessment(self._rules.grade_of(points), tuple(reasons))

    def _publisher(self, url: str | None) -> tuple[Publisher | None, GradeReason]:
        signals = self._rules.signals
        host = (url_parts(url).hostname or "").lower().rstrip(".") if url else ""
        if not host:
            return None, _reason("no_url", signals.no_url)
        domain, suffix = registrable(host)
        domain = domain or host
        for publisher in self._rules.publisher:
            if _is_from(publisher, host, suffix):
                text = publisher.reason.replace("{domain}", domain)
                text = text.replace("{suffix}", f".{suffix}" if suffix else domain)
                return publisher, GradeReason(publisher.name, publisher.effect, text)
        return None, _reason("unknown_publisher", signals.unknown_publisher, domain=domain)

    def _signals(
        self, extraction: Extraction, publisher: Publisher | None, url: str | None, kind: SourceKind
    ) -> Iterator[GradeReason]:
        yield from self._scholarly_signals(extraction, publisher)
        yield from self._origin_signals(extraction, url, kind)
        words = len(extraction.text[:20_000].split())
        if words < self._rules.limits.very_short_words:
            yield _reason("very_short", self._rules.signals.very_short, count=words)
        # Injection flags are for people and change no grade.
        if any(not warning.startswith(WARNING) for warning in extraction.warnings):
            yield _reason("warnings", self._rules.signals.warnings)

    def _scholarly_signals(self, extraction: Extraction, publisher: Publisher | None) -> Iterator[GradeReason]:
        """Reasons by what the source says of itself: DOI, review, authors, date, references."""
        signals = self._rules.signals
        preprint = publisher is not None and publisher.preprint
        if extraction.doi:
            yield _reason("doi", signals.doi, doi=extraction.doi)
        if (why := _peer_review(extraction, publisher)) and not preprint:
            yield _reason("peer_reviewed", signals.peer_reviewed, why=why)
        yield _reason("author", signals.author) if extraction.authors else _reason("no_author", signals.no_author)
        if extraction.published:
            yield _reason("date", signals.date, date=extraction.published.isoformat())
        else:
            yield _reason("no_date", signals.no_date)
        if extraction.references >= self._rules.limits.references_from:
            yield _reason("references", signals.references, count=extraction.references)
        elif not extraction.references:
            yield _reason("no_references", signals.no_references)

    def _origin_signals(self, extraction: Extraction, url: str | None, kind: SourceKind) -> Iterator[GradeReason]:
        """Reasons by where the source came from."""
        signals = self._rules.signals
        if not url and kind is SourceKind.PASTE:
            yield _reason("pasted", signals.pasted)
        elif url and kind is not SourceKind.URL:
            yield _reason("unverified_url", signals.unverified_url)
        elif not url and not extraction.doi:
            yield _reason("no_provenance", signals.no_provenance)


def _peer_review(extraction: Extraction, publisher: Publisher | None) -> str | None:
    """The reason why a source counts as peer-reviewed; None when nothing says so."""
    if extraction.method == "jats":
        return "a journal article in JATS"
    if publisher is not None and publisher.peer_reviewed and extraction.doi:
        return "an article with a DOI in a journal"
    return None


def _is_from(publisher: Publisher, host: str, suffix: str) -> bool:
    if any(host == domain or host.endswith(f".{domain}") for domain in publisher.domains):
        return True
    return any(_suffix_matches(pattern, host, suffix) for pattern in publisher.suffixes)


def _suffix_matches(pattern: str, host: str, suffix: str) -> bool:
    """ "gov" matches the suffix gov; "gov.*" a suffix like gov.uk, or gov before a country as in example.gov.xy."""
    if not pattern.endswith(".*"):
        return suffix == pattern or host.endswith(f".{pattern}")
    labels = host.split(".")
    return len(labels) >= 3 and labels[-2] == pattern[:-2] and len(labels[-1]) == 2


def _reason(rule: str, signal: Signal, **values: object) -> GradeReason:
    text = signal.reason
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", str(value))
    return GradeReason(rule, signal.effect, text)
