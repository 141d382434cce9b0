"""Short forms and what they stand for: from a data file, and as texts define them themselves. Schwartz & Hearst, "A
Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text", PSB 2003: a short form in brackets is
matched from its end against the words before it; its first letter must begin a word."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files

_BRACKETS = re.compile(r"\(([A-Za-z][A-Za-z0-9.\-/]{1,9})\)")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_LOOK_BACK = 150


@cache
def usual_short_forms() -> Mapping[str, str]:
    """The short forms of the data file."""
    text = (files("core.expand") / "acronyms.toml").read_text("utf-8")
    return {str(short): str(long) for short, long in tomllib.loads(text)["acronyms"].items()}


def definitions(texts: Iterable[str]) -> dict[str, str]:
    """Short form → long form as the texts define them; of several the most frequent, ties by the alphabet."""
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        for match in _BRACKETS.finditer(text):
            long = long_form(match[1], text[max(0, match.start() - _LOOK_BACK) : match.start()])
            if long:
                counts.setdefault(match[1], Counter())[long] += 1
    return {
        short: min(of_short.items(), key=lambda item: (-item[1], item[0]))[0]
        for short, of_short in sorted(counts.items())
    }


def long_form(short: str, before: str) -> str:
    """The words right before a bracket that the short form in it stands for; "" when there are none. A short form has a
    capital and at most ten characters; its long form has at most ``min(n + 5, 2n)`` words for its ``n`` characters, and
    more characters than it."""
    if not any(char.isupper() for char in short):
        return ""
    letters = [char.lower() for char in short if char.isalnum()]
    most = min(len(letters) + 5, 2 * len(letters))
    head = before.rstrip()
    starts = [match.start() for match in _WORD.finditer(head)][-most:]
    if not starts or len(letters) < 2:
        return ""
    at = _begin(head, letters, starts[0])
    long = " ".join(head[at:].split()) if at is not None else ""
    return long if len(long) > len(short) and short.lower() not in long.lower().split() else ""


def _begin(head: str, letters: Sequence[str], least: int) -> int | None:
    """The place, from ``least`` on, where the letters begin in ``head`` when they are matched from its end."""
    at = len(head)
    for place in range(len(letters) - 1, -1, -1):
        at -= 1
        while at >= least and (
            head[at].lower() != letters[place] or (place == 0 and at > 0 and head[at - 1].isalnum())
        ):
            at -= 1
        if at < least:
            return None
    return at


def expanded(question: str, own: Mapping[str, str]) -> tuple[str, str]:
    """The question followed by the long forms of its short forms and the short forms of its long ones, and the list of
    what was added; ("", "") when it has neither. ``own``: definitions of the project's sources, which go before the
    data file's."""
    added: list[str] = []
    done: list[str] = []
    for short, long in sorted({**usual_short_forms(), **own}.items(), key=lambda item: (-len(item[1]), item[0])):
        written, spelled = _whole(short), _whole(long, re.IGNORECASE)
        in_short, in_long = written.search(question), spelled.search(question)
        if bool(in_short) == bool(in_long):
            continue
        added.append(long if in_short else short)
        done.append(f"{short} = {long}")
    # The words of the question stay: replacing them cost two points of nDCG@10 (docs/decisions/0012-expansion.md).
    return (f"{question.rstrip('?!. ')} ({'; '.join(added)})", "; ".join(done)) if added else ("", "")


def _whole(form: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(form)}(?:s(?!\w)|(?![\w-]))", flags)
