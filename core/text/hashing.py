"""SHA-256 of texts, bytes and files: by it contents are recognised, in a project's files and in every copy of them."""

import hashlib
from pathlib import Path


def digest(content: str | bytes) -> bytes:
    """The 32 bytes of the SHA-256; of a text, that of its UTF-8 (a lone surrogate counts as its three bytes)."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content).digest()


def hex_digest(content: str | bytes) -> str:
    """``digest`` as 64 hexadecimal digits."""
    return digest(content).hex()


def file_digest(path: Path) -> str:
    """``hex_digest`` of a file's bytes, read in pieces (OSError)."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
