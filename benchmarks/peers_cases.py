"""What product and peers are run on: reports whose cited pages stand on loopback, and what is true of each citation.

Real reports: their sources cannot be served, so stand-in pages are written by rule. A citation is taken when its claim
is one sentence without another marker, followed by ``[n]``, and entry ``n`` has an address; its kind goes round:

- ``verbatim``: the page has the sentence (true);
- ``paraphrase``: the page says it in other words, by a table of words (true);
- ``another``: the page has other sentences of the same report, none of which shares more than a fifth of its content
  words with the claim (false);
- ``altered``: the page has it with another number, or negated where it has no number (false); a claim that allows
  neither becomes ``another``.

A claim meant to be false is left out when its page tells the like (over two fifths of its content words in one
sentence) for the sake of another citation. Every page has further sentences of the same report that share little with
any claim tested on it, and paragraphs of another report, up to about ``WORDS`` words. The demo report has its own
sources and key.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from benchmarks.peers_serve import Page
from core import demo
from core.labels import FetchState

WORDS = 1_600
LIMIT = 40
REAL = {
    "drb_claude_058.md": "drb_claude_069.md",
    "drb_claude_069.md": "drb_claude_058.md",
    "opus45_recent_trends_in_the_knitting_community_interestin_20251213_162454.md": "drb_claude_058.md",
}
"""The real reports, and from which other one each takes what fills its pages."""
KINDS = ("verbatim", "another", "paraphrase", "altered")

_ALIKE = 0.4

_CLAIM = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=\]\s)|(?<=-\s))(?P<claim>[A-Z](?:[^.!?\[\]\n|#*]|(?<=\d)\.(?=\d)){60,320})"
    r"(?P<stop>[.!?]?)\s?\[(?P<number>\d{1,3})\](?!\s?[\[,;–-])",
    re.MULTILINE,
)
_ENTRY = re.compile(r"^\[(?P<number>\d{1,3})\] .*?(?P<url>https?://[^\s)>\]]+)", re.MULTILINE)
_HEADING = re.compile(r"^(?:## Sources|参考文献：|References)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]{4,}|\d+")
_SENTENCE = re.compile(r"[A-Z][^.!?\[\]\n|#*]{50,300}[.!?]")


@dataclass(frozen=True, slots=True)
class Truth:
    """One citation: its claim, marker place and reference as printed; ``holds`` is None where no source can be had."""

    key: str
    claim: str
    marker: int
    label: str
    kind: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Case:
    """A report, its pages by address, and the truth of its citations; offsets count into ``text``."""

    name: str
    text: str
    pages: Mapping[str, Page]
    truths: tuple[Truth, ...]

    def at(self, addresses: Mapping[str, str]) -> Case:
        """The same with every address replaced by where it is served; an address is replaced by the longest match."""
        longest_first = sorted(addresses, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, longest_first)))
        out, shifts, last, moved = [], [(0, 0)], 0, 0
        for match in pattern.finditer(self.text):
            new = addresses[match[0]]
            out += [self.text[last : match.start()], new]
            moved += len(new) - len(match[0])
            last = match.end()
            shifts.append((last, moved))
        text = "".join([*out, self.text[last:]])
        shifted = tuple(
            replace(truth, marker=truth.marker + max(s for s in shifts if s[0] <= truth.marker)[1])
            for truth in self.truths
        )
        return Case(self.name, text, self.pages, shifted)


# ---------------------------------------------------------------- the demo report

_DEMO_REPAIRS = {
    # Identifiers of invented works are addresses here, since no index on earth knows them; entry 4 gets one.
    "DOI: 10.5555/jucp.2023.0417": "URL: https://urbanclimatejournal.example/jucp/9/2/0417",
    "https://doi.org/10.5555/jucp.2023.0417": "https://urbanclimatejournal.example/jucp/9/2/0417",
    "doi:10.5555/ahh.2024.112": "https://heatandhealth.example/annals/2024/112",
    "Value-for-money report 12.": "Value-for-money report 12. https://cityauditor.example/reports/vfm-12.pdf",
}
_STATUS = {FetchState.GONE: 410, FetchState.BLOCKED: 403}


def demo_case(read: Callable[[str, bytes, str], str]) -> Case:
    """The demo report; ``read`` gives the text of a file that browsers do not show (name, bytes, media type)."""
    pages = {}
    for source in demo.sources():
        plain = source.media_type in ("text/html", "application/pdf", "text/plain")
        if plain:
            pages[source.url] = Page(source.body, source.media_type)
        else:
            text = read(source.filename, source.body, source.media_type)
            pages[source.url] = Page(text.encode(), "text/plain; charset=utf-8")
    for missing in demo.unavailable():
        pages[missing.url] = Page(b"", "text/html", _STATUS.get(missing.state, 404))
    truths = tuple(map(_demo_truth, demo.key()["citations"]))
    return Case("demo", demo.report(), pages, truths).at(_DEMO_REPAIRS)


def _demo_truth(entry: dict[str, Any]) -> Truth:
    holds = {"PASS": True, "REVIEW": False, "SOURCE_NOT_INDEXED": None}[entry["status"]]
    label = entry["reference"]["label"] if entry["reference"] else ""
    kind = entry["reason"] or ("clean" if holds else "not_fetched")
    return Truth(entry["id"], entry["claim"]["text"], entry["marker"]["start"], label, kind, holds)


# ---------------------------------------------------------------- real reports


def real_case(folder: Path, name: str) -> Case:
    """One real report with stand-in pages; its list of references gets the heading ``## References``.

    Raises:
        FileNotFoundError: the folder lacks the report.
    """
    text = _HEADING.sub("## References", (folder / name).read_text("utf-8"))
    text = re.sub(r"(?<=[^\n])\n(?=\[\d+\] )", "\n\n", text)
    body = text[: text.rindex("## References")]
    urls = {entry["number"]: entry["url"] for entry in _ENTRY.finditer(text, len(body))}
    matches = [match for match in _CLAIM.finditer(body) if match["number"] in urls]
    chosen = matches[:: max(1, len(matches) // LIMIT)][:LIMIT]
    drawn = [
        Truth(
            f"c{at:02}",
            match["claim"].strip(),
            body.index("[", match.end("stop")),
            match["number"],
            kind,
            kind in _TRUE,
        )
        for at, match in enumerate(chosen)
        if (kind := _kind(at, match["claim"]))
    ]
    truths = tuple(truth for truth in drawn if truth.holds or not _told_for_another(truth, drawn))
    filler = _sentences((folder / REAL[name]).read_text("utf-8"))
    own = _sentences(body)
    by_number = defaultdict(list)
    for truth in truths:
        by_number[truth.label].append(truth)
    pages = {
        url: Page(_page(by_number[number], own, filler, int(number)), "text/html; charset=utf-8")
        for number, url in urls.items()
    }
    return Case(name.removesuffix(".md"), text, pages, truths)


_TRUE = ("verbatim", "paraphrase")


def _told_for_another(truth: Truth, drawn: Sequence[Truth]) -> bool:
    """Whether the page tells the claim all the same, in the words that decide about another citation of it."""
    others = [other for other in drawn if other.label == truth.label and other is not truth]
    return any(_shared(_told(other), truth.claim) > _ALIKE for other in others)


def _kind(at: int, claim: str) -> str:
    kind = KINDS[at % len(KINDS)]
    return "another" if kind == "altered" and not alter(claim) else kind


def _sentences(text: str) -> list[str]:
    return [match[0] for match in _SENTENCE.finditer(text)]


def _page(truths: Sequence[Truth], own: Sequence[str], filler: Sequence[str], turn: int) -> bytes:
    """Sentences about the matter in report order, with those that decide among them, then the filler."""
    told_claims = [says for truth in truths if (says := _told(truth))]
    apart = [sentence for sentence in own if all(_shared(sentence, truth.claim) <= 0.2 for truth in truths)]
    start = (turn * 17) % max(1, len(apart))
    matter = [*apart[start:], *apart[:start]][:16]
    for at, says in enumerate(told_claims):
        matter.insert((3 + 5 * at) % (len(matter) + 1), says)
    rest = _turned(filler, turn * 29)
    words = sum(len(sentence.split()) for sentence in matter)
    while words < WORDS:
        matter.append(next(rest))
        words += len(matter[-1].split())
    paragraphs = "\n".join(f"<p>{escape(' '.join(matter[at : at + 4]))}</p>" for at in range(0, len(matter), 4))
    head = f"<!doctype html><html><head><title>Page {turn}</title></head><body><article><h1>Page {turn}</h1>"
    return f"{head}\n{paragraphs}\n</article></body></html>".encode()


def _turned(items: Sequence[str], start: int) -> Iterator[str]:
    while True:
        yield from (items[(start + at) % len(items)] for at in range(len(items)))


def _told(truth: Truth) -> str:
    if truth.kind == "verbatim":
        return f"{truth.claim}."
    if truth.kind == "paraphrase":
        return f"{paraphrase(truth.claim)}."
    return f"{alter(truth.claim)}." if truth.kind == "altered" else ""


def _shared(sentence: str, other: str) -> float:
    """Share of the other's content words that are in the one."""
    mine, theirs = ({word.lower() for word in _WORD.findall(text)} for text in (sentence, other))
    return len(mine & theirs) / max(1, len(theirs))


