"""Checking an audit pack offline: is it whole, do its quotations stand where it says, do its verdicts hold here?"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from core import __version__
from core.errors import HostileArchive, ModelError, WorkbenchError
from core.export.job import FORMAT, VERSION
from core.pack.metadata import compare_metadata
from core.pack.page import compare_page, made_with
from core.pack.rejudge import TOLERANCE, Tell, differences, rejudged, taken_in
from core.pack.rows import absent, record_problems
from core.pack.sources import GRADE_RULES, SourceReader
from core.ports.engines import Engines
from core.records import Finding, PackContents, PackStep, Project
from core.records.decision_chain import MAX_ID
from core.settings.values import Settings, Verification
from core.text.words import count_words
from core.workbench.open_project import first_of
from core.workbench.workbench import Workbench

MANIFEST = "manifest.json"
"""The member that every zip of the workbench has."""


@dataclass(frozen=True, slots=True)
class PackCheck:
    """The outcome of checking a pack.

    ``refused``: why it is no sound pack (nothing else was done then). ``problems``: what it says that does not hold.
    ``differences``: rows and sources that come out differently here. ``notes``: what to know of it. ``made`` and
    ``not_made``: which checks were made, and which were not, with the reason.
    ``decisions`` entries follow one another, the newest with the hash ``head``: compare it with the one where the pack
    came from, because a log that was written anew as a whole shows no break. Of ``redacted`` ones, which are about
    other reports or were not to be seen by the sender, there is nothing but the hashes.
    """

    refused: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rows: int = 0
    judged: int = 0
    decisions: int = 0
    redacted: int = 0
    head: str = ""
    models: dict[str, tuple[str, str]] = field(default_factory=dict)
    made: tuple[str, ...] = ()
    not_made: tuple[str, ...] = ()

    @property
    def sound(self) -> bool:
        """True when everything holds."""
        return not self.refused and not self.problems and not self.differences

    def plus(self, step: PackStep) -> PackCheck:
        """The outcome with that of one more step."""
        return replace(
            self, problems=(*self.problems, *step.problems), differences=(*self.differences, *step.differences),
            notes=(*self.notes, *step.notes), made=(*self.made, *step.made),
            not_made=(*self.not_made, *step.not_made),
        )  # fmt: skip


def check_pack(workbench: Workbench, pack: Path, tell: Tell, *, judge: bool = True) -> PackCheck | None:
    """Check a pack; None when it is a project's zip. With ``judge`` every row is judged again."""
    try:
        contents = workbench.catalog.read_pack(pack)
    except HostileArchive as error:
        return PackCheck(refused=tuple(workbench.verify_archive(pack) or [str(error)]))
    if contents is None:
        return None if _of_workbench(pack) else PackCheck(refused=tuple(workbench.verify_archive(pack)))
    if refused := workbench.verify_archive(pack):
        return PackCheck(refused=tuple(refused))
    try:
        info = _info(contents)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "verification"
        return PackCheck(refused=(f"{pack.name}: its pack.json is wrong ({where}: {first['msg']}).",))
    except (ValueError, RecursionError) as error:
        return PackCheck(refused=(f"{pack.name}: its pack.json is wrong ({error}).",))
    return _checked(workbench, pack, contents, info, tell, judge=judge)


def problems_of_pack(workbench: Workbench, archive: Path) -> list[str]:
    """Differences in a pack that is about to be taken in, a sentence each, checked without judging; empty for a sound
    one and for a project's zip, of which nothing but the list of its members is read here. Raises HostileArchive: the
    pack is refused."""
    checked = check_pack(workbench, archive, lambda *_: None, judge=False)
    if checked is None:
        return []
    if checked.refused:
        raise HostileArchive(" ".join(first_of(checked.refused)))
    return [*checked.problems, *checked.differences]


