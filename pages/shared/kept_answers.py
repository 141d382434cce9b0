"""An answer that the browser waits for reaches it, also when the page is painted anew in that moment.

A chosen file is uploaded in two steps: the browser asks over its socket for an address, then sends the file there. A
run of the script begins by emptying the queue of messages to the browser, for all of them are about the page as it was
before. Streamlit 1.67 drops answers too. The browser then waits for the address for ever, and the file is lost: the
end of a job, or a click, within some hundredths of a second after the choice is enough. The slower the machine, the
likelier.

The public interface of Streamlit has no place for that, so one method of its queue is extended when the server starts
(``pages/server/parts.py``). A Streamlit in which these names are missing, or have another shape, is left as it is, and
the log says so. ``tests/pages/test_kept_answers.py`` tells when a newer Streamlit needs it no longer.
"""

import inspect
import logging
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)

ANSWERS = {"file_urls_response", "backend_operation_response"}
_ARGUMENTS = ["self", "retain_lifecycle_msgs", "fragment_ids_this_run"]


def keep_answers() -> None:
    """Keep answers from now on, in this process. Doing it again changes nothing."""
    app_session: Any = import_module("streamlit.runtime.app_session")
    queue = getattr(app_session, "ForwardMsgQueue", None)
    if getattr(queue, "keeps_answers", False):
        return
    clear = getattr(queue, "clear", None)
    if inspect.isfunction(clear) and list(inspect.signature(clear).parameters) == _ARGUMENTS:
        app_session.ForwardMsgQueue = _answer_keeping(queue)
    else:
        log.warning(
            "This version of Streamlit has another queue of messages, so it is left as it is: a file may not arrive "
            "when the page is painted anew just as it is chosen. Choose it again then."
        )


def _answer_keeping(queue: Any) -> type:
    """The class of a visitor's queue of messages, extended so that answers outlive the start of a run."""

    class AnswerKeepingQueue(queue):  # type: ignore[misc]
        keeps_answers = True

        def clear(self, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None) -> None:
            """Empty the queue; what it held is sent (``flush``) when no messages of the script's life are to stay."""
            before = self._queue if retain_lifecycle_msgs else []
            super().clear(retain_lifecycle_msgs, fragment_ids_this_run)
            for message in before:
                if message.WhichOneof("type") in ANSWERS and message not in self._queue:
                    self.enqueue(message)

    return AnswerKeepingQueue
