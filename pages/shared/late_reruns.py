"""A page that was left does not empty the page that follows it.

A fragment with ``run_every`` is run anew because the browser asks for it, and the browser names the page that it shows.
While the next page is being made (``st.switch_page``), such a request for the page before can still come in. Streamlit
1.67 carries it out after the next page is finished and announces it under the page before; the browser, which shows the
next page by then, takes that for another change of page and clears everything. Nothing paints it again: the page stays
empty. The slower the machine, the likelier.

What is asked for on behalf of a page that is not the current one any more is therefore left out here. The public
interface of Streamlit has no place for that, so two methods of one of its classes are extended; ``pages/server/app.py``
does so once, when the server starts. A Streamlit in which these names are missing, or have another shape, is left as it
is, and the log says so. ``tests/pages/test_late_reruns.py`` fails without this module, and tells when a newer Streamlit
needs it no longer.
"""

from __future__ import annotations

import inspect
import logging
from functools import cache
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

_METHODS = ("request_rerun", "_run_script")
_FIELDS = {"is_auto_rerun", "fragment_id_queue", "page_script_hash"}
"""The used fields of a request to run a script."""


def leave_out_late_reruns() -> None:
    """Leave late requests out from now on, in this process. Doing it again changes nothing."""
    try:
        app_session: Any = import_module("streamlit.runtime.app_session")
        runner, request = app_session.ScriptRunner, import_module("streamlit.runtime.scriptrunner").RerunData
    except (ImportError, AttributeError):
        _say_why_not()
        return
    if getattr(runner, "leaves_out_late_reruns", False):
        return
    if _has_known_shape(runner, request):
        app_session.ScriptRunner = _page_keeping(runner)
    else:
        _say_why_not()


def _has_known_shape(runner: Any, request: Any) -> bool:
    if not inspect.isclass(runner) or not getattr(request, "__dataclass_fields__", {}).keys() >= _FIELDS:
        return False
    methods = [getattr(runner, name, None) for name in _METHODS]
    return all(inspect.isfunction(method) and len(inspect.signature(method).parameters) == 2 for method in methods)


@cache
def _say_why_not() -> None:
    """Log once that late requests are not left out."""
    log.warning(
        "This version of Streamlit has another way to run pages, so it is left as it is: a page may stay empty when it "
        "is opened while the page before still refreshes itself. Reload it then."
    )


def _page_keeping(runner: Any) -> type:
    """The class that runs the script of one visitor, extended so that it runs no fragment of a page that was left."""

    class PageKeepingRunner(runner):  # type: ignore[misc]
        leaves_out_late_reruns = True

        def request_rerun(self, rerun_data: Any) -> bool:
            """Leave out a timer's request of another page, else it could be merged with the change of page that is
            under way and undo it."""
            if rerun_data.is_auto_rerun and self._is_of_page_before(rerun_data):
                return True
            return bool(super().request_rerun(rerun_data))

        def _run_script(self, rerun_data: Any) -> None:
            if rerun_data.fragment_id_queue and self._is_of_page_before(rerun_data):
                return
            super()._run_script(rerun_data)

        def _is_of_page_before(self, rerun_data: Any) -> bool:
            try:
                current = self._pages_manager.current_page_script_hash
            except AttributeError:
                _say_why_not()
                return False
            return bool(current and rerun_data.page_script_hash) and rerun_data.page_script_hash != current

    return PageKeepingRunner
