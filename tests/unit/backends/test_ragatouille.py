"""What is said when RAGatouille cannot be used: the extra, a compiler, a checkpoint is missing, a lock is left.

Nothing here needs the extra; tests/ragatouille runs the engine itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.backends.ragatouille import needs
from core.backends.ragatouille.checkpoint import find_checkpoint, shown_name
from core.backends.ragatouille.engine import RagatouilleEngine
from core.backends.resolve import describe_models, load_encoder
from core.errors import ExtraMissing, LateEngineError, ModelDamaged, ModelNotFound
from core.settings.values import Models

WEIGHTS = (2).to_bytes(8, "little") + b"{}"
"""A whole file of safetensors, with no tensor in it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place of extensions."""
    monkeypatch.setenv("TORCH_EXTENSIONS_DIR", str(tmp_path / "extensions"))
    return tmp_path / "extensions"


def checkpoint(folder: Path, **config: object) -> Path:
    """Files that look like a checkpoint in Stanford's form."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"architectures": ["HF_ColBERT"], **config}))
    (folder / "artifact.metadata").write_text(json.dumps({"dim": 128}))
    (folder / "model.safetensors").write_bytes(WEIGHTS)
    (folder / "tokenizer.json").write_text("{}")
    return folder


def lock_of(folder: Path, name: str = "filter_pids_cpp") -> Path:
    (folder / name).mkdir(parents=True)
    lock = folder / name / "lock"
    lock.touch()
    return lock


def test_a_missing_extra_is_named_with_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "PACKAGES", (*needs.PACKAGES, "no_such_package"))
    models = Models(late=str(checkpoint(tmp_path / "c")), late_engine="ragatouille")
    with pytest.raises(ExtraMissing, match=r"no_such_package.*pip install '\.\[ragatouille\]'"):
        RagatouilleEngine(models).checkpoint()
    with pytest.raises(ExtraMissing, match=r"pip install '\.\[ragatouille\]'"):
        load_encoder(models)


def test_a_missing_compiler_is_named_unless_all_is_compiled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(LateEngineError, match=r"no C\+\+ compiler was found \(c\+\+, g\+\+ or clang\+\+"):
        needs.check_compiler()
    monkeypatch.setenv("CXX", "my-compiler")
    with pytest.raises(LateEngineError, match="my-compiler"):
        needs.check_compiler()
    for name in needs.EXTENSIONS:
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.so").touch()
    needs.check_compiler()


def test_a_lock_that_a_living_process_holds_is_left_alone_and_a_dead_ones_is_removed(folder: Path) -> None:
    lock = lock_of(folder)
    hold = "import sys; held = open(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert needs.stale_locks() == []
        assert needs.clear_stale_locks() == []
        assert "filter_pids_cpp" in needs.waiting_note()
        holder.kill()
    assert needs.stale_locks() == [lock]
    assert needs.waiting_note() == ""
    assert needs.clear_stale_locks() == [lock]
    assert not lock.exists()


def test_locks_of_other_software_are_never_touched(folder: Path) -> None:
    other = lock_of(folder, "somebody_elses")
    assert needs.clear_stale_locks() == []
    assert other.exists()


def test_a_lock_that_cannot_be_removed_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = lock_of(folder)

    def refuse(self: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(LateEngineError, match=r"filter_pids_cpp/lock.*Permission denied.*by hand"):
        needs.clear_stale_locks()
    assert lock.exists()


def test_the_checkpoints_fingerprint_follows_its_content(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "mine")
    before = find_checkpoint(str(folder), allow_downloads=False)
    assert before.fingerprint.startswith("mine@")
    (folder / "artifact.metadata").write_text(json.dumps({"dim": 96}))
    assert find_checkpoint(str(folder), allow_downloads=False).fingerprint != before.fingerprint


def test_what_is_no_checkpoint_in_stanfords_form_is_refused(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "plain")
    (folder / "artifact.metadata").unlink()
    with pytest.raises(ModelNotFound, match=r"artifact\.metadata"):
        find_checkpoint(str(folder), allow_downloads=False)
    with pytest.raises(ModelNotFound, match="neither a folder nor a known checkpoint"):
        find_checkpoint("bge-small-en-v1.5", allow_downloads=False)


@pytest.mark.parametrize("name", ["~nosuchuser/x", "~nosuchuser", "x" * 5000, "a\0b"])
def test_a_name_that_can_be_no_folder_is_not_found_and_no_error_of_the_file_system(name: str) -> None:
    with pytest.raises(ModelNotFound, match="neither a folder nor a known checkpoint"):
        find_checkpoint(name, allow_downloads=False)
    assert shown_name(name)
    with pytest.raises(ModelNotFound, match="was not found"):
        load_encoder(Models(encoder=name))
    assert not any(one.available for one in describe_models(Models(late_checkpoint=name)) if one.name == name)


@pytest.mark.parametrize("config", ["[]", "1", "null", '{"architectures": null}', '{"architectures": 3}', "{}"])
def test_a_description_of_another_shape_is_refused(tmp_path: Path, config: str) -> None:
    folder = checkpoint(tmp_path / "odd")
    (folder / "config.json").write_text(config)
    with pytest.raises(ModelNotFound, match="holds no ColBERT checkpoint"):
        find_checkpoint(str(folder), allow_downloads=False)


def test_a_checkpoint_with_code_of_its_own_is_refused(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "hostile", auto_map={"AutoModel": "evil.HostileModel"})
    with pytest.raises(ModelDamaged, match="never run"):
        find_checkpoint(str(folder), allow_downloads=False)


def test_a_checkpoint_without_weights_or_readable_settings_is_refused(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path / "half")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelDamaged, match="no weights"):
        find_checkpoint(str(folder), allow_downloads=False)
    (folder / "config.json").write_text("{")
    with pytest.raises(ModelDamaged, match="not JSON"):
        find_checkpoint(str(folder), allow_downloads=False)


@pytest.mark.parametrize(
    "body", [b"", b"no weights", WEIGHTS[:-1], WEIGHTS + b"?", b"\xff" * 99, (5).to_bytes(8, "little") + b"[{}]["]
)
def test_weights_that_are_cut_short_are_told_before_anything_is_encoded(tmp_path: Path, body: bytes) -> None:
    folder = checkpoint(tmp_path / "short")
    (folder / "model.safetensors").write_bytes(body)
    with pytest.raises(ModelDamaged, match=r"weights of .*short are cut short or damaged.*Fetch it again"):
        find_checkpoint(str(folder), allow_downloads=False)


def test_the_hub_is_asked_for_known_checkpoints_only_when_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="the hub's client comes with the extras")
    asked: list[bool] = []

    def snapshot_download(name: str, *, local_files_only: bool = False, **_: object) -> str:
        asked.append(local_files_only)
        raise OSError("no network here")

    monkeypatch.setattr(hub, "snapshot_download", snapshot_download)
    with pytest.raises(ModelNotFound, match="downloads are off"):
        find_checkpoint("colbert-ir/colbertv2.0", allow_downloads=False)
    assert asked == [True]
    with pytest.raises(ModelNotFound, match="could not be downloaded: no network here"):
        find_checkpoint("answerdotai/answerai-colbert-small-v1", allow_downloads=True)
    assert asked == [True, True, False]
