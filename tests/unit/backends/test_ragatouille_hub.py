"""Checkpoints of the hub: read from its cache without the network, fetched when allowed, typed errors else.

The hub's client reads its address and its cache's place when it is imported, so each look is a process of its own; it
talks to a server on the loopback that speaks the hub's protocol.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.backends.ragatouille.checkpoint import HUB
from tests.helpers.loopback import Exchange, LoopbackServer

pytest.importorskip("huggingface_hub", reason="the hub's client comes with the extras")

NAME = HUB[0]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ROOT = Path(__file__).resolve().parents[3]
HEADER = b'{"w":{"dtype":"U8","shape":[400000],"data_offsets":[0,400000]}}'
FILES = {
    "README.md": b"not asked for",
    "artifact.metadata": b'{"dim": 128}',
    "config.json": json.dumps({"architectures": ["HF_ColBERT"]}).encode(),
    "model.safetensors": len(HEADER).to_bytes(8, "little") + HEADER + b"weights " * 50_000,
    "tokenizer.json": b"{}",
}
LOOK = """
import json, sys
from core.backends.ragatouille.checkpoint import find_checkpoint
from core.errors import WorkbenchError
try:
    found = find_checkpoint(sys.argv[1], allow_downloads=sys.argv[2] == "yes")
    print(json.dumps({"folder": str(found.folder), "fingerprint": found.fingerprint}))
except WorkbenchError as error:
    print(json.dumps({"error": type(error).__name__, "said": str(error)}))
"""


@pytest.fixture
def hub() -> Iterator[LoopbackServer]:
    with LoopbackServer() as server:
        yield server


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "hub"


def serve(hub: LoopbackServer) -> None:
    """One repository, as the hub answers for it."""
    files = [
        {"type": "file", "path": name, "size": len(body), "oid": hashlib.sha1(body).hexdigest()}
        for name, body in FILES.items()
    ]
    about = {"id": NAME, "sha": COMMIT, "siblings": [{"rfilename": name} for name in FILES]}
    hub.page(f"/api/models/{NAME}/revision/main", json.dumps(about), content_type="application/json")
    hub.page(f"/api/models/{NAME}/tree/{COMMIT}", json.dumps(files), content_type="application/json")
    for name, body in FILES.items():
        hub.page(f"/{NAME}/resolve/{COMMIT}/{name}", body, headers=headers_of(body), content_type="")


def headers_of(body: bytes) -> dict[str, str]:
    return {"ETag": f'"{hashlib.sha1(body).hexdigest()}"', "X-Repo-Commit": COMMIT}


def look(address: str, cache: Path, name: str = NAME, *, download: bool) -> dict[str, Any]:
    """What ``find_checkpoint`` says in a new process."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))}
    environment |= {"HF_ENDPOINT": address, "HF_HUB_CACHE": str(cache), "HF_HOME": str(cache.with_name("home"))}
    child = subprocess.run(
        [sys.executable, "-c", LOOK, name, "yes" if download else "no"],
        capture_output=True, text=True, env=environment, cwd=ROOT, check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr[-2000:]
    told: dict[str, Any] = json.loads(child.stdout.splitlines()[-1])
    return told


def keep(cache: Path, without: str = "") -> Path:
    """The cache as the hub's client lays it out: blobs by hash, a ref, a snapshot of links."""
    repository = cache / f"models--{NAME.replace('/', '--')}"
    snapshot = repository / "snapshots" / COMMIT
    for folder in (repository / "blobs", repository / "refs", snapshot):
        folder.mkdir(parents=True)
    (repository / "refs" / "main").write_text(COMMIT)
    for name, body in FILES.items():
        if name not in ("README.md", without):
            blob = hashlib.sha1(body).hexdigest()
            (repository / "blobs" / blob).write_bytes(body)
            (snapshot / name).symlink_to(Path("..") / ".." / "blobs" / blob)
    return snapshot


def snapshot_of(told: dict[str, Any]) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(told["folder"]).iterdir()}


def test_the_hubs_cache_is_read_without_a_request(hub: LoopbackServer, cache: Path) -> None:
    snapshot = keep(cache)
    for download in (False, True):
        told = look(hub.url(""), cache, download=download)
        assert told["folder"] == str(snapshot)
        assert told["fingerprint"].startswith(f"{NAME}@")
    assert hub.paths == []


