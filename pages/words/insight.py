"""Words and tables for people about measurements: pure functions, nothing of Streamlit or a store."""

from collections.abc import Container
from dataclasses import dataclass
from itertools import chain, count

from core.evaluate.evaluations import Evaluation, Score, System
from core.evaluate.judge_quality import JudgeQuality
from core.labels import JobState
from core.records import GOLDEN, REVIEW, UPLOAD
from core.text.words import count_words, short
from pages.words.usage import ms_words

MEASURE_WORDS: dict[str, tuple[str, str]] = {
    "ndcg": ("nDCG", "How near the order is to the best one: good answers early count most."),
    "recall": ("Recall", "Share of what is relevant that was found."),
    "precision": ("Precision", "Share of the first places that are relevant."),
    "mrr": ("MRR", "1 divided by the place of the first relevant answer, on average."),
    "map": ("MAP", "Precision at each relevant answer, on average."),
}
TIME_OF_A_QUERY = "Median time"
ORIGINS = {GOLDEN: "comes with the demo", REVIEW: "from people's decisions", UPLOAD: "uploaded"}

TRIAD = {
    "Context relevance": "Are the passages that an answer was written from about the question?",
    "Groundedness": "Does every sentence of the answer follow from the passages it cites?",
    "Answer relevance": "Does the answer speak to the question that was asked?",
}
"""The measures of stored answers."""


def measure_words(name: str) -> str:
    """``ndcg@10`` → ``nDCG at 10``."""
    family, at, cutoff = name.partition("@")
    word = MEASURE_WORDS.get(family, (family, ""))[0]
    return f"{word} at {cutoff}" if at else word


def measure_help(name: str) -> str:
    return MEASURE_WORDS.get(name.partition("@")[0], ("", ""))[1]


def score_cell(score: Score, better: float) -> str:
    """A mean with its interval and the sign of a difference to the baseline: ``▲ .712 (.650 to .771)``."""
    return f"{difference_sign(score, better)}{number(score.mean)} ({number(score.low)} to {number(score.high)})"


def difference_sign(score: Score, baseline: float) -> str:
    """``▲`` for better than the baseline, ``▼`` for worse, nothing where p is .05 or more."""
    if score.p is None or score.p >= 0.05:
        return ""
    return "▲ " if score.mean > baseline else "▼ "


def number(value: float) -> str:
    """Three decimals without the zero in front: ``.712``, ``1``, ``0``."""
    text = f"{value:.3f}"
    return text.removeprefix("0") if text.startswith("0.") and float(text) else f"{float(text):g}"


def chance_words(p: float | None) -> str:
    """``p < .001``, ``p = .043``, a dash for the baseline."""
    if p is None:
        return "–"
    return "p < .001" if p < 0.001 else f"p = {number(p)}"


def score_rows(evaluation: Evaluation) -> dict[str, list[str]]:
    """The figures of an evaluation as a table: one row a way to search."""
    base = _baseline(evaluation)
    rows: dict[str, list[str]] = {"Way to search": [_system_words(system, evaluation) for system in evaluation.systems]}
    for name in evaluation.measures:
        rows[measure_words(name)] = [
            score_cell(system.scores[name], base.scores[name].mean if base else 0.0) for system in evaluation.systems
        ]
    rows[TIME_OF_A_QUERY] = [ms_words(system.ms) for system in evaluation.systems]
    return rows


def chance_rows(evaluation: Evaluation) -> dict[str, list[str]]:
    """The p-value of each difference to the baseline."""
    others = [system for system in evaluation.systems if system.key != evaluation.baseline]
    rows: dict[str, list[str]] = {"Way to search": [short(other.name, 60) for other in others]}
    for name in evaluation.measures:
        rows[measure_words(name)] = [chance_words(other.scores[name].p) for other in others]
    return rows


def score_points(evaluation: Evaluation, measure: str) -> list[dict[str, object]]:
    """One measure of every system as points of a chart."""
    return [
        {
            "system": short(system.name, 50),
            "mean": system.scores[measure].mean,
            "low": system.scores[measure].low,
            "high": system.scores[measure].high,
        }
        for system in evaluation.systems
    ]


def verdict_words(evaluation: Evaluation) -> str:
    """The result by the first measure, in one sentence."""
    base = _baseline(evaluation)
    if base is None or not evaluation.measures or len(evaluation.systems) < 2:
        return ""
    name = evaluation.measures[0]
    mean = base.scores[name].mean
    differing = [system for system in evaluation.systems if difference_sign(system.scores[name], mean)]
    better = [system.name for system in differing if system.scores[name].mean > mean]
    worse = [system.name for system in differing if system.scores[name].mean < mean]
    clauses = [f"better than “{base.name}”: {'; '.join(better)}"] if better else []
    clauses += [f"worse than “{base.name}”: {'; '.join(worse)}"] if worse else []
    if not clauses:
        return f"By {measure_words(name)} no other way differs from “{base.name}” by more than chance may do."
    return f"By {measure_words(name)}, by more than chance is likely to do, {'. And '.join(clauses)}."


