"""An installed workbench does what the README shows, in the folder and environment that it is started in."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

WITHIN_S = 300
DEMO = "do-street-trees-cool-a-city"
FIRST_PAGE = """
from pathlib import Path
import pages.shared
from streamlit.testing.v1 import AppTest
page = AppTest.from_file(str(Path(pages.shared.__path__[0]) / "navigation.py"), default_timeout=120).run()
assert not page.exception and page.title[0].value == "Projects", page
"""


def workbench(*words: str, code: int = 0) -> str:
    """The output of a command that ends with ``code``."""
    run = subprocess.run(["workbench", *words], capture_output=True, text=True)
    if run.returncode != code:
        raise SystemExit(f"workbench {' '.join(words)} ended with {run.returncode}:\n{run.stdout}\n{run.stderr}")
    return run.stdout


def served(words: list[str], address: str) -> None:
    """A server that is started answers at ``address`` and ends when it is told to."""
    server = subprocess.Popen(["workbench", *words], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    started = time.monotonic()
    try:
        while True:
            try:
                with urllib.request.urlopen(address, timeout=5) as answer:
                    assert answer.status == 200
                    return
            except (urllib.error.URLError, OSError):
                if server.poll() is not None or time.monotonic() - started > WITHIN_S:
                    raise SystemExit(f"workbench {' '.join(words)} did not answer at {address}") from None
                time.sleep(0.5)
    finally:
        server.terminate()
        server.wait(60)


def main() -> None:
    import core

    assert Path(sys.prefix) in Path(core.__file__).parents, f"{core.__file__} is not what was installed"
    workbench("demo")
    found = json.loads(workbench("--json", "search", "-p", DEMO, "How much cooler are streets with trees?"))
    assert found["passages"], "the demo has an answer"
    report = Path(core.__file__).parent / "demo" / "report.md"
    rows = json.loads(workbench("--json", "audit", str(report), "-p", DEMO, code=1))
    assert rows, "the demo report has citations"
    served(["serve", "--port", "8694"], "http://127.0.0.1:8694/healthz")
    served(["app", "--port", "8695"], "http://127.0.0.1:8695/healthz")
    subprocess.run([sys.executable, "-c", FIRST_PAGE], check=True, env=os.environ)
    print("wheel: demo, search, audit, serve and the first page run from it")


if __name__ == "__main__":
    main()
