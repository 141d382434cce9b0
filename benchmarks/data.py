"""The public data sets, as published (BEIR form)."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.evaluate.trec import parse_qrels
from core.records import Qrels

DEFAULT_DATA = Path(__file__).resolve().parents[1] / "../shared/data"
FOLDERS = {
    "scifact": "scifact",
    "cranfield": "classic_ir/cranfield",
    "cisi": "classic_ir/cisi",
    "medline": "classic_ir/medline",
}


@dataclass(frozen=True, slots=True)
class Text:
    """One document of a set."""

    key: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Documents, judged queries and judgements; ``fingerprint`` is over the files' bytes."""

    name: str
    split: str
    texts: tuple[Text, ...]
    queries: dict[str, str]
    qrels: Qrels
    fingerprint: str


def load_retrieval(data: Path, name: str, split: str = "test") -> RetrievalSet:
    """Read one set; queries without a relevant document are left out, as in BEIR.

    Raises:
        FileNotFoundError: the folder of data lacks the set; the message says where it was looked for.
    """
    folder = data / FOLDERS[name]
    files = [folder / "corpus.jsonl.gz", folder / "queries.jsonl", folder / "qrels" / f"{split}.tsv"]
    for file in files:
        if not file.is_file():
            raise FileNotFoundError(f"{file} is missing. Give the folder of data sets with --data.")
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    judgements = parse_qrels(str(files[2]), files[2].read_bytes())
    qrels = {query: judged for query, judged in judgements.items() if any(grade > 0 for grade in judged.values())}
    texts = {row["_id"]: row["text"] for row in _rows(files[1])}
    return RetrievalSet(
        name=name,
        split=split,
        texts=tuple(Text(row["_id"], row.get("title") or "", row["text"]) for row in _rows(files[0])),
        queries={query: texts[query] for query in qrels},
        qrels=qrels,
        fingerprint=digest.hexdigest()[:16],
    )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def default_cache() -> Path:
    """Where encoded texts are kept between runs."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("evidence-workbench")) / "benchmarks"