def honesty_words(evaluation: Evaluation) -> list[str]:
    """The limits of the figures that a reader must know, one sentence each."""
    words = []
    if evaluation.not_here:
        words.append(
            f"{evaluation.not_here:,} of {evaluation.names:,} judged documents are not in this project, so no search "
            "can find them. They count as not found."
        )
    if evaluation.left_out:
        words.append(
            f"{count_words(evaluation.left_out, 'query', 'queries')} had no text, had nothing relevant "
            "or cannot be searched, and were left out."
        )
    if 0 < evaluation.queries < 25:
        words.append(f"{count_words(evaluation.queries, 'query', 'queries')} are few: only large differences can show.")
    return words


def evaluation_line(evaluation: Evaluation) -> str:
    ways = len(evaluation.job.payload.get("combinations", ())) + len(evaluation.job.payload.get("runs", ()))  # type: ignore[arg-type]
    state = {
        JobState.DONE: f"{count_words(evaluation.queries, 'query', 'queries')}",
        JobState.PENDING: "waiting",
        JobState.RUNNING: "under way",
        JobState.FAILED: "failed",
        JobState.CANCELLED: "stopped",
    }[evaluation.job.state]
    return f"{short(evaluation.name, 60)}: {count_words(ways, 'way')}, {state}"


def _system_words(system: System, evaluation: Evaluation) -> str:
    name = short(system.name, 60)
    return f"{name} (compared with)" if system.key == evaluation.baseline else name


def _baseline(evaluation: Evaluation) -> System | None:
    return next((system for system in evaluation.systems if system.key == evaluation.baseline), None)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure at a glance, with what it says."""

    label: str
    value: str
    help: str


def quality_figures(quality: JudgeQuality) -> list[Figure]:
    """Agreement of machine and people at a glance; a dash for what cannot be told."""
    accuracy = quality.accuracy
    accuracy_words = (
        "–"
        if accuracy.share is None
        else f"{number(accuracy.share)} ({number(accuracy.low)} to {number(accuracy.high)})"
    )
    balanced, macro = quality.balanced_accuracy, quality.macro_f1
    return [
        Figure(
            "Decisions", f"{sum(quality.decided.values()):,}", "Citations with a judged source that people decided."
        ),
        Figure("Accuracy", accuracy_words, "Share on which machine and people say the same, with its 95 % interval."),
        Figure(
            "Balanced accuracy",
            "–" if balanced is None else number(balanced),
            "Mean of the shares found right among citations that hold and among those that do not.",
        ),
        Figure(
            "Macro-F1",
            "–" if macro is None else number(macro),
            "Mean of the F1 of “holds” and of “does not hold”.",
        ),
    ]


def quality_words(quality: JudgeQuality) -> list[str]:
    """The limits of these figures that a reader must know, one sentence each."""
    words = []
    for machine, name in ((True, "passed"), (False, "did not pass")):
        if quality.rows[machine] and not quality.decided[machine]:
            words.append(
                f"Of the {count_words(quality.rows[machine], 'citation')} that {name} none is decided, so nothing can "
                "be said about all of them."
            )
    rows, decided = sum(quality.rows.values()), sum(quality.decided.values())
    if decided < rows:
        words.append(
            f"{decided:,} of {count_words(rows, 'citation')} are decided. Those that passed are looked at by lot, so a "
            "decision counts for as many citations as there are to a decision."
        )
    if quality.left_out:
        words.append(f"Left out: {count_words(quality.left_out, 'decision')} out of date or in conflict.")
    if 0 < decided < 30:
        words.append(f"{count_words(decided, 'decision')} are few: read the figures as a first impression.")
    return words


def given_name(name: str, taken: Container[str]) -> str:
    """The name of an uploaded set beside others; a file's name may come again."""
    title = f"{short(name, 60)} (given earlier)"
    return next(
        candidate for candidate in chain([title], (f"{title} {at}" for at in count(2))) if candidate not in taken
    )


def confusion_rows(quality: JudgeQuality) -> dict[str, list[str]]:
    """Decisions by what the machine and people say."""
    counts = quality.counts
    return {
        "The machine says": ["✓ passes", "! needs a look"],
        "People: holds": [f"{counts.holds_holds:.0f}", f"{counts.fails_holds:.0f}"],
        "People: does not hold": [f"{counts.holds_fails:.0f}", f"{counts.fails_fails:.0f}"],
        "Decided of all": [f"{quality.decided[key]:,} of {quality.rows[key]:,}" for key in (True, False)],
    }
