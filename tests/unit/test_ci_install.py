"""CI installs with uv from where pip is told to install."""

from __future__ import annotations

import runpy

from tests.conftest import REPOSITORY

install = runpy.run_path(str(REPOSITORY / ".ci" / "install"))
LISTED = """\
:env:.find-links='/wheels /more'
freeze.timeout='10'
global.constraint='/etc/caps.txt'
global.extra-index-url='\\nfile:///a/simple\\nfile:///b/simple'
global.find-links='/opt/wheels'
install.index-url='file:///mirror=1/simple'
"""


def test_what_pip_is_told_uv_is_told() -> None:
    environment = install["uv_environment"](install["pip_settings"](LISTED))

    assert environment["UV_DEFAULT_INDEX"] == "file:///mirror=1/simple"
    assert environment["UV_INDEX"] == "file:///a/simple file:///b/simple"
    assert environment["UV_CONSTRAINT"] == "/etc/caps.txt"


def test_the_environment_counts_more_than_a_file() -> None:
    assert install["pip_settings"](LISTED)["find-links"] == "/wheels /more"


def test_without_settings_uv_has_its_own_indexes_and_the_rule_of_pip() -> None:
    assert install["uv_environment"](install["pip_settings"]("")) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_PYTHON_DOWNLOADS": "never",
    }
