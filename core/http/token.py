"""The token that every request to the service carries: from the environment, or from a file that only its owner may
read."""

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.errors import SettingsError

VARIABLE = "WORKBENCH_TOKEN"
FILE = ".service-token"
SHORTEST = 16
LONGEST = 512


@dataclass(frozen=True, slots=True)
class Token:
    """The token and where it is from. ``is_new``: it was made just now, and is to be shown once."""

    value: str
    origin: str
    is_new: bool = False

    def __repr__(self) -> str:  # a traceback or a log must not show it
        return f"Token(origin={self.origin!r})"

    def accepts(self, given: str) -> bool:
        """True when ``given`` is the token. The comparison takes equally long wherever the two differ."""
        mine, other = (hashlib.sha256(text.encode("utf-8", "replace")).digest() for text in (self.value, given))
        return hmac.compare_digest(mine, other)


def find_token(file: Path, environment: Mapping[str, str] | None = None) -> Token:
    """The token of the environment, else of ``file``, which is made when it is not there. Raises SettingsError: the
    token is too short or has characters that no header may carry; the file cannot be read or written, or others may
    read it."""
    given = (os.environ if environment is None else environment).get(VARIABLE, "").strip()
    if given:
        return Token(_checked(given, f"The variable {VARIABLE}"), VARIABLE)
    try:
        return _make(file)
    except FileExistsError:
        return Token(_checked(_read(file), f"The file {file}"), str(file))
    except OSError as error:
        raise SettingsError(
            f"The token cannot be kept in {file}: {error.strerror}. Set {VARIABLE}, or name another file."
        ) from error


def _make(file: Path) -> Token:
    value = secrets.token_urlsafe(32)
    # O_EXCL: two services that start together end with one token, and a link laid in the way is not followed.
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as opened:
        opened.write(value + "\n")
        opened.flush()
        os.fsync(opened.fileno())
    return Token(value, str(file), is_new=True)


def _read(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            text = opened.read(LONGEST + 2).strip()
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The token in {file} cannot be read: {error}. Remove the file to get a new one."
        ) from error
    if not stat.S_ISREG(mode) or (os.name == "posix" and mode & 0o077):
        raise SettingsError(
            f"Others may read the token in {file}. Run `chmod 600 {file}`, or remove it to get a new one."
        )
    return text


def _checked(value: str, place: str) -> str:
    if not SHORTEST <= len(value) <= LONGEST or not all("!" <= sign <= "~" for sign in value):
        raise SettingsError(
            f"{place} holds no token that can be used: {SHORTEST} to {LONGEST} characters of ASCII without spaces are."
        )
    return value
