"""A page that was left does not empty the page that follows it.

A fragment with ``run_every`` is run anew because the browser asks for it, and the browser names the page that it shows.
While the next page is being made (``st.switch_page``), such a request for the page before can still come in. Streamlit
1.67 carries it out after the next page is finished and announces it under the page before; the browser, which shows the
next page by then, takes that for another change of page and clears everything. Nothing paints it again: the page stays
empty. The slower the machine, the likelier.

What is asked for on behalf of a page that is not the current one any more is therefore left out here. The public
interface of Streamlit has no place for that, so two methods of one of its classes are extended; ``app.py`` does so
once, when the server starts. ``tests/pages/test_late_reruns.py`` fails without it, and tells when a newer Streamlit
needs it no longer or has another place for it.
"""

from __future__ import annotations

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner


class _PageKeepingRunner(ScriptRunner):
    """Runs the script of one visitor; runs no fragment of a page that was left."""

    def request_rerun(self, rerun_data: RerunData) -> bool:
        """Leave out a timer's request of another page, else it could be merged with the change of page that is under
        way and undo it."""
        if rerun_data.is_auto_rerun and self._is_of_page_before(rerun_data):
            return True
        return super().request_rerun(rerun_data)

    def _run_script(self, rerun_data: RerunData) -> None:
        if rerun_data.fragment_id_queue and self._is_of_page_before(rerun_data):
            return
        super()._run_script(rerun_data)

    def _is_of_page_before(self, rerun_data: RerunData) -> bool:
        now = self._pages_manager.current_page_script_hash
        return bool(now and rerun_data.page_script_hash) and rerun_data.page_script_hash != now


def leave_out_late_reruns() -> None:
    """From now on, in this process. Doing it again changes nothing."""
    app_session.ScriptRunner = _PageKeepingRunner  # type: ignore[attr-defined]
