"""The token: from the environment or a file for its owner only; compared without telling where it differs."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.http.guard import Token, find_token
from core.http.service import check_reach
from core.http.slots import ServiceOptions, is_loopback


def test_a_token_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "token"
    first, second = find_token(file, {}), find_token(file, {})
    assert (first.is_new, second.is_new) == (True, False)
    assert first.value == second.value
    assert len(first.value) >= 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_environment_wins_and_makes_no_file(tmp_path: Path) -> None:
    found = find_token(tmp_path / "token", {"WORKBENCH_TOKEN": " from-the-environment-1 "})
    assert (found.value, found.origin) == ("from-the-environment-1", "WORKBENCH_TOKEN")
    assert not (tmp_path / "token").exists()


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    find_token(file, {})
    file.chmod(0o644)
    with pytest.raises(SettingsError, match="Others may read"):
        find_token(file, {})


@pytest.mark.parametrize(
    "text", ["", "short", "with space in it 123", "ünsendable-token-12345", "x" * 600, "a\x00" * 20]
)
def test_what_cannot_be_a_token_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(SettingsError, match="holds no token"):
        find_token(file, {})


def test_a_folder_or_a_missing_folder_in_place_of_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be kept"):
        find_token(tmp_path / "nowhere" / "token", {})
    with pytest.raises(SettingsError, match="cannot be read"):
        find_token(tmp_path, {})


def test_only_the_very_token_is_accepted_and_no_text_shows_it() -> None:
    token = Token("a-token-of-some-length", "a test")
    assert token.accepts("a-token-of-some-length")
    assert not any(map(token.accepts, ("", "a-token-of-some-lengt", "A-token-of-some-length", "a" * 10_000, "\ud800")))
    assert "some-length" not in repr(token)


@pytest.mark.parametrize(("host", "local"), [
    ("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("[::1]", True), ("localhost", True), ("0.0.0.0", False),
    ("::", False), ("192.168.1.5", False), ("localhost.example.org", False), ("", False),
])  # fmt: skip
def test_without_a_token_only_this_machine_is_listened_to(host: str, local: bool) -> None:
    assert is_loopback(host) is local
    check_reach(ServiceOptions(host=host), Token("a-token-of-some-length", "a test"))
    if local:
        check_reach(ServiceOptions(host=host), None)
    else:
        with pytest.raises(SettingsError, match="--no-token"):
            check_reach(ServiceOptions(host=host), None)
