"""All variants of one question, or of many. The question always stays; a note says what could not be made."""

import logging
from collections.abc import Callable, Mapping, Sequence

from core.errors import BudgetReached, LlmBusy, LlmError, LlmKeyRejected, LlmOff, QueryError
from core.expand.by_model import Write
from core.expand.question import checked_question, cut, distinct, one_line, original
from core.labels import QueryKind
from core.ports.store import Progress
from core.records import Completion, Expansion, Prompt, Variant

log = logging.getLogger(__name__)

MAX_BATCH = 200
"""Questions expanded in one go."""
KINDS = (QueryKind.TRANSFORM, QueryKind.FEEDBACK, QueryKind.MULTI_QUERY, QueryKind.HYDE)
"""The kinds of variants, those that cost nothing first, so that the lab shows what a paid kind brings beyond them."""
NAMES = {
    QueryKind.HYDE: "A hypothetical answer",
    QueryKind.MULTI_QUERY: "Other phrasings",
    QueryKind.TRANSFORM: "Rephrasing by rules",
    QueryKind.FEEDBACK: "Words of the best passages",
}

Make = Callable[[str], tuple[Sequence[Variant], Sequence[str]]]
"""Makes variants of one kind, with sentences about what could not be made; may raise LlmError."""


def expansion(question: str, makers: Mapping[QueryKind, Make]) -> Expansion:
    """The question and the variants that ``makers`` give, without those that say the same as an earlier one. A language
    model that fails in any way costs its kind and leaves a note; the rest goes on. Raises QueryError: the question is
    empty or has over 2,000 characters."""
    text = checked_question(question)
    collected: list[Variant] = []
    notes: list[str] = []
    for kind in KINDS:
        if kind not in makers:
            continue
        try:
            variants, remarks = makers[kind](text)
        except LlmError as error:
            log.warning("%s: %s", kind.value, error)
            notes.append(f"{NAMES[kind]}: not made. {error} The search goes on with the question itself.")
            continue
        collected.extend(variants)
        notes.extend(remarks)
    return Expansion(text, (original(text), *distinct(text, collected)), tuple(dict.fromkeys(notes)))


def batch(questions: Sequence[str], expand: Callable[[str], Expansion], progress: Progress) -> list[Expansion]:
    """Every question expanded, in order. One that cannot be searched gets no variant and a note that says why. Raises
    QueryError (there is none, or there are over 200) or JobCancelled (the user asked to stop)."""
    if not questions:
        raise QueryError("No question was given. Type at least one.")
    if len(questions) > MAX_BATCH:
        raise QueryError(f"{len(questions):,} questions were given at once; at most {MAX_BATCH} are expanded together.")
    expansions: dict[str, Expansion] = {}
    for done, question in enumerate(questions):
        progress(done, len(questions), f"Expanding \u201c{cut(one_line(question), 60)}\u201d")
        if question not in expansions:
            try:
                expansions[question] = expand(question)
            except QueryError as error:
                expansions[question] = Expansion(cut(one_line(question), 200), (), (str(error),))
    progress(len(questions), len(questions), "Done")
    return [expansions[question] for question in questions]


def giving_up(write: Write, failures: int = 3) -> Write:
    """``write`` that stops asking where asking again is of no use, so that a batch does not wait 200 times. After a
    refusal that concerns every call (switched off, no budget, a bad key), or after ``failures`` busy answers in a row,
    the same error is raised at once."""
    final: list[LlmError] = []
    busy = 0

    def writing(prompt: Prompt) -> Completion:
        nonlocal busy
        if final:
            raise type(final[0])(str(final[0]))
        try:
            reply = write(prompt)
        except LlmError as error:
            busy = busy + 1 if isinstance(error, LlmBusy) else 0
            if busy >= failures or isinstance(error, (LlmOff, BudgetReached, LlmKeyRejected)):
                final.append(error)
            raise
        busy = 0
        return reply

    return writing
