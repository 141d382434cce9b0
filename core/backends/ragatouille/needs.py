"""Checks of what the engine needs: the extra, a C++ compiler, extensions that can be compiled."""

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import sys
from pathlib import Path

import platformdirs

from core.errors import ExtraMissing, LateEngineError
from core.text.hashing import hex_digest

INSTALL = "pip install '.[ragatouille]'"
PACKAGES = ("ragatouille", "colbert", "faiss", "ninja", "psutil", "torch")
RELEASES = ("ragatouille", "colbert-ai", "faiss-cpu", "ninja", "torch", "transformers", "langchain", "tokenizers")
"""Names under which those and what they load are installed."""
EXTENSIONS = ("segmented_maxsim_cpp", "segmented_lookup_cpp", "filter_pids_cpp", "decompress_residuals_cpp")
"""Compiled by torch at first use, about a minute of processor time each."""


def check_extra() -> None:
    """True when the packages of the extra are installed (ExtraMissing). Imports none of them."""
    missing = [name for name in PACKAGES if not _installed(name)]
    if missing:
        raise ExtraMissing(
            f"The engine RAGatouille needs an extra that is not installed (missing: {', '.join(missing)}): {INSTALL}"
        )


def check_compiler() -> None:
    """True when a C++ compiler is there, or all extensions were compiled before (LateEngineError)."""
    if compiler() is None and not all(map(_compiled, EXTENSIONS)):
        wanted = os.environ.get("CXX") or "c++, g++ or clang++"
        raise LateEngineError(
            f"RAGatouille compiles parts of itself at first use, and no C++ compiler was found ({wanted} on PATH). "
            "Install one (Debian: apt-get install g++, macOS: xcode-select --install) and build the index again."
        )


def compiler() -> str | None:
    """The C++ compiler that torch would call, by its path."""
    names = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    return next(filter(None, map(shutil.which, names)), None)


def environment() -> str:
    """Names this Python, the releases of all that takes part, and the compiler; "?" for what is not there."""
    versions = [sys.version, *(f"{name}={_version(name)}" for name in RELEASES)]
    ready = _version("torch") != "?" and all(map(_compiled, EXTENSIONS))
    return "; ".join([*versions, f"compiler={compiler() or '?'}", f"compiled={ready}"])


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def extensions_folder() -> Path:
    """Under which the extensions are kept, a folder each: TORCH_EXTENSIONS_DIR, else one in the user's cache for this
    environment and its torch alone. torch's own default is shared by all environments of a Python, and ninja compiles
    everything again whenever another one, or another version of ninja, was there in between."""
    given = os.environ.get("TORCH_EXTENSIONS_DIR")
    if given:
        return Path(given)
    own = hex_digest(f"{sys.prefix} {sys.version}")[:8]
    folder = f"torch-{importlib.metadata.version('torch')}-{own}"
    return Path(platformdirs.user_cache_dir("evidence-workbench")) / "torch_extensions" / folder


def _locks(root: Path) -> list[Path]:
    return [path for name in EXTENSIONS for path in root.glob(f"{name}/lock")]


def _compiled(name: str) -> bool:
    return (extensions_folder() / name / f"{name}.so").is_file()


def stale_locks(folder: Path | None = None) -> list[Path]:
    """Lock files of our extensions that no living process holds open, so that nobody will ever remove them. torch keeps
    the file open as long as it compiles (``FileBaton``), and waits for ever for one that a killed process left:
    https://github.com/pytorch/pytorch/issues/189245 (torch 2.13 has it still)."""
    locks = _locks(folder or extensions_folder())
    if not locks:
        return []
    open_locks = _held_open({path.resolve() for path in locks})
    return [path for path in locks if path.resolve() not in open_locks]


def clear_stale_locks(folder: Path | None = None) -> list[Path]:
    """Remove stale locks; returns those removed. Raises LateEngineError: one cannot be removed; the message names it
    and says what to do."""
    removed = []
    for lock in stale_locks(folder):
        try:
            lock.unlink(missing_ok=True)
        except OSError as error:
            raise LateEngineError(
                f"A killed compile left the lock {lock}, and it cannot be removed ({error.strerror}). Remove it by "
                "hand; RAGatouille would wait for it for ever."
            ) from error
        removed.append(lock)
    return removed


def waiting_note(folder: Path | None = None) -> str:
    """A sentence on the locks that a living process holds; "" when there are none."""
    root = folder or extensions_folder()
    stale = set(stale_locks(root))
    waited_for = [path for path in _locks(root) if path not in stale]
    return (
        f"Waiting for another process that compiles {waited_for[0].parent.name} (lock {waited_for[0]})"
        if waited_for
        else ""
    )


def _held_open(paths: set[Path]) -> set[Path]:
    """The files among these that some living process of this user has open."""
    psutil = importlib.import_module("psutil")

    open_files: set[Path] = set()
    for process in psutil.process_iter():
        try:
            open_files.update(paths & {Path(file.path).resolve() for file in process.open_files()})
        except (psutil.Error, OSError):  # gone meanwhile, or another user's, who has a cache of their own
            continue
    return open_files


def _installed(name: str) -> bool:
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False