# ---------------------------------------------------------------- rules of words

_OTHER_WORDS = (
    ("significantly", "considerably"), ("significant", "considerable"), ("shows?", "indicates"),
    ("demonstrates?", "makes clear"), ("including", "among them"), ("such as", "for instance"),
    ("however", "yet"), ("because", "since"), ("important", "weighty"), ("increases?", "raises"),
    ("increased", "raised"), ("reduces?", "lowers"), ("reduced", "lowered"), ("helps?", "assists in"),
    ("provides?", "offers"), ("requires?", "needs"), ("uses?", "employs"), ("used", "employed"),
    ("many", "a large number of"), ("several", "a number of"), ("about", "roughly"), ("approximately", "about"),
    ("while", "whereas"), ("between", "from one to another of"), ("through", "by way of"), ("within", "inside"),
    ("can", "is able to"), ("may", "might"), ("recent", "latest"), ("new", "novel"), ("large", "big"),
    ("often", "frequently"), ("also", "in addition"), ("people", "persons"), ("studies", "investigations"),
    ("study", "investigation"), ("research", "scientific work"), ("found", "observed"), ("suggests?", "hints"),
    ("percent", "per cent"), ("%", " per cent"), ("and", "as well as"),
)  # fmt: skip


def paraphrase(sentence: str) -> str:
    """The same statement with up to eight words replaced, attributed at its start."""
    changed, left = sentence, 8
    for word, other in _OTHER_WORDS:
        pattern = word if word == "%" else rf"\b{word}\b"
        changed, count = re.subn(pattern, other, changed, count=1 if left else 0) if left else (changed, 0)
        left -= min(count, left)
    first = changed.split(" ", 1)[0]
    lowered = changed if first.isupper() or not first.istitle() else changed[0].lower() + changed[1:]
    return f"According to the authors of this page, {lowered}"


def alter(sentence: str) -> str:
    """The sentence with its first number changed (a year by 7, any other to twice and one), or else negated.

    Gives "" where it holds neither a number nor a verb of the list.
    """
    number = re.search(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])", sentence)
    if number:
        value = float(number[0].replace(",", ""))
        value = value + 7 if re.fullmatch(r"(?:19|20)\d\d", number[0]) else value * 2 + 1
        figure = f"{value:,.0f}" if value.is_integer() and "," in number[0] else f"{value:g}"
        return sentence[: number.start()] + figure + sentence[number.end() :]
    verb = re.search(r"\b(?:is|are|was|were|has|have|can|may|will|should)\b", sentence)
    if verb is None:
        return ""
    return f"{sentence[: verb.start()]}{'cannot' if verb[0] == 'can' else verb[0] + ' not'}{sentence[verb.end() :]}"
