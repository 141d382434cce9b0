"""Makes variants of a question for one project: which kinds, from which passages, by which model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from core.expand import transform as rules
from core.expand.compose import Make, expansion
from core.expand.definitions import definitions
from core.expand.feedback import feedback
from core.expand.hyde import hyde
from core.expand.hyde import prompt as hyde_prompt
from core.expand.multi_query import multi_query
from core.expand.multi_query import prompt as multi_query_prompt
from core.expand.replies import Write
from core.labels import QueryKind
from core.model import Expansion, Filters, Prompt, Variant
from core.ports import PassageIndex
from core.settings import Expansion as ExpansionSettings
from core.terms import index_terms

DEFINING = 50
"""Passages that are read for definitions of short forms."""
_MOST_SHORT_FORMS = 5


@dataclass(frozen=True, slots=True)
class Expander:
    """``write`` reaches a language model; None where only what needs none is to be made."""

    index: PassageIndex
    settings: ExpansionSettings
    write: Write | None = None

    def expand(self, question: str, kinds: Collection[QueryKind]) -> Expansion:
        """The question with its variants of these kinds (QueryError: it is empty or over 2,000 characters).

        A kind that needs a language model, where there is none, leaves a note.
        """
        makers: dict[QueryKind, Make] = {
            QueryKind.TRANSFORM: self._transform,
            QueryKind.FEEDBACK: self._feedback,
            QueryKind.MULTI_QUERY: self._by_model("Other phrasings", multi_query),
            QueryKind.HYDE: self._by_model("A hypothetical answer", hyde),
        }
        return expansion(question, {kind: make for kind, make in makers.items() if kind in kinds})

    def _transform(self, question: str) -> tuple[Sequence[Variant], Sequence[str]]:
        most = self.settings.transform_variants
        if self.settings.transform_llm and self.write is not None:
            return rules.by_model(question, self.write, most), ()
        return rules.transform(question, self._definitions(question), most)

    def _feedback(self, question: str) -> tuple[Sequence[Variant], Sequence[str]]:
        found = self._texts(index_terms(question), self.settings.feedback_passages)
        weight, most = self.settings.feedback_weight, self.settings.feedback_terms
        made = feedback(question, found, feedback_terms=most, weight=weight)
        return made, () if made else ("Words of the best passages: no passage of the project brings a new word.",)

    def _by_model(self, name: str, make: Callable[[str, Write], Sequence[Variant]]) -> Make:
        def making(question: str) -> tuple[Sequence[Variant], Sequence[str]]:
            if self.write is None:
                return (), (f"{name}: not made, because that asks a language model.",)
            return make(question, self.write), ()

        return making

    def _definitions(self, question: str) -> Mapping[str, str]:
        """What the project's passages say that short forms mean: those found for the question and for its short
        forms."""
        shorts = [word for word in rules.words_of(question) if sum(map(str.isupper, word)) > 1][:_MOST_SHORT_FORMS]
        wanted = [index_terms(question), *(index_terms(word) for word in shorts)]
        texts = {text for terms in wanted for text, _ in self._texts(terms, DEFINING)}
        return definitions(sorted(texts))

    def _texts(self, terms: Sequence[str], count: int) -> list[tuple[str, float]]:
        """The best passages by keywords, with their scores."""
        hits = self.index.lexical(list(dict.fromkeys(terms)), Filters(), count) if terms else []
        passages = self.index.passages([hit.passage_id for hit in hits])
        return [(passages[hit.passage_id].text, hit.score) for hit in hits if hit.passage_id in passages]


def prompts(question: str, kinds: Collection[QueryKind], settings: ExpansionSettings) -> list[Prompt]:
    """What these kinds would send to a language model, so that its cost can be told before."""
    wanted = {
        QueryKind.MULTI_QUERY: multi_query_prompt,
        QueryKind.HYDE: hyde_prompt,
        **({QueryKind.TRANSFORM: rules.prompt} if settings.transform_llm else {}),
    }
    return [make(question) for kind, make in wanted.items() if kind in kinds]