def import_checked(workbench: Workbench, archive: Path, *, name: str | None = None) -> Project:
    """A project made of a zip; an audit pack is checked before, without judging. What differs in it is kept for
    ``OpenProject.import_differences``. Raises HostileArchive: the zip breaks a rule; nothing was taken in."""
    return workbench.import_archive(archive, name=name, differing=problems_of_pack(workbench, archive))


def _checked(
    workbench: Workbench, pack: Path, contents: PackContents, info: _Info, tell: Tell, *, judge: bool
) -> PackCheck:
    problems = record_problems(contents, info.rows, info.text_hash)
    checked = PackCheck(
        problems=tuple(problems), rows=len(contents.findings), decisions=len(contents.log),
        redacted=len(contents.log) - len(contents.decisions), head=contents.log[-1].hash if contents.log else "",
    )  # fmt: skip
    if len(contents.reports) != 1:
        return checked.plus(PackStep(not_made=("anything but hashes and the log: a pack holds one report",)))
    checked = checked.plus(_basics(contents)).plus(compare_metadata(contents, info.whole))
    if made_with(info.whole) != __version__:
        checked = checked.plus(PackStep(notes=(
            f"Version {made_with(info.whole)} of the workbench wrote the pack, this is {__version__}: a "
            "difference may come from that.",
        )))  # fmt: skip
    try:
        checked = _taken_in(workbench, pack, contents, info, checked, tell)
    except HostileArchive as error:
        return PackCheck(refused=(str(error),))
    except WorkbenchError as error:
        checked = checked.plus(PackStep(problems=(f"The sources and report.html were not compared: {error}",)))
    if judge:
        return _judged(workbench, pack, contents, info, checked, tell)
    return checked.plus(PackStep(not_made=("verdicts, by judging again: it was not asked for",)))


def _of_workbench(path: Path) -> bool:
    """True when it is a zip that has what every one of the workbench has: a manifest, however damaged it may be."""
    try:
        with zipfile.ZipFile(path) as opened:
            return MANIFEST in opened.namelist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):  # cut off, damaged, or another kind of file
        return False


def _basics(contents: PackContents) -> PackStep:
    """The checks that every pack went through that comes this far."""
    whole, hidden = len(contents.decisions), len(contents.log) - len(contents.decisions)
    checked = ["hashes and places of texts, bytes, passages and quotations"]
    not_made = []
    if whole:
        checked.append(f"the chain of decisions, {whole} by content and link")
    if hidden:
        checked.append(f"the links of {count_words(hidden, 'redacted decision')}")
        not_made.append(
            f"the content of {count_words(hidden, 'redacted decision')}: it is not in the pack, and that it is about "
            "other reports, or was not to be seen by the sender in blind review, is the sender's word"
        )
    if contents.claims:
        not_made.append(
            f"verdicts of {count_words(len(contents.claims), 'claim')}: they rest on all sources of the project, of "
            "which the pack holds a part"
        )
    return PackStep(made=tuple(checked), not_made=tuple(not_made))


def _taken_in(
    workbench: Workbench, pack: Path, contents: PackContents, info: _Info, checked: PackCheck, tell: Tell
) -> PackCheck:
    """The checks in a project made of the pack: sources with their bytes, the page with the records."""
    settings = Settings(verification=info.verification)
    with taken_in(pack, workbench.engines, settings) as context:
        reader = SourceReader(workbench.engines.extractor(), workbench.root / GRADE_RULES, context.clock)
        documents = list(contents.documents.values())
        checked = checked.plus(reader.compare(documents, contents.acquisitions, context.store.blob, tell))
        if any(absent(row, contents) for row in contents.findings):
            why = "report.html with the records: sources are missing; do not trust it for itself"
            return checked.plus(PackStep(not_made=(why,)))
        return checked.plus(
            compare_page(
                context.store, workbench.engines, settings, contents.page, info.whole, info.threshold, info.models
            )
        )


