"""A request that the page before left behind does not empty the page that follows it, spoken to the server directly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session, scriptrunner
from websockets.sync.client import ClientConnection, connect

from pages.shared import late_reruns
from tools.app_server import serving

HOME = Path(__file__).resolve().parents[2]

APP = """
import sys
sys.path.insert(0, {home!r})
import streamlit as st
from pages.shared.late_reruns import leave_out_late_reruns
{keeping}
app = st.App("menu.py")
"""
MENU = """
import streamlit as st
first, second = st.Page("first.py", default=True), st.Page("second.py")
st.session_state["second"] = second
st.navigation([first, second]).run()
"""
FIRST = """
import streamlit as st
@st.fragment(run_every=1)
def watch():
    st.text("watching")
watch()
if st.button("Leave"):
    st.switch_page(st.session_state["second"])
"""
SECOND = """
import time
import streamlit as st
st.text("arrived")
time.sleep(1)
st.text("finished")
"""


@pytest.fixture
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    keeping = "leave_out_late_reruns()" if request.param else ""
    for name, text in (("app", APP.format(home=str(HOME), keeping=keeping)), ("menu", MENU), ("first", FIRST)):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "second.py").write_text(SECOND, "utf-8")
    with serving(tmp_path / "root", script=tmp_path / "app.py", health="_stcore/health") as url:
        yield url


def clearing_after_arrival(url: str) -> list[str]:
    """Leave the first page while its timer asks on; the runs that the browser would take for another change of page."""
    with connect(url.replace("http", "ws") + "/_stcore/stream", max_size=None) as server:
        ask(server)
        first, button, fragment = "", "", ""
        for message in messages(server):
            kind = message.WhichOneof("type")
            if kind == "navigation":
                first = message.navigation.page_script_hash
            elif kind == "auto_rerun":
                fragment = message.auto_rerun.fragment_id
            elif kind == "delta" and message.delta.new_element.button.label == "Leave":
                button = message.delta.new_element.button.id
            elif kind == "script_finished":
                break
        assert first
        assert button
        assert fragment
        ask(server, page=first, pressed=button)
        second, cleared, finished = "", [], 0
        for message in messages(server):
            kind = message.WhichOneof("type")
            if kind == "new_session" and message.new_session.page_script_hash != first:
                second = message.new_session.page_script_hash
                ask(server, page=first, fragment=fragment)  # the browser has not heard of the second page yet
            elif kind == "new_session" and second:
                cleared.append(message.new_session.page_script_hash)
            elif kind == "script_finished" and second:
                finished += 1
                break
        assert second
        for message in messages(server, within=1.5):
            if message.WhichOneof("type") == "new_session":
                cleared.append(message.new_session.page_script_hash)
        return [page for page in cleared if page != second]


def ask(server: ClientConnection, page: str = "", pressed: str = "", fragment: str = "") -> None:
    wanted = BackMsg()
    wanted.rerun_script.page_script_hash = page
    wanted.rerun_script.fragment_id = fragment
    wanted.rerun_script.is_auto_rerun = bool(fragment)
    if pressed:
        state = wanted.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = pressed, True
    server.send(wanted.SerializeToString())


def messages(server: ClientConnection, within: float = 30) -> Iterator[ForwardMsg]:
    while True:
        try:
            body = server.recv(timeout=within)
        except TimeoutError:
            return
        message = ForwardMsg()
        message.ParseFromString(body)
        yield message


@pytest.mark.parametrize("served", [True], indirect=True)
def test_a_page_stays_when_the_timer_of_the_page_before_asks_on(served: str) -> None:
    assert clearing_after_arrival(served) == []


@pytest.mark.parametrize("served", [False], indirect=True)
def test_streamlit_alone_would_still_empty_it(served: str) -> None:
    """When this fails, Streamlit does it right by itself, and ``late_reruns`` can go."""
    assert len(clearing_after_arrival(served)) == 1


def test_the_application_leaves_late_reruns_out() -> None:
    import pages.server.app  # noqa: F401

    assert sys.modules["streamlit.runtime.app_session"].ScriptRunner.leaves_out_late_reruns


class NewRunner:
    """A runner whose methods take other arguments."""

    def request_rerun(self, rerun_data: object, priority: int) -> bool:
        return True

    def _run_script(self, rerun_data: object) -> None: ...


@dataclass
class NewRequest:
    """A request that does not say which page it is of."""

    fragment_id_queue: list[str]


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [
        (app_session, "ScriptRunner", None),
        (app_session, "ScriptRunner", NewRunner),
        (scriptrunner, "RerunData", None),
        (scriptrunner, "RerunData", NewRequest),
    ],
)
def test_a_streamlit_of_another_shape_is_left_as_it_is_and_the_log_says_so_once(
    module: ModuleType, name: str, value: object, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(app_session, "ScriptRunner", scriptrunner.ScriptRunner)
    if value is None:
        monkeypatch.delattr(module, name)
    else:
        monkeypatch.setattr(module, name, value)
    before = getattr(app_session, "ScriptRunner", None)
    late_reruns._say_why_not.cache_clear()
    for _ in range(2):
        late_reruns.leave_out_late_reruns()
    assert getattr(app_session, "ScriptRunner", None) is before
    assert [record.levelname for record in caplog.records if record.name == late_reruns.__name__] == ["WARNING"]


def test_a_runner_without_a_manager_of_pages_runs_everything_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Runner:
        def request_rerun(self, rerun_data: object) -> bool:
            return True

        def _run_script(self, rerun_data: object) -> None:
            ran.append(rerun_data)

    ran: list[object] = []
    monkeypatch.setattr(app_session, "ScriptRunner", Runner)
    late_reruns._say_why_not.cache_clear()
    late_reruns.leave_out_late_reruns()
    request = scriptrunner.RerunData(fragment_id_queue=["timer"], is_auto_rerun=True, page_script_hash="first")
    runner = app_session.ScriptRunner()  # type: ignore[call-arg]
    assert runner.request_rerun(request)
    runner._run_script(request)
    assert ran == [request]
    assert len([record for record in caplog.records if record.name == late_reruns.__name__]) == 1
