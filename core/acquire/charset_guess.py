"""The character set of bytes that name none and are not UTF-8: a guess, and said to be one.

charset-normalizer is asked, and not believed where it is known to err: it takes Latin text with few accents for any
code page that has letters there. Latin text is Windows-1252 (which holds ISO 8859-1), unless it is Central European,
Turkish or Baltic by its language and all its accented letters are of that language.
"""

from __future__ import annotations

import re
import unicodedata

_SAMPLE = 100_000
_LATIN_SHARE = 0.3
"""Latin text has accents on fewer of its letters than this."""
_FOREIGN_RUN = re.compile(rb"[\xa1-\xff]{5,}")
_FEW_FAULTS = 0.1
_ALPHABETS = {
    "cp1250": {
        "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž", "hu": "áéíóöőúüű", "ro": "ăâîşţ",
        "hr": "čćđšž", "bs": "čćđšž", "sr": "čćđšž", "sl": "čšž",
    },
    "cp1254": {"tr": "âçğıîöşüûi̇", "az": "çğıöşüi̇"},
    "cp1257": {"lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "et": "äõöüšž"},
}  # fmt: skip
_WESTERN = frozenset("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßœšž")
_SIGNS = frozenset("“”‘’‚„«»‹›–—…•·€£¥¢§°±²³¹µ©®™¼½¾¿¡†‡ªº×÷´¨ \u00a0\u00ad\n\t")
_OLD_WESTERN = ("mac_roman", "cp850")
_CYRILLIC = ("cp1251", "koi8_u", "iso8859_5", "cp866")
_EAST_ASIAN = ("cp932", "shift_jis", "cp949", "euc_kr", "johab", "big5", "gb18030", "gb2312", "gbk", "euc_jp")
_JAPANESE = ("euc_jp", "cp932")


def guess(body: bytes) -> str:
    """The likeliest encoding of ``body``, as Python names it."""
    sample = body[:_SAMPLE]
    if _is_utf8_with_faults(sample):
        return "utf-8"
    if _is_latin(sample):
        return _latin(sample)
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    encoding = best.encoding if best else "cp1252"
    return (_by_letters(sample) if encoding in (*_EAST_ASIAN, *_CYRILLIC) else None) or encoding


def _is_utf8_with_faults(sample: bytes) -> bool:
    """True when nearly all bytes above 127 make characters of UTF-8."""
    text = sample.decode("utf-8", "replace")
    faults, good = text.count("\ufffd"), sum(letter > "\x7f" for letter in text)
    return 0 < faults <= _FEW_FAULTS * good + (sample[-1] > 127)


def _is_latin(sample: bytes) -> bool:
    high = sum(byte > 127 for byte in sample)
    letters = len(re.findall(rb"[A-Za-z]", sample))
    return high <= _LATIN_SHARE * (high + letters) and not _FOREIGN_RUN.search(sample)


def _latin(sample: bytes) -> str:
    for encoding, alphabets in _ALPHABETS.items():
        text = _decoded(sample, encoding)
        language = _language(text)
        if language in alphabets and _letters(text) <= set(alphabets[language]):
            return encoding
    return min(("cp1252", *_OLD_WESTERN), key=lambda encoding: _oddities(_decoded(sample, encoding)))


def _language(text: str) -> str:
    import py3langid

    return str(py3langid.classify(text)[0]) if text else ""


def _letters(text: str) -> set[str]:
    """The letters of ``text`` outside ASCII, lower case."""
    return set("".join(letter for letter in text if letter > "\x7f" and letter.isalpha()).lower())


def _oddities(text: str) -> float:
    """Characters that Western text does not have, or has not at such a place; no text at all is the oddest."""
    if not text:
        return float("inf")
    odd = 0
    for before, letter, after in zip(" " + text, text, text[1:] + " ", strict=False):
        if letter > "\x7f" and letter not in _SIGNS:
            in_word = before.islower() or (before.isalpha() and after.islower())
            odd += letter.lower() not in _WESTERN or (letter.isupper() and in_word)
    return odd


def _by_letters(sample: bytes) -> str | None:
    """The encoding that makes Japanese or Cyrillic of ``sample``, None where none clearly does."""
    for encoding in _JAPANESE:
        text = _decoded(sample, encoding)
        kana = sum("\u3041" <= letter <= "\u3093" for letter in text)
        if text and kana > 0.25 * sum(letter > "\x7f" for letter in text):
            return encoding
    shares = {encoding: _small_cyrillic(_decoded(sample, encoding)) for encoding in _CYRILLIC}
    best = max(shares, key=lambda encoding: shares[encoding])
    return best if shares[best] > 0.85 else None


def _small_cyrillic(text: str) -> float:
    letters = [letter for letter in text if letter > "\x7f" and not letter.isspace()]
    small = sum(letter.islower() and "CYRILLIC" in unicodedata.name(letter, "") for letter in letters)
    return small / len(letters) if letters else 0.0


def _decoded(sample: bytes, encoding: str) -> str:
    """``sample`` in ``encoding``, "" where it does not fit; a character cut at its end is left out."""
    for end in (len(sample), len(sample) - 1):
        try:
            return sample[:end].decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""
