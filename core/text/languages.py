"""Whether two texts are in different languages, as far as that can be told. Scripts tell surely (Chinese beside
English). Two languages of one script are told apart by py3langid (Lui & Baldwin, "langid.py: An Off-the-shelf Language
Identification Tool", ACL 2012), which is uncertain on short texts: it is believed only about a claim that is long
enough and in the language of the whole report around it."""

import re
from collections import Counter
from functools import lru_cache

SAMPLE = 20_000
"""Characters of a text that are looked at."""
_LEAST_LETTERS = 40
"""Letters of a claim from which py3langid is asked; sentences of SciFact and WiCE have 60 and more."""
_LEAST_TEXT = 200
_LEAST_SENTENCES = 80
"""Letters of a claim with some sentences of its source from which py3langid is asked whether they are English."""
_UNSPACED_SHARE = 0.4
"""Chinese and Japanese sentences are full of names in Latin letters; this share of the words makes them Chinese."""
_SCRIPTS = {
    "Han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "Kana": "\u3040-\u30ff",
    "Hangul": "\uac00-\ud7af\u1100-\u11ff",
    "Thai": "\u0e00-\u0e7f",
    "Cyrillic": "\u0400-\u052f",
    "Greek": "\u0370-\u03ff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f",
    "Hebrew": "\u0590-\u05ff",
    "Devanagari": "\u0900-\u097f",
    "Latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
}
_RUNS = re.compile("|".join(f"(?P<{name}>[{signs}]+)" for name, signs in _SCRIPTS.items()))
_UNSPACED = ("Han", "Kana", "Thai")
_BY_SCRIPT = {"Han": "zh", "Kana": "ja", "Hangul": "ko", "Thai": "th", "Greek": "el", "Hebrew": "he"}
"""Scripts that one language is nearly always written in."""
_SAME = {"nb": "no", "nn": "no", "sr": "hr", "bs": "hr"}
"""Codes of languages so near one another that telling them apart would be a guess."""
_NAMES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian",
    "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def different_languages(claim: str, around: str, source: str, declared: str | None = None) -> tuple[str, str] | None:
    """Names of the languages of a claim and of a source when they surely differ; None when they do not, or when it
    cannot be told.

    Args:
        claim: one sentence.
        around: the report that it stands in; it decides where a sentence is too short to tell.
        source: the text of the source (its first ``SAMPLE`` characters are looked at).
        declared: the source's language (ISO 639-1), where it is known.
    """
    ours, theirs = script_of(claim), script_of(source[:SAMPLE])
    if ours is None or theirs is None:
        return None
    if ours != theirs and {ours, theirs} != {"Han", "Kana"}:
        context = around[:SAMPLE]
        longer = context if script_of(context) == ours else claim
        return _named(longer, ours, None), _named(source[:SAMPLE], theirs, declared)
    if ours in _BY_SCRIPT or sum(map(str.isalpha, claim)) < _LEAST_LETTERS:
        return None
    language, report = _classified(claim), _of_text(around[:SAMPLE])
    other = _of_text(source[:SAMPLE]) or _plain(declared)
    if other is None or language != report or language == other:
        return None
    return _name(language), _name(other)


def is_english(text: str) -> bool:
    """Whether a text can be English: its letters are Latin, and where it is long enough to tell, its words are."""
    if script_of(text) not in (None, "Latin"):
        return False
    return sum(map(str.isalpha, text)) < _LEAST_SENTENCES or _classified(text) == "en"


def script_of(text: str) -> str | None:
    """The script that most words of a text are in (``Latin``, ``Han``, ...); None for a text without letters."""
    words: Counter[str] = Counter()
    for match in _RUNS.finditer(text):
        script = str(match.lastgroup)
        words[script] += len(match[0]) if script in _UNSPACED else 2
    if not words:
        return None
    total = sum(words.values())
    kana = words["Kana"]
    if words["Han"] + kana >= _UNSPACED_SHARE * total:
        return "Kana" if kana > 0.1 * (words["Han"] + kana) else "Han"
    return max(words, key=lambda script: words[script])


def _named(text: str, script: str, declared: str | None) -> str:
    code = _BY_SCRIPT.get(script) or _of_text(text) or _plain(declared)
    return _name(code) if code else f"{script} script"


def _name(code: str) -> str:
    return _NAMES.get(code, f"language \u201c{code}\u201d")


def _of_text(text: str) -> str | None:
    return _classified(text) if sum(map(str.isalpha, text)) >= _LEAST_TEXT else None


def _plain(code: str | None) -> str | None:
    return _SAME.get(code, code) if code else None


@lru_cache(maxsize=500)  # claims of one report are asked about several sources, and the report about every claim
def _classified(text: str) -> str:
    import py3langid

    code = str(py3langid.classify(text)[0])
    return _SAME.get(code, code)
