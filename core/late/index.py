"""Late interaction by a snapshot engine, exact about what changed since: one of these a project and process. A search
over-fetches from the snapshot, drops what was deleted since, joins our own late interaction over what was added since,
and reads every text by id from the project's database. The snapshot keeps token vectors in 4 bits a component; what it
finds is put in order by our own matrices of the same checkpoint, so that all scores of a search are MaxSim on one
scale, the snapshot's and those of what it does not hold."""

import contextlib
import shutil
import threading
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import LateEngineError, ModelError
from core.late import delta as late_delta
from core.late.delta import Manifest, delta_of, read_manifest
from core.late.open_snapshots import OpenSnapshots
from core.ports.engines import SnapshotEngine, SnapshotSearcher
from core.ports.store import Clock, PassageIndex, Progress
from core.records import Filters, Hit, SearchRequest, TokenMatrix
from core.text.maxsim import maxsim

FOLDER = "10_graph/colbert_index"
_BLOCK = 1000


@dataclass(frozen=True, slots=True)
class Ranked:
    """One query's answer: the best passages, and the score of every passage that was asked about."""

    hits: list[Hit]
    scores: dict[int, float]


@dataclass(slots=True, eq=False)
class _Opened:
    """A snapshot that can be searched, the file that it was opened by, and how many searches use it now."""

    manifest: Manifest
    searcher: SnapshotSearcher
    stamp: tuple[int, int] | None
    searches: int = 0
    replaced: bool = False


