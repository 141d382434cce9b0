"""Copies of dead pages in the Internet Archive's Wayback Machine, by its availability API.

https://archive.org/help/wayback_api.php
"""

import re
from datetime import UTC, datetime

from core.backends.web.failures import ProviderFailed
from core.backends.web.http import Call, within
from core.backends.web.provider import USER_AGENT, endpoints
from core.backends.web.reading import get
from core.labels import ProviderState
from core.records import Snapshot
from core.settings.values import Web
from core.text.urls import url_parts

TITLE = "The Internet Archive"
BASE = "https://archive.org"
_PLACE = re.compile(r"^(https?://[^/]+(?:/[^/]+)*?/web/)(\d{14})(?:[a-z]{2}_)?/(.+)$", re.DOTALL)


class Wayback:
    """Implements ``core.ports.asking.WebArchive``. ``web.endpoints`` may name another address, as wayback=URL."""

    def __init__(self, settings: Web) -> None:
        self._base = endpoints(settings).get("wayback", BASE).rstrip("/")
        self._timeout_s = settings.timeout_s

    def closest(self, url: str) -> Snapshot | None:
        """The newest copy, as it was taken: ``id_`` in its address asks for the bytes without the archive's frame. None
        where the archive never saw the address.

        Raises:
            ProviderFailed: it did not answer, its answer leads to another site than its own, or it saw the address and
                has no copy of a page.
        """
        # Without a time stamp the API forgets copies now and then; a late one asks for the newest.
        late = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
        call = Call(f"{self._base}/wayback/available", params={"url": url, "timestamp": late})
        answer = within(TITLE, USER_AGENT, self._timeout_s, lambda api: api.json(call))
        snapshots = get(answer, "archived_snapshots")
        if not isinstance(snapshots, dict):
            raise ProviderFailed(ProviderState.MALFORMED, f"{TITLE} sent an answer of another shape than expected.")
        if "closest" not in snapshots:
            return None
        copy = snapshots["closest"]
        if not isinstance(copy, dict) or copy.get("available") is not True or str(copy.get("status")) != "200":
            raise ProviderFailed(
                ProviderState.EMPTY, f"{TITLE} knows the address and offers no copy of the page itself."
            )
        match = _PLACE.match(str(copy.get("url")))
        if match is None or not self._own(match.group(1)):
            raise ProviderFailed(ProviderState.MALFORMED, f"{TITLE} names a copy that is not in it.")
        place, stamp, page = match.groups()
        if place.startswith("http://web.archive.org/"):  # its answers still say http
            place = place.replace("http://", "https://", 1)
        try:
            taken = datetime.strptime(stamp, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            raise ProviderFailed(ProviderState.MALFORMED, f"{TITLE} dates a copy {stamp}, which is no time.") from None
        return Snapshot(f"{place}{stamp}id_/{page}", taken)

    def _own(self, place: str) -> bool:
        host = url_parts(place).hostname or ""
        own = url_parts(self._base).hostname or ""
        return host == own or (own == "archive.org" and host == "web.archive.org")
