"""A request that the page before left behind does not empty the page that follows it, spoken to the server directly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

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
    with serving(tmp_path / "root", home=tmp_path, health="_stcore/health") as url:
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
    import app  # noqa: F401
    from pages.shared.late_reruns import _PageKeepingRunner

    assert sys.modules["streamlit.runtime.app_session"].ScriptRunner is _PageKeepingRunner
