"""Keys of services: a file that is damaged or open to others is told, never in the words of a key."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings.keys import FILE, Keys

NAME, KEY = "TAVILY_API_KEY", "tvly-secret-1"


@pytest.mark.parametrize("nested", ["a = " + "[" * 5000, "a = " + "[" * 5000 + "]" * 5000, "x = " + "{a=" * 5000])
def test_a_file_nested_without_end_is_refused_like_any_damaged_one(tmp_path: Path, nested: str) -> None:
    (tmp_path / FILE).write_text(f'{NAME} = "{KEY}"\n{nested}')
    for using in (lambda: Keys(tmp_path, {}).get(NAME), lambda: Keys(tmp_path, {}).put(NAME, "other")):
        with pytest.raises(SettingsError, match="not valid TOML") as told:
            using()
        assert KEY not in str(told.value)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666, 0o620])
def test_a_file_that_others_may_read_or_change_is_told_once(
    tmp_path: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    keys = Keys(tmp_path, {})
    assert keys.open_to_others() == ""
    keys.put(NAME, KEY)
    assert keys.open_to_others() == ""
    (tmp_path / FILE).chmod(mode)
    with caplog.at_level(logging.WARNING, logger="core.settings.keys"):
        assert keys.get(NAME) == Keys(tmp_path, {}).get(NAME) == KEY
    assert len(caplog.messages) == 1
    assert "chmod 600" in caplog.text
    assert KEY not in caplog.text
    assert f"{mode:03o}" in keys.open_to_others()
    keys.put(NAME, KEY)  # written anew, it is closed again
    assert keys.open_to_others() == ""
