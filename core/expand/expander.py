"""The maker of variants of a question for one project: which kinds, from which passages, by which model."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from core.errors import ModelError, QueryError
from core.expand import transform as rules
from core.expand.by_model import Write, hyde, hyde_prompt, multi_query, multi_query_prompt
from core.expand.compose import Make, expansion
from core.expand.definitions import definitions
from core.expand.feedback import feedback
from core.labels import QueryKind
from core.ports.store import JointEncoder, PassageIndex
from core.records import Expansion, Filters, Prompt, Query, SearchRequest, StageSwitches, Variant
from core.retrieve import pipeline
from core.settings.values import Expansion as ExpansionSettings
from core.settings.values import Settings
from core.text.terms import index_terms

log = logging.getLogger(__name__)

DEFINING = 50
"""Passages that are read for definitions of short forms."""
_MOST_SHORT_FORMS = 5


@dataclass(frozen=True, slots=True)
class Expander:
    """The maker of variants for one project. Without ``encoder`` the first search of feedback goes by words alone.
    Without ``write`` only variants that need no language model are made."""

    index: PassageIndex
    settings: Settings
    encoder: JointEncoder | None = None
    write: Write | None = None

    def expand(self, question: str, kinds: Collection[QueryKind]) -> Expansion:
        """The question with its variants of these kinds (QueryError: it is empty or over 2,000 characters). A kind that
        needs a language model, where there is none, leaves a note."""
        makers: dict[QueryKind, Make] = {
            QueryKind.TRANSFORM: self._transform,
            QueryKind.FEEDBACK: self._feedback,
            QueryKind.MULTI_QUERY: self._by_model("Other phrasings", multi_query),
            QueryKind.HYDE: self._by_model("A hypothetical answer", hyde),
        }
        return expansion(question, {kind: make for kind, make in makers.items() if kind in kinds})

    def _transform(self, question: str) -> tuple[Sequence[Variant], Sequence[str]]:
        most = self.settings.expansion.transform_variants
        if self.settings.expansion.transform_llm and self.write is not None:
            return rules.by_model(question, self.write, most), ()
        texts = self._about(question)
        return rules.transform(question, definitions(texts), most, vocabulary=_words_in(texts))

    def _feedback(self, question: str) -> tuple[Sequence[Variant], Sequence[str]]:
        knobs = self.settings.expansion
        variants = feedback(
            question, self._found(question), feedback_terms=knobs.feedback_terms, weight=knobs.feedback_weight
        )
        return variants, () if variants else (
            "Words of the best passages: no passage of the project brings a new word.",
        )

    def _found(self, question: str) -> list[tuple[str, float]]:
        """The best passages by all stages and their joined scores in [0, 1], or by words where there is no model.
        Measured: the three best of the joined search bring better words than the ten best of BM25
        (docs/decisions/0012-expansion.md)."""
        stages = StageSwitches(mmr=False)
        request = SearchRequest((Query(question),), stages=stages, k=self.settings.expansion.feedback_passages)
        try:
            result = pipeline.search(request, self.index, self.encoder, self.settings.retrieval)
        except ModelError as error:  # a model is read at its first text
            log.warning("Feedback goes by words: %s", error)
            result = pipeline.search(request, self.index, None, self.settings.retrieval)
        except QueryError:  # without a word that the index keeps, and without a model, there is no first search
            return []
        return [(passage.passage.text, passage.score) for passage in result.passages]

    def _by_model(self, name: str, make: Callable[[str, Write], Sequence[Variant]]) -> Make:
        def making(question: str) -> tuple[Sequence[Variant], Sequence[str]]:
            if self.write is None:
                return (), (f"{name}: not made, because that asks a language model.",)
            return make(question, self.write), ()

        return making

    def _about(self, question: str) -> list[str]:
        """Passages that say what short forms mean and which words the project uses: those found for the question and
        for its short forms."""
        shorts = [word for word in rules.words_of(question) if sum(map(str.isupper, word)) > 1][:_MOST_SHORT_FORMS]
        wanted = [index_terms(question), *(index_terms(word) for word in shorts)]
        return sorted({text for terms in wanted for text in self._texts(terms)})

    def _texts(self, terms: Sequence[str]) -> list[str]:
        """The best passages by keywords."""
        hits = self.index.lexical(list(dict.fromkeys(terms)), Filters(), DEFINING) if terms else []
        return [passage.text for passage in self.index.passages([hit.passage_id for hit in hits]).values()]


def _words_in(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in rules.words_of(text))


def prompts(question: str, kinds: Collection[QueryKind], settings: ExpansionSettings) -> list[Prompt]:
    """The prompts that these kinds would send to a language model, so that their cost can be shown before."""
    wanted = {
        QueryKind.MULTI_QUERY: multi_query_prompt,
        QueryKind.HYDE: hyde_prompt,
        **({QueryKind.TRANSFORM: rules.prompt} if settings.transform_llm else {}),
    }
    return [make(question) for kind, make in wanted.items() if kind in kinds]
