"""The worker that reads: its caps, its death, and who may call it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from core.acquire.worker_pool import WorkerExtractor
from core.errors import UnreadableSource
from core.labels import FetchState
from core.records import Fetched
from core.settings.values import Parsing

REPOSITORY = Path(__file__).resolve().parents[2]
GOOD = Fetched(b"A good file\n\nIt has a sentence.", "text/plain", filename="good.txt")
SLOW = Fetched(b"<html><body>" + b"<p>a" * 1_000_000, "text/html", filename="slow.html")


_others: set[int] = set()


@pytest.fixture(autouse=True)
def _workers_of_other_tests() -> None:
    """The run's shared extractor has workers too; they are none of this module's."""
    _others.clear()
    _others.update(child.pid for child in psutil.Process().children(recursive=True))


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """Live reading workers under a process that were not there when the test began."""
    found = []
    for child in process.children(recursive=True):
        try:
            if child.pid not in _others and "core.acquire.worker" in " ".join(child.cmdline()):
                found.append(child)
        except (psutil.ZombieProcess, psutil.NoSuchProcess):
            continue
    return found


def test_a_file_that_takes_too_long_is_stopped_and_the_next_is_read() -> None:
    with WorkerExtractor(Parsing(timeout_s=2), workers=1) as extractor:
        with pytest.raises(UnreadableSource, match=r"slow\.html took longer than 2 s") as caught:
            extractor.extract(SLOW)
        assert caught.value.state is FetchState.TIMEOUT
    with WorkerExtractor(Parsing(timeout_s=60), workers=1) as extractor:
        assert extractor.extract(GOOD).title == "A good file"


def test_a_file_that_needs_too_much_memory_is_too_large_and_the_next_is_read() -> None:
    with WorkerExtractor(Parsing(memory_mb=256), workers=1) as extractor:
        with pytest.raises(UnreadableSource, match=r"large\.txt") as caught:
            extractor.extract(Fetched(b"word " * 15_000_000, "text/plain", filename="large.txt"))
        assert caught.value.state is FetchState.TOO_LARGE
        assert extractor.extract(GOOD).title == "A good file"


def test_more_bytes_or_characters_than_allowed_are_too_large() -> None:
    with WorkerExtractor(Parsing(max_bytes=100, max_text_chars=50), workers=1) as extractor:
        for size, words in ((101, "101 bytes"), (90, "90 characters")):
            with pytest.raises(UnreadableSource, match=words) as caught:
                extractor.extract(Fetched(b"x" * size, "text/plain", filename="x.txt"))
            assert caught.value.state is FetchState.TOO_LARGE


def test_one_worker_reads_many_files_and_a_killed_one_is_replaced() -> None:
    with WorkerExtractor(Parsing(), workers=1) as extractor:
        for _ in range(20):
            extractor.extract(GOOD)
        (worker,) = workers_of(psutil.Process())
        worker.kill()
        worker.wait()
        assert extractor.extract(GOOD).title == "A good file"
        assert len(workers_of(psutil.Process())) == 1
    assert workers_of(psutil.Process()) == []


def test_a_worker_killed_while_reading_fails_only_its_file() -> None:
    with WorkerExtractor(Parsing(), workers=1) as extractor:
        failures: list[UnreadableSource] = []

        def read() -> None:
            try:
                extractor.extract(SLOW)
            except UnreadableSource as error:
                failures.append(error)

        thread = threading.Thread(target=read)
        thread.start()
        while not (found := workers_of(psutil.Process())):
            time.sleep(0.01)
        found[0].kill()
        thread.join()
        assert failures[0].state is FetchState.TOO_LARGE
        assert "slow.html" in str(failures[0])
        assert extractor.extract(GOOD).title == "A good file"


def test_threads_share_an_extractor() -> None:
    with WorkerExtractor(Parsing(), workers=2) as extractor:
        titles: list[str | None] = []
        threads = [threading.Thread(target=lambda: titles.append(extractor.extract(GOOD).title)) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert titles == ["A good file"] * 12
        assert len(workers_of(psutil.Process())) <= 2


SCRIPT = """
import sys
print("main runs")
from core.acquire.worker_pool import WorkerExtractor
from core.records import Fetched
from core.settings.values import Parsing
extractor = WorkerExtractor(Parsing(), workers=1)
print(extractor.extract(Fetched(b"Title here" + bytes([10, 10]) + b"Text.", "text/plain")).title, flush=True)
sys.stdin.read()
"""


def run_script(folder: Path) -> subprocess.Popen[str]:
    """A program without a main guard, as app.py is one, started in a folder with a module that must not be imported."""
    (folder / "app.py").write_text(SCRIPT)
    (folder / "json.py").write_text("raise SystemExit('the wrong json')")
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-P", "app.py"]
    return subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_the_callers_main_module_is_not_run_again_in_the_worker(tmp_path: Path) -> None:
    output, _ = run_script(tmp_path).communicate("")
    assert output == "main runs\nTitle here\n"


def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    parent = run_script(tmp_path)
    assert parent.stdout is not None
    assert [parent.stdout.readline() for _ in range(2)] == ["main runs\n", "Title here\n"]
    (worker,) = workers_of(psutil.Process(parent.pid))
    parent.kill()
    parent.communicate()
    worker.wait(timeout=30)


def test_the_worker_reaches_no_network() -> None:
    code = (
        "import sys, socket\nfrom core.acquire.worker import _no_network\nsys.addaudithook(_no_network)\n"
        "try:\n    socket.create_connection(('127.0.0.1', 9))\nexcept PermissionError:\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"


@pytest.mark.slow
def test_a_text_of_twenty_megabytes_is_read_cut_and_compared() -> None:
    from core.acquire.chunk import chunk
    from core.acquire.dedup import signature, similarity

    sentence = "The river rose by 3.5 metres in 2021 [4], as Smith et al. said, and nobody knew why it did so. "
    body = (sentence * 6 + "\n\n").encode() * (20_000_000 // (6 * len(sentence) + 2))
    with WorkerExtractor(Parsing(), workers=1) as extractor:
        text = extractor.extract(Fetched(body, "text/plain", filename="large.txt")).text
    passages = chunk(text, document_id="d")
    assert len(text) > 19_000_000
    assert passages[-1].end == len(text)
    assert similarity(signature(text), signature(text[:1_000_000])) == 1.0
