"""The searches behind an answer (``Answer.gathered``, plain JSON values) as words and tables: pure functions. The
values were written by this or an earlier version, perhaps by another installation: whatever is missing or of another
shape is left out, never an error."""

from collections.abc import Mapping
from typing import Any

from core.expand.question import counted
from core.labels import CragAction, CragClass, ProviderState
from core.text.words import count_words, ordinal

CLASSES: dict[CragClass, tuple[str, str]] = {
    CragClass.CORRECT: ("Good", "what was found answers the question, and was narrowed down to what bears on it"),
    CragClass.AMBIGUOUS: ("In between", "part of what was found may answer"),
    CragClass.INCORRECT: ("Not good enough", "what was found does not answer the question"),
}
"""The classes of corrective retrieval (CRAG)."""

ACTIONS: dict[CragAction, str] = {
    CragAction.REFINED: "What was found was narrowed down to the parts that bear on the question.",
    CragAction.COMBINED_WITH_WEB: "What was found was narrowed down and joined with pages from the web.",
    CragAction.REPLACED_BY_WEB: "Pages from the web bear more on the question; the answer rests on them.",
    CragAction.KEPT_WITHOUT_WEB: "What was found was kept, because the web was not asked or had no answer.",
    CragAction.NOTHING_FOUND: "Nothing was found.",
    CragAction.OFF: "Judging what was found is switched off; it was used as it came.",
}

SIGNALS = {
    "rerank": "How well the best passages answer (rerank score)",
    "coverage": "Words of the question that were found",
    "agreement": "How far the best sources agree",
}

TRIAD = {
    "context_relevance": "Passages about the question",
    "groundedness": "Sentences that follow from them",
    "answer_relevance": "Answer speaks to the question",
}


def action_words(gathered: Mapping[str, Any]) -> str:
    """The action that followed the judgement of the search, in one sentence; "" when it is not known."""
    try:
        return ACTIONS[CragAction(str(gathered.get("action")))]
    except ValueError:
        return ""


def attempts_of(gathered: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The attempts, first one first."""
    return _maps(gathered.get("attempts"))


def attempt_title(number: int, attempts: int, attempt: Mapping[str, Any]) -> str:
    """``Second attempt, broadened: deeper search``."""
    if attempts == 1:
        return "One attempt"
    name = "First attempt" if number == 1 else f"{ordinal(number)} attempt".replace("2nd", "Second")
    broadened = str(attempt.get("broadened") or "").strip().rstrip(".")
    return f"{name}, broadened: {broadened}" if broadened else name


def attempt_lines(attempt: Mapping[str, Any], *, last: bool) -> list[str]:
    """The queries and passages of one attempt, and its judgement, a sentence each."""
    queries, passages = _maps(attempt.get("queries")), _maps(attempt.get("passages"))
    lines = [f"{count_words(len(queries), 'query', 'queries')} found {count_words(len(passages), 'passage')}."]
    gate = _map(attempt.get("gate"))
    if (confidence := _number(gate.get("confidence"))) is not None:
        needed = _number(gate.get("threshold")) or 0.0
        lines.append(f"Confidence of the search {confidence:.2f}, needed {needed:.2f}: {_enough(gate, last)}.")
    judgement = _map(attempt.get("judgement"))
    if judgement:
        lines.append(class_words(judgement))
    return [*lines, *(str(note) for note in _list(attempt.get("notes")))]


def _enough(gate: Mapping[str, Any], last: bool) -> str:
    if gate.get("passed"):
        return "enough to go on"
    return "still not enough, so take the answer with care" if last else "not enough, so it was tried once more"


def class_words(judgement: Mapping[str, Any]) -> str:
    try:
        name, means = CLASSES[CragClass(str(judgement.get("verdict")))]
    except ValueError:
        return ""
    confidence = _number(judgement.get("confidence"))
    figure = f" ({confidence:.2f})" if confidence is not None else ""
    return f"Judged: {name.lower()}{figure}; {means}."


def signal_rows(judgement: Mapping[str, Any]) -> dict[str, list[str]]:
    """The signals of the judgement with their weights; one that could not be had says so."""
    signals, weights = _map(judgement.get("signals")), _list(judgement.get("weights"))
    rows: dict[str, list[str]] = {"Signal": [], "Value": [], "Weight": []}
    for at, (key, name) in enumerate(SIGNALS.items()):
        value = _number(signals.get(key))
        weight = _number(weights[at]) if at < len(weights) else None
        rows["Signal"].append(name)
        rows["Value"].append("could not be had" if value is None else f"{value:.2f}")
        rows["Weight"].append("–" if weight is None else f"{weight:.2f}")
    return rows


def passage_rows(attempt: Mapping[str, Any]) -> dict[str, list[Any]]:
    passages = _maps(attempt.get("passages"))
    return {
        "Rank": [passage.get("rank") for passage in passages],
        "Source": [str(passage.get("title", "")) for passage in passages],
        "Score": [
            f"{value:.4f}" if (value := _number(passage.get("score"))) is not None else "–" for passage in passages
        ],
    }


def query_rows(attempt: Mapping[str, Any]) -> list[str]:
    """The texts of the queries of an attempt."""
    return [counted(str(query.get("text", ""))) for query in _maps(attempt.get("queries"))]


def refinement_words(gathered: Mapping[str, Any]) -> str:
    """The parts that refinement kept and left out; "" when it made nothing."""
    refined = _map(gathered.get("refinement"))
    strips = _list(refined.get("strips"))
    if not strips:
        return ""
    parts = [f"{count_words(len(strips), 'part')} kept ({int(_number(refined.get('tokens')) or 0):,} tokens)"]
    if dropped := int(_number(refined.get("dropped")) or 0):
        parts.append(f"{dropped:,} left out as not bearing on the question")
    if over := int(_number(refined.get("over_budget")) or 0):
        parts.append(f"{over:,} left out for want of room")
    return ", ".join(parts) + "."


def web_lines(gathered: Mapping[str, Any]) -> list[str]:
    """The outcome of the web search, a sentence each; always at least one where anything is known."""
    note, web = str(gathered.get("web_note") or ""), _map(gathered.get("web"))
    lines = [note] if note else []
    if web:
        lines.append(f"The web had {count_words(len(_list(web.get('hits'))), 'page')}.")
        for outcome in _maps(web.get("outcomes")):
            if outcome.get("state") not in (ProviderState.OK.value, ProviderState.EMPTY.value):
                lines.append(
                    f"{outcome.get('provider', 'A provider')}: {outcome.get('message') or outcome.get('state')}"
                )
    return lines or ["The web was not asked."]


def triad_values(gathered: Mapping[str, Any]) -> dict[str, str]:
    """Context relevance, groundedness and answer relevance by name; empty when they were not measured."""
    triad = _map(gathered.get("triad"))
    values = {name: _number(triad.get(key)) for key, name in TRIAD.items()}
    return {name: f"{value:.2f}" for name, value in values.items() if value is not None}


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _maps(value: object) -> list[Mapping[str, Any]]:
    return [entry for entry in _list(value) if isinstance(entry, Mapping)]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
