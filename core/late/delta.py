"""Changes of a project since a snapshot of its passages was taken, and whether the snapshot still serves."""

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.text.hashing import hex_digest

MANIFEST = "manifest.json"
FORMAT = 1

MIN_PASSAGES = 3
"""RAGatouille 0.0.9 cannot index fewer."""
MAX_SHARE = 0.2
"""Changes since the snapshot, as a share of it, above which it is built anew."""
MANY_PASSAGES = 10_000
"""Above so many passages building takes long without a GPU: k-means alone about 15 CPU minutes."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Contents of a snapshot. ``passages``: id → hash of the text that was indexed; ``files``: name under the folder →
    SHA-256; ``stamp`` is its own; ``built`` is ISO 8601."""

    project: str
    checkpoint: str
    engine: str
    built: str
    stamp: str
    passages: Mapping[int, str]
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delta:
    """Passages that the project has and the snapshot lacks (``added``, ascending), and the other way round."""

    added: tuple[int, ...]
    removed: frozenset[int]
    indexed: int

    @property
    def share(self) -> float:
        """Changes as a share of the snapshot's passages."""
        return (len(self.added) + len(self.removed)) / max(1, self.indexed)


def delta_of(indexed: Collection[int], present: Collection[int]) -> Delta:
    """Compare the ids of a snapshot with those of the project."""
    then, now = set(indexed), set(present)
    return Delta(tuple(sorted(now - then)), frozenset(then - now), len(then))


def text_hash(text: str) -> str:
    """Hash by which indexed texts are told apart: the first 16 hex digits of SHA-256."""
    return hex_digest(text)[:16]


def why_build(manifest: Manifest | None, project: str, checkpoint: str, present: Collection[int]) -> str:
    """Reason to build a snapshot now, as a part of a sentence; "" when there is no need."""
    if len(present) < MIN_PASSAGES:
        return ""
    if manifest is None:
        return "there is no index yet"
    if manifest.project != project:
        return "the index in the folder was made for another project"
    if other := unfit(manifest, checkpoint):
        return other
    delta = delta_of(manifest.passages, present)
    if delta.share > MAX_SHARE:
        return f"{len(delta.added) + len(delta.removed):,} changes since it was built are over {MAX_SHARE:.0%} of it"
    return ""


def unfit(manifest: Manifest, checkpoint: str) -> str:
    """Reason why no search under this checkpoint can use the snapshot, as a part of a sentence; "" when one can."""
    if manifest.checkpoint == checkpoint:
        return ""
    return f"the index was made with {manifest.checkpoint}, not with {checkpoint}"


def build_warning(count: int) -> str:
    """Warning before so many passages are indexed without a GPU; "" when nothing."""
    if count <= MANY_PASSAGES:
        return ""
    return (
        f"{count:,} passages are many for this engine on a processor: building takes a quarter of an hour and more. "
        "The exact engine needs no such index."
    )


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of the snapshot in ``folder``; None when there is none that this version can read."""
    try:
        raw: dict[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
        if raw["format"] != FORMAT:
            return None
        return Manifest(
            project=str(raw["project"]),
            checkpoint=str(raw["checkpoint"]),
            engine=str(raw["engine"]),
            built=str(raw["built"]),
            stamp=str(raw["stamp"]),
            passages={int(key): str(value) for key, value in raw["passages"].items()},
            files={str(key): str(value) for key, value in raw["files"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it as the last file of a snapshot that is not in use yet."""
    raw = {
        "format": FORMAT,
        "project": manifest.project,
        "checkpoint": manifest.checkpoint,
        "engine": manifest.engine,
        "built": manifest.built,
        "stamp": manifest.stamp,
        "passages": {str(key): value for key, value in manifest.passages.items()},
        "files": dict(manifest.files),
    }
    (folder / MANIFEST).write_text(json.dumps(raw), "utf-8")


def file_hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of every file under ``folder`` but the manifest, by its name there."""
    hashes = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path != folder / MANIFEST:
            with path.open("rb") as stream:
                hashes[path.relative_to(folder).as_posix()] = hashlib.file_digest(stream, "sha256").hexdigest()
    return hashes


def damaged_file(folder: Path, manifest: Manifest) -> str:
    """A file of the snapshot that is missing or differs, or one that is not in its manifest; "" when all is whole."""
    hashes = file_hashes(folder)
    names = sorted({*hashes, *manifest.files})
    return next((name for name in names if hashes.get(name) != manifest.files.get(name)), "")