class LateIndex:
    """The snapshot of one project: built, opened, searched. Safe to share between threads."""

    def __init__(
        self, folder: Path, project: str, engine: SnapshotEngine, snapshots: OpenSnapshots | None = None
    ) -> None:
        self._folder, self._project, self._engine = folder, project, engine
        self._snapshots = snapshots or OpenSnapshots()
        self._lock = threading.Lock()
        self._opened: _Opened | None = None

    @property
    def engine(self) -> str:
        return self._engine.name

    @property
    def manifest(self) -> Manifest | None:
        """Contents of the snapshot on disk; None when there is none."""
        return read_manifest(self._folder)

    @property
    def pid(self) -> int | None:
        """Id of the process that searches it; None when none does."""
        opened = self._opened
        return getattr(opened.searcher, "pid", None) if opened else None

    @property
    def key(self) -> str:
        """Name of the engine and the snapshot, for caches of results."""
        return f"{self._engine.name}:{self._stamp_of_file()}"

    def why_build(self, index: PassageIndex) -> str:
        """Reason to build the snapshot now; "" when there is no need (ModelError: the checkpoint is missing)."""
        present = index.passage_ids(Filters())
        return late_delta.why_build(self.manifest, self._project, self._engine.checkpoint(), present)

    def unfit(self) -> str:
        """Reason why the snapshot on disk, if any, cannot be used though it is whole: it was made with another
        checkpoint; "" when it can (ModelError: the checkpoint is missing)."""
        manifest = self.manifest
        return late_delta.unfit(manifest, self._engine.checkpoint()) if manifest else ""

    def circumstances(self, index: PassageIndex) -> str:
        """Name of all that decides how a build ends: the checkpoint (or why it cannot be had), versions and tools, and
        the size of the project to a factor of two."""
        try:
            checkpoint = self._engine.checkpoint()
        except ModelError as error:
            checkpoint = str(error)
        size = len(index.passage_ids(Filters())).bit_length()
        return late_delta.text_hash(f"{self._engine.name}\0{checkpoint}\0{self._engine.environment()}\0{size}")

    def check_size(self, index: PassageIndex) -> Sequence[int]:
        """Ids of all passages (LateEngineError: fewer than the engine can index)."""
        ids = index.passage_ids(Filters())
        if len(ids) < late_delta.MIN_PASSAGES:
            raise LateEngineError(
                f"{self._engine.name} cannot index fewer than {late_delta.MIN_PASSAGES} passages, and this project has "
                f"{len(ids)}. Add sources; until then the exact engine answers."
            )
        return ids

    def build(self, index: PassageIndex, progress: Progress, clock: Clock) -> Mapping[str, object]:
        """Index all passages anew, in place of the present snapshot; searches use that one until then. Raises
        LateEngineError (fewer passages than the engine can index, or it failed; nothing was replaced), ModelError (the
        engine or its checkpoint cannot be had) or JobCancelled (nothing was replaced)."""
        ids = self.check_size(index)
        checkpoint = self._engine.checkpoint()
        texts = [
            (passage.id, passage.index_text)
            for start in range(0, len(ids), _BLOCK)
            for passage in index.passages(ids[start : start + _BLOCK]).values()
        ]
        self._clear_leftovers()
        folder = self._folder.with_name(f".{self._folder.name}.{uuid.uuid4().hex[:8]}.tmp")
        folder.mkdir()  # never the parents: a project deleted meanwhile must not come back as an empty folder
        try:
            self._engine.build(texts, folder, progress)
            manifest = Manifest(
                project=self._project,
                checkpoint=checkpoint,
                engine=self._engine.name,
                built=clock().isoformat(timespec="seconds"),
                stamp=uuid.uuid4().hex,
                passages={key: late_delta.text_hash(text) for key, text in texts},
                files=late_delta.file_hashes(folder),
            )
            late_delta.write_manifest(folder, manifest)
            self._put_in_place(folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        warning = late_delta.build_warning(len(texts))
        return {"indexed": len(texts), **({"warning": warning} if warning else {})}

    def _put_in_place(self, folder: Path) -> None:
        # A folder cannot be renamed over a filled one. Killed between these two steps the project has no snapshot,
        # never half of one: the exact engine answers, and the next look asks for it to be built.
        old = folder.with_suffix(".old")
        with contextlib.suppress(FileNotFoundError):
            self._folder.rename(old)
        folder.rename(self._folder)
        shutil.rmtree(old, ignore_errors=True)

    def _clear_leftovers(self) -> None:
        for left in self._folder.parent.glob(f".{self._folder.name}.*"):
            shutil.rmtree(left, ignore_errors=True)

    def rank(
        self,
        request: SearchRequest,
        tokens: Mapping[int, TokenMatrix],
        index: PassageIndex,
        encoder: str,
        others: Sequence[int] = (),
    ) -> dict[int, Ranked]:
        """Rankings of the request's queries (by their place in it), under its filters.

        Args:
            tokens: our token vectors of each query that is asked.
            encoder: fingerprint under which our token matrices are filed; it must be of the same checkpoint.
            others: passages that other stages brought and that are to be scored too.

        Raises:
            ModelError: the snapshot cannot answer; the message says why, as a sentence.
        """
        everything = index.passage_ids(Filters())
        if len(everything) < late_delta.MIN_PASSAGES:
            raise LateEngineError(f"it needs at least {late_delta.MIN_PASSAGES} passages.")
        allowed = everything if request.filters == Filters() else index.passage_ids(request.filters)
        here = set(allowed)
        with self._searching(encoder) as (manifest, searcher):
            delta = delta_of(manifest.passages, everything)
            wanted = [key for key in allowed if key in manifest.passages] if allowed is not everything else None
            depth = min(delta.indexed, request.depth + len(delta.removed))
            its = {at: _engine_scores(searcher, request.queries[at].text, depth, wanted, here) for at in tokens}
        fresh = [key for key in delta.added if key in here]
        scored = sorted({*fresh, *here.intersection(others), *(key for scores in its.values() for key in scores)})
        ours = _own(list(tokens.values()), scored, index, encoder)
        rankings: dict[int, Ranked] = {}
        for at, own in zip(tokens, ours, strict=True):
            scores = {**its[at], **own}
            rankings[at] = Ranked(_best(scores, request.depth), scores)
            _check_texts(rankings[at].hits, manifest, index)
        return rankings

    @property
    def replaced(self) -> bool:
        """Whether the open snapshot is no longer the one on disk, which was built anew or deleted with its project."""
        opened = self._opened
        return opened is not None and self._stamp_of_file() != opened.stamp

    def close_unless_used(self) -> bool:
        """Close it, unless a search uses it at this moment; whether it is closed now. Never waits."""
        if not self._lock.acquire(blocking=False):  # being opened
            return False
        try:
            if self._opened is not None and self._opened.searches:
                return False
            self._close_opened()
            return True
        finally:
            self._lock.release()

    @contextlib.contextmanager
    def _searching(self, encoder: str) -> Iterator[tuple[Manifest, SnapshotSearcher]]:
        """The opened snapshot, which is not closed meanwhile for want of use, or because a new one is there."""
        with self._lock:
            opened = self._open(encoder)
            opened.searches += 1
        try:
            yield opened.manifest, opened.searcher
        finally:
            with self._lock:
                opened.searches -= 1
                if opened.replaced and not opened.searches:
                    opened.searcher.close()
                still = self._opened is opened
            if still:
                self._snapshots.used(self)

    def close(self) -> None:
        """Stop what searches it; a later search starts it again."""
        with self._lock:
            self._close_opened()

    def _close_opened(self, *, at_once: bool = True) -> None:
        opened, self._opened = self._opened, None
        if opened is None:
            return
        self._snapshots.forget(self)
        opened.replaced = bool(opened.searches) and not at_once  # the last search closes it
        if not opened.replaced:
            opened.searcher.close()

    def _open(self, encoder: str) -> _Opened:
        stamp = self._stamp_of_file()
        if self._opened is None or stamp != self._opened.stamp:
            self._close_opened(at_once=False)
            self._opened = _Opened(*self._start(encoder), stamp)
        self._check_origin(self._opened.manifest, encoder)
        self._snapshots.used(self)
        return self._opened

    def _check_origin(self, manifest: Manifest, encoder: str) -> None:
        if manifest.project != self._project:
            raise LateEngineError("the index in its folder was made for another project. Build it anew.")
        if manifest.checkpoint not in encoder.split("+"):
            raise LateEngineError(f"its index was made with {manifest.checkpoint}, and {encoder} is in use.")

    def _start(self, encoder: str) -> tuple[Manifest, SnapshotSearcher]:
        manifest = read_manifest(self._folder)
        if manifest is None:
            raise LateEngineError("its index is not built yet; it is built in the background, or on request.")
        self._check_origin(manifest, encoder)
        damaged = late_delta.damaged_file(self._folder, manifest)
        if damaged:
            raise LateEngineError(f"the file {damaged} of its index is not what was built. Build the index anew.")
        return manifest, self._engine.open(self._folder)

    def _stamp_of_file(self) -> tuple[int, int] | None:
        try:
            stat = (self._folder / late_delta.MANIFEST).stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_mtime_ns


class LateIndexes:
    """The snapshots of all projects of this process, each with a process of its own to search it, while it is used
    (``core.late.open_snapshots`` says when one is stopped)."""

    def __init__(self, engine: SnapshotEngine, snapshots: OpenSnapshots | None = None) -> None:
        self._engine = engine
        self._snapshots = snapshots or OpenSnapshots()
        self._of_project: dict[tuple[Path, str], LateIndex] = {}
        self._lock = threading.Lock()

    def of(self, path: Path, project: str) -> LateIndex:
        """The snapshot of the project with this id in the folder ``path``."""
        with self._lock:
            key = (path, project)
            if key not in self._of_project:
                self._of_project[key] = LateIndex(path / FOLDER, project, self._engine, self._snapshots)
            return self._of_project[key]

    def close(self) -> None:
        """Stop all processes; a search that is under way may start one again, which stops when it is idle."""
        with self._lock:
            indexes = list(self._of_project.values())
            self._of_project.clear()
        for index in indexes:
            index.close()


def _engine_scores(
    searcher: SnapshotSearcher, text: str, depth: int, wanted: Sequence[int] | None, here: Collection[int]
) -> dict[int, float]:
    """The engine's scores: of its best, or of those that are wanted (None: any)."""
    if wanted is not None and not wanted:
        return {}
    hits = searcher.search(text, depth) if wanted is None else searcher.score(text, wanted)
    return {hit.passage_id: hit.score for hit in hits if hit.passage_id in here}


def _own(
    queries: Sequence[TokenMatrix], passage_ids: Sequence[int], index: PassageIndex, encoder: str
) -> list[dict[int, float]]:
    """Our MaxSim of every query over these passages; those that are not encoded yet are left out."""
    scores: list[dict[int, float]] = [{} for _ in queries]
    vectors = [np.asarray(matrix.vectors) for matrix in queries]
    for start in range(0, len(passage_ids), _BLOCK):
        matrices = index.tokens(passage_ids[start : start + _BLOCK], encoder)
        for at, row in enumerate(maxsim(vectors, list(matrices.values()))):
            scores[at].update(zip(matrices, row.tolist(), strict=True))
    return scores


def _best(scores: Mapping[int, float], depth: int) -> list[Hit]:
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(key, score) for key, score in ordered[:depth]]


def _check_texts(hits: Sequence[Hit], manifest: Manifest, index: PassageIndex) -> None:
    """An id that stands for another text than the one that was indexed (a database put back from a copy)."""
    indexed = [hit.passage_id for hit in hits if hit.passage_id in manifest.passages]
    for key, passage in index.passages(indexed).items():
        if late_delta.text_hash(passage.index_text) != manifest.passages[key]:
            raise LateEngineError("its index holds other texts than the project. Build the index anew.")