@dataclass(frozen=True, slots=True)
class _Info:
    whole: Mapping[str, object]
    verification: Verification
    models: dict[str, str]
    rows: int
    text_hash: str
    threshold: float | None


def _info(contents: PackContents) -> _Info:
    value = json.loads(contents.info)
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("version") != VERSION:
        raise ValueError(f"this workbench reads {FORMAT!r} version {VERSION}")
    settings, models, report = (value.get(name) for name in ("settings", "models", "report"))
    if not isinstance(settings, dict) or not isinstance(models, dict) or not isinstance(report, dict):
        raise ValueError("settings, models or report are missing")
    threshold, rows = value.get("threshold"), value.get("rows")
    if isinstance(rows, bool) or not isinstance(rows, int) or not 0 <= rows < MAX_ID:
        raise ValueError("rows is no count of rows")
    if threshold is not None and not _is_share(threshold):
        raise ValueError("threshold is not between 0 and 1")
    return _Info(
        value,
        # Of the settings only what judges is taken over: names of models and hosts of a stranger are not.
        Verification.model_validate(settings.get("verification")),
        {str(role)[:40]: str(name)[:200] for role, name in models.items()},
        rows, str(report.get("text_sha256")), None if threshold is None else float(threshold),
    )  # fmt: skip


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _judged(
    workbench: Workbench, pack: Path, contents: PackContents, info: _Info, checked: PackCheck, tell: Tell
) -> PackCheck:
    engines, here_settings = workbench.engines, workbench.settings.verification
    here = _models(engines)
    models = {
        role: (info.models.get(role, ""), here.get(role, ""))
        for role in ("entailer", "encoder")
        if info.models.get(role, "") != here.get(role, "")
    }
    notes = [*checked.notes] + [
        f"The {role} differs: {was or 'none'} in the pack, {now or 'none'} here." for role, (was, now) in models.items()
    ]
    try:
        rows = rejudged(pack, engines, info.verification, contents.findings, tell)
    except ModelError as error:
        notes.append(f"Nothing was judged again: {error}")
        return replace(
            checked, notes=tuple(notes), models=models, problems=(*checked.problems, "No verdict was compared."),
            not_made=(*checked.not_made, f"verdicts, by judging again: {error}"),
        )  # fmt: skip
    except HostileArchive as error:
        return PackCheck(refused=(str(error),))
    except WorkbenchError as error:
        return replace(
            checked, notes=tuple(notes), models=models, problems=(*checked.problems, str(error)),
            not_made=(*checked.not_made, "verdicts, by judging again: it broke off"),
        )  # fmt: skip
    usual = here_settings.model_dump()
    for name, value in info.verification.model_dump().items():
        if value != usual[name]:
            notes.append(f"The pack was judged with {name} {value}; the setting here is {usual[name]}.")
    if info.threshold is not None and info.threshold != info.verification.pass_support:
        notes.append(f"In the project of the pack a citation passes from a support of {info.threshold:.2f} on.")
    waiting = sum(row.status is None for row in contents.findings)
    if waiting:
        were = "row was" if waiting == 1 else "rows were"
        notes.append(f"{waiting} {were} not judged when the pack was made; there is nothing to compare.")
    notes.append(f"Support may differ by {TOLERANCE} between processors; larger differences are listed.")
    listed = differences(contents.findings, rows, words=not models)
    return replace(
        checked, notes=tuple(notes), models=models, judged=_verdicts(rows),
        differences=(*checked.differences, *map(str, listed)),
        made=(*checked.made, f"verdicts of {count_words(len(rows), 'row')}, by judging again"),
    )  # fmt: skip


def _verdicts(rows: Sequence[Finding]) -> int:
    return sum(row.verdict is not None for row in rows)


def _models(engines: Engines) -> dict[str, str]:
    fingerprints = {"encoder": engines.encoder_fingerprint()}
    with suppress(ModelError):
        fingerprints["entailer"] = engines.entailer().fingerprint
    return fingerprints
