"""People log in at an OpenID provider: the name of a decision is that of the account, and their role holds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from core.labels import Role
from core.workbench.wiring import open_workbench
from tests.browser.conftest import press, ready, settle
from tests.browser.oidc_provider import CLIENT, SECRET, Provider, providing
from tools.app_server import free_port, serving

pytestmark = pytest.mark.browser

ANN = {"sub": "1", "name": "Ann Archer", "email": "ann@example.org"}
VERA = {"sub": "2", "name": "Vera Viewer", "email": "vera@example.org"}


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider of accounts."""
    if find_spec("authlib") is None or find_spec("joserfc") is None:
        message = "the extra `login` (streamlit[auth]) is not installed"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with providing() as made:
        yield made


@pytest.fixture
def site(root: Path, provider: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The application with that provider in its secrets; Ann owns the project, Vera may look."""
    bench = open_workbench(root)
    reviews = bench.open("pumps").reviews
    reviews.people.set_role(ANN["email"], Role.OWNER, by=ANN["email"])
    reviews.people.set_role(VERA["email"], Role.VIEWER, by=ANN["email"])
    bench.close()
    port = free_port()
    secrets = tmp_path / "secrets.toml"
    values = {
        "redirect_uri": f"http://127.0.0.1:{port}/oauth2callback", "cookie_secret": "for this test alone " * 3,
        "client_id": CLIENT, "client_secret": SECRET,
        "server_metadata_url": f"{provider.url}/.well-known/openid-configuration",
    }  # fmt: skip
    secrets.write_text("[auth]\n" + "".join(f"{name} = {json.dumps(one)}\n" for name, one in values.items()), "utf-8")
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
    with serving(root, port) as url:
        yield url


def decisions(root: Path) -> list[tuple[str, str]]:
    """Who decided what."""
    bench = open_workbench(root)
    found = [(one.by, one.kind.value) for one in bench.open("pumps").reviews.log.entries()]
    bench.close()
    return found


def shown(page: Page, account: dict[str, str], role: str) -> Locator:
    """The badge of who reviews; a joiner that is not seen keeps an address from becoming a link."""
    name, host = account["email"].split("@")
    return page.get_by_text(re.compile(rf"{name}\u2060?@{re.escape(host)} · {role}")).first


def log_in(page: Page, site: str) -> None:
    """From the address of review to the same place, as whoever the provider signs in."""
    page.goto(f"{site}/review?project=pumps&reviewer=Somebody")
    expect(page.get_by_text("log in first")).to_be_visible()
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "oauth2callback" not in url and "/review" not in url)
    page.goto(f"{site}/review?project=pumps&reviewer=Somebody")


def test_an_account_reviews_under_its_own_name_and_role(
    tab: Callable[..., Page], provider: Provider, site: str, root: Path
) -> None:
    page = tab()
    provider.account = ANN
    log_in(page, site)
    ready(page)
    expect(shown(page, ANN, "Owner")).to_be_visible()
    press(page, "x")
    assert decisions(root) == [("ann@example.org", "reject")]

    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log out")).to_have_count(0)
    page.goto(f"{site}/review?project=pumps&reviewer=ann@example.org")
    expect(page.get_by_text("log in first")).to_be_visible()
    assert provider.signed_out == 1

    provider.account = VERA
    log_in(page, site)
    settle(page)
    expect(shown(page, VERA, "Viewer")).to_be_visible()
    expect(page.locator(".st-key-cannot-decide")).to_be_visible()
    page.keyboard.press("a")
    settle(page)
    assert decisions(root) == [("ann@example.org", "reject")]
    assert provider.signed_in == ["ann@example.org", "vera@example.org"]
    assert provider.faults == []
