"""Words and tables of the query lab, made from records: pure functions, nothing of Streamlit or a store."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core import records
from core.evaluate.job import COMBINATIONS
from core.lab.figures import NDCG_AT, RECALL_AT, Figures
from core.lab.presets import Preset
from core.labels import QueryKind, Stage
from core.settings.values import Expansion as ExpansionSettings
from core.text.words import STAGE_NAMES, count_words, short
from pages.words.insight import number as decimal
from pages.words.llm import page_words


@dataclass(frozen=True, slots=True)
class KindWords:
    """The name of a kind of variant, its icon, and one or two sentences about it."""

    name: str
    icon: str
    does: str
    model: bool = False


KINDS: dict[QueryKind, KindWords] = {
    QueryKind.ORIGINAL: KindWords("The question", "help", "The question as you asked it."),
    QueryKind.TRANSFORM: KindWords(
        "Reworded by rules",
        "autorenew",
        "Three to five variants: its content words alone, abbreviations spelled out, nouns for verbs, a statement in "
        "place of the question.",
    ),
    QueryKind.FEEDBACK: KindWords(
        "Related words",
        "published_with_changes",
        "Adds the telling words of the best passages that this project has for the question (RM3). \u201c×3\u201d "
        "behind a word: it counts three times.",
    ),
    QueryKind.MULTI_QUERY: KindWords(
        "Two other phrasings",
        "call_split",
        "A small, fast language model asks the same in two other ways.",
        model=True,
    ),
    QueryKind.HYDE: KindWords(
        "A supposed answer",
        "psychology",
        "A language model writes a short answer without looking anything up; passages that resemble it are found "
        "(HyDE). The answer itself is never shown as evidence.",
        model=True,
    ),
    QueryKind.MANUAL: KindWords("Added by hand", "edit", "Your own wording."),
}

SWITCHABLE = (QueryKind.TRANSFORM, QueryKind.FEEDBACK, QueryKind.MULTI_QUERY, QueryKind.HYDE)
"""Kinds that a person switches on or off, those that need no model first."""

PROJECT, WEB, BOTH = "Project", "Web", "Both"
WHERE = {
    PROJECT: "In the sources of this project.",
    WEB: "On the web, at the search services that are switched on.",
    BOTH: "In the sources of this project and on the web.",
}

RELEVANT, PARTLY, NOT_RELEVANT = 2, 1, 0
GRADES: dict[int, tuple[str, str]] = {
    RELEVANT: ("Relevant", "check_circle"),
    PARTLY: ("Partly", "contrast"),
    NOT_RELEVANT: ("Not", "cancel"),
}
"""The grades that a person may give a passage, with their icons; the numbers are those of the judged questions of the
demo."""

LEAST_JUDGED = 3
"""Judged passages below which figures say too little to be shown first."""


def presets(settings: ExpansionSettings) -> list[Preset]:
    """The presets that come with the workbench; the first is that of the settings."""
    wanted = {
        QueryKind.TRANSFORM: settings.transform,
        QueryKind.FEEDBACK: settings.feedback,
        QueryKind.MULTI_QUERY: settings.multi_query,
        QueryKind.HYDE: settings.hyde,
    }
    configured = frozenset(kind for kind, on in wanted.items() if on)
    return [
        Preset("As in the settings", "What is switched on in the settings.", configured),
        Preset("Question only", "No variants.", frozenset()),
        Preset(
            "On this computer",
            "All variants that need no language model.",
            frozenset({QueryKind.TRANSFORM, QueryKind.FEEDBACK}),
        ),
        Preset(
            "Wide net",
            "Every kind of variant, and close reading of what they bring.",
            frozenset(SWITCHABLE),
            records.StageSwitches(rerank=True),
        ),
    ]


def why_off(kind: QueryKind, status: records.LlmStatus, settings: ExpansionSettings) -> str:
    """The reason why a kind cannot be had now, and how to enable it; "" when it can."""
    return page_words(status.reason) if needs_model(kind, settings) and not status.on else ""


def needs_model(kind: QueryKind, settings: ExpansionSettings) -> bool:
    """True when making this kind asks a language model. Rules may be helped by one, if the settings say so."""
    return KINDS[kind].model or (kind is QueryKind.TRANSFORM and settings.transform_llm)


def variant_name(variants: Sequence[records.Variant], key: str) -> str:
    """``Reworded by rules 2``: the kind, numbered where there are several of it."""
    wanted = next((variant for variant in variants if variant.key == key), None)
    if wanted is None:
        return key
    same = [variant.key for variant in variants if variant.kind is wanted.kind]
    name = KINDS[wanted.kind].name
    return f"{name} {same.index(key) + 1}" if len(same) > 1 else name


def yield_words(brought: records.VariantYield, first: bool) -> str:
    finds = f"Finds {count_words(brought.passages, 'passage')}"
    if not brought.passages:
        return "Finds nothing."
    if first:
        return f"{finds} in {count_words(len(brought.new_documents), 'source')}."
    if not brought.new_passages:
        return f"{finds}, none of them new."
    documents = f" from {count_words(len(brought.new_documents), 'new source')}" if brought.new_documents else ""
    return f"{finds}, {len(brought.new_passages):,} of them new{documents}."


def yield_of(search: records.ExpandedSearch | None, key: str) -> records.VariantYield | None:
    """The yield of this variant, None where it did not run."""
    return next((row for row in search.yields if row.variant == key), None) if search else None


def first_found(search: records.ExpandedSearch, passage_id: int) -> str | None:
    """Key of the variant that brought a passage first, None where no variant is named."""
    return next((row.variant for row in search.yields if passage_id in row.new_passages), None)


def known_passages(search: records.ExpandedSearch, ids: Collection[int]) -> list[records.ScoredPassage]:
    """The passages of these ids that the joined result holds (also below its last place), best first."""
    seen: dict[int, records.ScoredPassage] = {}
    for scored in (*search.result.passages, *search.result.candidates):
        if scored.passage.id in ids:
            seen.setdefault(scored.passage.id, scored)
    return sorted(seen.values(), key=lambda passage: passage.rank)


def query_index(search: records.ExpandedSearch, key: str) -> int | None:
    """The index of this variant among the queries that ran; None where it did not run."""
    texts = [query.text for query in search.result.request.queries]
    wanted = next((variant for variant in search.expansion.variants if variant.key == key), None)
    text = wanted.text.replace("\x00", "").strip() if wanted else ""
    return texts.index(text) if wanted and text in texts else None


def of_query(result: records.SearchResult, query: int) -> records.SearchResult:
    """The result with only the steps of one query, and those after the queries were joined."""
    passages = tuple(
        replace(scored, trail=tuple(step for step in scored.trail if step.query in (query, None)))
        for scored in result.passages
        if any(step.query == query for step in scored.trail)
    )
    return replace(result, passages=passages)


def variant_rows(scored: records.ScoredPassage, search: records.ExpandedSearch) -> dict[str, list[str]]:
    """Columns of a table: for each variant that ran, the place of the passage at each step."""
    steps = [stage for stage in Stage if any(step.stage is stage and step.query is not None for step in scored.trail)]
    rows: dict[str, list[str]] = {"Variant": [], **{STAGE_NAMES[stage]: [] for stage in steps}}
    for variant in search.expansion.variants:
        at = query_index(search, variant.key)
        if at is None:
            continue
        rows["Variant"].append(variant_name(search.expansion.variants, variant.key))
        for stage in steps:
            place = next((entry for entry in scored.trail if entry.stage is stage and entry.query == at), None)
            rows[STAGE_NAMES[stage]].append(f"{place.rank} ({place.score:.4g})" if place else "–")
    return rows


def judged_words(judgements: Mapping[int, int]) -> str:
    """The number of passages judged for a question, by grade."""
    if not judgements:
        return "No passage was judged for this question yet."
    counts = [
        f"{number:,} {GRADES[grade][0].lower()}"
        for grade in GRADES
        if (number := sum(value == grade or (grade == RELEVANT and value > RELEVANT) for value in judgements.values()))
    ]
    return f"{count_words(len(judgements), 'passage')} judged: {', '.join(counts)}."


def stages_words(stages: records.StageSwitches) -> str:
    """The steps that run: ``Words + Meaning + Variety``."""
    on = {
        Stage.LEXICAL: stages.lexical,
        Stage.DENSE: stages.dense,
        Stage.LATE_INTERACTION: stages.late_interaction,
        Stage.MMR: stages.mmr,
        Stage.RERANK: stages.rerank,
    }
    return " + ".join(STAGE_NAMES[stage] for stage, runs in on.items() if runs) or "nothing"


def usual_stages(chosen: records.StageSwitches, *, close_reading: bool) -> dict[str, records.StageSwitches]:
    """The combinations that are compared, by name: the steps as they are switched, then the usual ones."""
    named = {"As switched on this page": replace(chosen, rerank=False) if not close_reading else chosen}
    for combination in COMBINATIONS.values():
        if (close_reading or not combination.stages.rerank) and combination.stages not in named.values():
            named[combination.name] = combination.stages
    return named


def engine_name(engine: str) -> str:
    return f"{engine} index" if engine else "Exact engine"


def figure_rows(figures: Sequence[Figures], names: Mapping[str, records.StageSwitches]) -> dict[str, list[str]]:
    """One row a combination of steps, all variants together; two where two engines compare word by word."""
    together = [figure for figure in figures if not figure.variant]
    named = [(name, figure) for name, stages in names.items() for figure in together if figure.stages == stages]
    rows = [figure for _, figure in named]
    several = any(figure.engine for figure in together)
    return {
        "Steps": [name for name, _ in named],
        **({"Word by word": [_engine_cell(figure) for figure in rows]} if several else {}),
        **_measured(rows),
        "Which": [_which_cell(figure) for figure in rows],
    }


def _engine_cell(figure: Figures) -> str:
    return engine_name(figure.engine) if figure.stages.late_interaction else "–"


def _which_cell(figure: Figures) -> str:
    """The steps; the problem where our own engine could not measure them (those of other engines stand below)."""
    return figure.problem if figure.problem and not figure.engine else stages_words(figure.stages)


def engine_problems(figures: Sequence[Figures]) -> list[str]:
    """The reasons why an engine beside our own has no figure for some combination, a sentence each."""
    problems = {figure.engine: figure.problem for figure in figures if figure.engine and figure.problem}
    return [f"Where the {engine_name(engine)} has no figure: {problem}" for engine, problem in problems.items()]


def variant_figures(
    figures: Sequence[Figures], stages: records.StageSwitches, variants: Sequence[records.Variant]
) -> dict[str, list[str]]:
    """One row a variant by itself, under one combination of steps, and all of them together first; by the engine of the
    project where that could answer."""
    mine = [figure for figure in figures if figure.stages == stages]
    able = [figure for figure in mine if figure.engine and not figure.problem]
    rows = able or [figure for figure in mine if not figure.engine]
    return {
        "Variant": [variant_name(variants, row.variant) if row.variant else "All together" for row in rows],
        **_measured(rows),
    }


def _measured(rows: Sequence[Figures]) -> dict[str, list[str]]:
    best = max((row.ndcg or 0.0 for row in rows), default=0.0)

    def cell(value: float | None, top: bool) -> str:
        return "–" if value is None else f"{decimal(value)}{' (best)' if top else ''}"

    return {
        f"nDCG at {NDCG_AT}": [cell(row.ndcg, bool(best) and row.ndcg == best and len(rows) > 1) for row in rows],
        f"Recall at {RECALL_AT}": [cell(row.recall, False) for row in rows],
        f"Found in the first {NDCG_AT}": [
            f"{row.at_top:,} of {row.relevant:,}" if row.ndcg is not None else "–" for row in rows
        ],
    }


def question_line(question: records.Question) -> str:
    """The number of variants of a saved question, and how many of them are switched on."""
    on = sum(variant.on for variant in question.variants)
    if len(question.variants) <= 1:
        return "the question alone"
    return f"{count_words(len(question.variants), 'variant')}, {on:,} switched on"


def question_title(question: records.Question, width: int = 90) -> str:
    return short(question.text, width) or "(empty)"