def test_without_permission_nothing_is_asked_for(hub: LoopbackServer, cache: Path) -> None:
    serve(hub)
    told = look(hub.url(""), cache, download=False)
    assert told["error"] == "ModelNotFound"
    assert "not on this machine, and downloads are off" in told["said"]
    assert hub.paths == []
    assert not list(cache.rglob("*.*"))


def test_when_allowed_what_is_needed_is_fetched_once(hub: LoopbackServer, cache: Path) -> None:
    serve(hub)
    told = look(hub.url(""), cache, download=True)
    assert snapshot_of(told) == {name: body for name, body in FILES.items() if name != "README.md"}
    asked = len(hub.paths)
    assert look(hub.url(""), cache, download=False) == told
    assert look(hub.url(""), cache, download=True) == told
    assert len(hub.paths) == asked


def test_no_other_name_is_ever_asked_for(hub: LoopbackServer, cache: Path) -> None:
    told = look(hub.url(""), cache, "someone/colbert", download=True)
    assert told["error"] == "ModelNotFound"
    assert "neither a folder nor a known checkpoint" in told["said"]
    assert hub.paths == []


def test_a_hub_that_is_away_or_does_not_have_it_is_told(hub: LoopbackServer, cache: Path) -> None:
    with LoopbackServer() as gone:
        nowhere = gone.url("")
    for address in (nowhere, hub.url("")):
        told = look(address, cache, download=True)
        assert told["error"] == "ModelNotFound"
        assert f"{NAME} could not be downloaded" in told["said"]
        assert "Set models." in told["said"]
    assert not list(cache.rglob("snapshots/*/*"))


@pytest.mark.parametrize("body", [b"<p>A page of a hotel's network.</p>", b"{}", b"[1]", b"\xff"])
def test_answers_that_are_not_the_hubs_are_told(hub: LoopbackServer, cache: Path, body: bytes) -> None:
    serve(hub)
    hub.page(f"/api/models/{NAME}/revision/main", body, content_type="application/json")
    hub.page(f"/api/models/{NAME}/tree/{COMMIT}", body, content_type="application/json")
    told = look(hub.url(""), cache, download=True)
    assert told["error"] == "ModelNotFound"
    assert "could not be downloaded" in told["said"]


def test_a_download_that_breaks_off_leaves_no_half_file_and_the_next_goes_on(hub: LoopbackServer, cache: Path) -> None:
    serve(hub)
    body = FILES["model.safetensors"]
    path = f"/{NAME}/resolve/{COMMIT}/model.safetensors"

    def cut(exchange: Exchange) -> None:
        exchange.send(200, body[: len(body) // 2], {**headers_of(body), "Content-Length": str(len(body))})
        exchange.hang_up()

    hub.route(path, cut)
    told = look(hub.url(""), cache, download=True)
    assert (told["error"], "could not be downloaded" in told["said"]) == ("ModelNotFound", True)
    assert not list(cache.rglob("snapshots/*/model.safetensors"))
    told = look(hub.url(""), cache, download=False)
    assert told["error"] in ("ModelNotFound", "ModelDamaged")
    hub.page(path, body, headers=headers_of(body), content_type="")
    told = look(hub.url(""), cache, download=True)
    assert snapshot_of(told)["model.safetensors"] == body


def test_half_a_snapshot_is_completed_when_allowed_and_named_else(hub: LoopbackServer, cache: Path) -> None:
    serve(hub)
    keep(cache, without="model.safetensors")
    told = look(hub.url(""), cache, download=False)
    assert told["error"] in ("ModelNotFound", "ModelDamaged")
    assert NAME in told["said"]
    assert hub.paths == []
    assert snapshot_of(look(hub.url(""), cache, download=True))["model.safetensors"] == FILES["model.safetensors"]


def test_a_snapshot_with_a_damaged_description_is_told(hub: LoopbackServer, cache: Path) -> None:
    snapshot = keep(cache)
    (snapshot / "config.json").unlink()
    (snapshot / "config.json").write_text("{")
    told = look(hub.url(""), cache, download=False)
    assert told["error"] == "ModelDamaged"
    assert "not JSON" in told["said"]
