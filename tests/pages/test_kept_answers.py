"""The address that a chosen file is sent to reaches the browser, whatever is painted meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from websockets.sync.client import connect

from pages.shared import kept_answers
from tests.pages.test_late_reruns import ask, messages
from tools.app_server import serving


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> type[ForwardMsgQueue]:
    """The queue that keeps answers."""
    monkeypatch.setattr(app_session, "ForwardMsgQueue", ForwardMsgQueue)
    kept_answers.keep_answers()
    kept_answers.keep_answers()
    return app_session.ForwardMsgQueue


def after_a_run_has_begun(kind: type[ForwardMsgQueue], fragments: list[str] | None = None) -> list[str | None]:
    """The types of messages that are sent when a run begins before the queue was sent."""
    queue = kind()
    answer, painted = ForwardMsg(), ForwardMsg()
    answer.file_urls_response.response_id = "1"
    painted.delta.fragment_id = "timer"
    queue.enqueue(painted)
    queue.enqueue(answer)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=fragments)
    sent = [message.WhichOneof("type") for message in queue.flush()]
    assert queue.is_empty()
    return sent


@pytest.mark.parametrize("fragments", [None, ["timer"]])
def test_an_answer_outlives_the_beginning_of_a_run_and_is_sent_once(
    kept: type[ForwardMsgQueue], fragments: list[str] | None
) -> None:
    assert after_a_run_has_begun(kept, fragments) == ["file_urls_response"]


def test_streamlit_alone_would_drop_it() -> None:
    """When this fails, Streamlit does it right by itself, and ``kept_answers`` can go."""
    assert after_a_run_has_begun(ForwardMsgQueue) == []


def test_the_application_answers_each_of_twenty_requests_that_a_run_overtakes(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "root") as url,
        connect(url.replace("http", "ws") + "/_stcore/stream", max_size=None) as server,
    ):
        ask(server)
        asked = [str(number) for number in range(20)]
        for number in asked:
            wanted = BackMsg()
            wanted.file_urls_request.request_id = number
            wanted.file_urls_request.file_names.append("pumps.md")
            server.send(wanted.SerializeToString())
            ask(server)
        answered: list[str] = []
        for message in messages(server):
            if message.WhichOneof("type") == "file_urls_response":
                answered.append(message.file_urls_response.response_id)
                if len(answered) == len(asked):
                    break
        assert answered == asked


def test_a_streamlit_of_another_shape_is_left_as_it_is_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class NewQueue:
        def clear(self) -> None: ...

    for queue in (None, NewQueue):
        monkeypatch.setattr(app_session, "ForwardMsgQueue", queue)
        kept_answers.keep_answers()
        assert sys.modules["streamlit.runtime.app_session"].ForwardMsgQueue is queue
    assert [record.levelname for record in caplog.records if record.name == kept_answers.__name__] == ["WARNING"] * 2
