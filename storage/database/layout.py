"""Where everything of a project lies, relative to its folder."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """Paths inside one project folder ``root``. ``database`` is the truth; ``late`` (token matrices) and
    ``index_metadata`` are derived from it and can be made again. ``blobs`` holds fetched bytes, one file a SHA-256."""

    root: Path

    @property
    def database(self) -> Path:
        """Documents, passages, word index, dense vectors, jobs, statistics."""
        return self.root / "project.db"

    @property
    def late(self) -> Path:
        """int8 token matrices."""
        return self.root / "late.db"

    @property
    def blobs(self) -> Path:
        """Bytes as received, compressed: ``blobs/<first two hex digits>/<sha256>.zst``."""
        return self.root / "blobs"

    @property
    def graph(self) -> Path:
        """Folder of the index files."""
        return self.root / "10_graph"

    @property
    def index_metadata(self) -> Path:
        return self.graph / "index_metadata.json"

    @property
    def quality(self) -> Path:
        return self.root / "09_qa"

    @property
    def lock(self) -> Path:
        """Lock file of the derived files; its content means nothing."""
        return self.root / ".lock"

    def make_folders(self) -> None:
        """Create the folders of a new project. Later code never creates ``root`` again, so that a project
        deleted by another process does not come back as a half-empty folder."""
        for folder in (self.blobs, self.graph, self.quality):
            folder.mkdir(parents=True, exist_ok=True)
