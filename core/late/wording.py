"""Words for people about the engine of late interaction in a project: what holds, and what a choice causes."""

from __future__ import annotations

from core.late.choice import LateState
from core.text.words import count_words

NAMES = {"exact": "the exact engine", "ragatouille": "RAGatouille"}


def choice_effects(state: LateState, choice: str, *, to_encode: int, passages: int) -> list[str]:
    """What choosing causes, a sentence each, the costly first.

    Args:
        to_encode: passages without vectors of the encoder that comes with the choice.
        passages: all that are searchable.
    """
    after = choice or state.installation
    if after == state.engine:
        until = "whatever the installation uses" if choice else "until the installation uses another"
        return [f"Searches here use {NAMES[after]} as before, {until}."]
    if choice == "ragatouille" and state.problem:
        return [f"It cannot be chosen here: {state.problem}"]
    said = []
    if to_encode:
        some = f"{to_encode:,} of {passages:,} passages {'is' if to_encode == 1 else 'are'}"
        which = "All passages are" if to_encode == passages else some
        said.append(
            f"{which} prepared for search by meaning with the model of this engine, begun by the worker at once. Until "
            "then searches go by what is prepared already, and say so."
        )
    if after == "exact":
        said.append("Searches compare word by word with the exact engine, from the next one on.")
        said.append("What RAGatouille made (its vectors and its index) stays in the project for the way back.")
        return said
    if state.built is None:
        said.append(
            f"Then RAGatouille builds an index of {count_words(passages, 'passage')}; at its first use on a machine it "
            "compiles parts of itself for some minutes before. Until the index is there, and whenever RAGatouille "
            "cannot answer, searches use the exact engine and say so."
        )
    elif state.stale:
        said.append(
            f"Its index of {state.built:%Y-%m-%d} cannot be used ({state.stale}) and is built anew, with "
            f"{count_words(passages, 'passage')}. Until then, and whenever RAGatouille cannot answer, searches use the "
            "exact engine and say so."
        )
    else:
        said.append(
            f"Its index of {state.built:%Y-%m-%d} is still there and is used. It is built anew when too much has "
            "changed. Whenever RAGatouille cannot answer, searches use the exact engine and say so."
        )
    said.append("Checks of claims and citations go on with the exact engine.")
    said.append("The vectors of the exact engine stay in the project for the way back.")
    return [*said, *filter(None, [state.warning])]


def state_lines(state: LateState) -> list[str]:
    """How it stands, a sentence each."""
    how = "chosen for this project" if state.chosen else "as the installation"
    said = [f"Compares word by word: {NAMES[state.engine]} ({how})."]
    if state.problem:
        said.append(f"RAGatouille cannot be used here: {state.problem}")
    elif state.checkpoint:
        said.append(f"Checkpoint of RAGatouille: {state.checkpoint}.")
    if state.built is not None:
        unused = "" if state.engine == "ragatouille" else " It is not used now."
        unused = f" It is not used: {state.stale}." if state.stale else unused
        said.append(
            f"Index: {count_words(state.indexed, 'passage')}, built {state.built:%Y-%m-%d %H:%M} UTC; since then "
            f"{state.added:,} added and {state.removed:,} removed.{unused}"
        )
    elif state.engine == "ragatouille":
        said.append("Index: none yet; the exact engine answers until it is built.")
    if state.failed:
        said.append(f"The last build failed: {state.failed}")
    if state.to_encode:
        some = count_words(state.to_encode, "passage")
        said.append(f"Not encoded yet: {some}. `--rebuild` encodes what is left, and builds the index after that.")
    if state.rebuild:
        said.append("It is to be built anew." if state.stale else f"It is to be built: {state.rebuild}.")
    if state.warning and state.engine == "ragatouille":
        said.append(state.warning)
    return said
