"""Checking an audit pack offline: is it whole, do its quotations stand where it says, do its verdicts hold here?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from core.decision_chain import MAX_ID
from core.engines import Engines
from core.errors import HostileArchive, ModelError, WorkbenchError
from core.export.html_check import page_faults
from core.export.pack import FORMAT, VERSION
from core.export.rows import WAITING
from core.model import Document, Finding, Judgement
from core.pack_page import compare_page
from core.records.packs import PackContents
from core.rejudging import TOLERANCE, Tell, differences, rejudged
from core.settings import Verification
from core.workbench import Workbench


@dataclass(frozen=True, slots=True)
class PackCheck:
    """What checking a pack came to.

    ``refused``: why it is no sound pack (nothing else was done then). ``problems``: what it says that does not hold.
    ``differences``: rows that come out differently here. ``notes``: what was not or could not be compared.
    ``decisions`` entries follow one another, the newest with the hash ``head``: compare it with the one where the pack
    came from, because a log that was written anew as a whole shows no break. Of ``redacted`` ones, which are about
    other reports, there is nothing but the hashes.
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

    @property
    def sound(self) -> bool:
        """Whether everything holds."""
        return not self.refused and not self.problems and not self.differences


def check_pack(workbench: Workbench, pack: Path, tell: Tell, *, judge: bool = True) -> PackCheck | None:
    """Check a pack; None when the zip is no pack. With ``judge`` every row is judged again."""
    try:
        contents = workbench.catalog.read_pack(pack)
    except HostileArchive as error:
        return PackCheck(refused=tuple(workbench.verify_archive(pack) or [str(error)]))
    if contents is None:
        return None
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
    problems = _problems(contents, info)
    checked = PackCheck(
        problems=tuple(problems), rows=len(contents.findings), decisions=len(contents.log),
        redacted=len(contents.log) - len(contents.decisions), head=contents.log[-1].hash if contents.log else "",
    )  # fmt: skip
    if len(contents.reports) != 1:
        return checked
    if any(_absent(row, contents) for row in contents.findings):
        notes = [
            "report.html was not compared with the records, because sources are missing: do not trust it for itself."
        ]
        checked = replace(checked, notes=tuple(notes))
        return _judged(workbench, pack, contents, info, checked, tell) if judge else checked
    faults, notes = compare_page(
        pack, workbench.engines, contents.page, json.loads(contents.info), info.verification, info.threshold,
        info.models,
    )  # fmt: skip
    checked = replace(checked, problems=(*checked.problems, *faults), notes=tuple(notes))
    return _judged(workbench, pack, contents, info, checked, tell) if judge else checked


@dataclass(frozen=True, slots=True)
class _Info:
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
        # Of the settings only what judges is taken over: names of models and hosts of a stranger are not.
        Verification.model_validate(settings.get("verification")),
        {str(role)[:40]: str(name)[:200] for role, name in models.items()},
        rows, str(report.get("text_sha256")), None if threshold is None else float(threshold),
    )  # fmt: skip


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _problems(contents: PackContents, info: _Info) -> list[str]:
    found: list[str] = []
    if len(contents.reports) != 1:
        return [f"It holds {len(contents.reports)} reports; a pack is about one."]
    if contents.reports[0].content_hash != info.text_hash:
        found.append("The text of the report is another one than pack.json names.")
    if len(contents.findings) != info.rows:
        found.append(f"It holds {len(contents.findings)} rows; pack.json names {info.rows}.")
    order = [row.ordinal for row in contents.findings]
    for place, ordinal in enumerate(order):
        if ordinal != place:
            found.append(f"Row {ordinal + 1} stands in place {place + 1}: rows were moved, added or left out.")
            break
    for row in contents.findings:
        found += _row_problems(row, contents)
    if contents.page is not None:
        statuses = {row.ordinal + 1: row.status.value if row.status else WAITING for row in contents.findings}
        found += page_faults(contents.page, statuses)
    return found


def _row_problems(row: Finding, contents: PackContents) -> list[str]:
    name = f"Row {row.ordinal + 1}"
    found = [f"{name}: its source {one[:64]} is not in the pack." for one in _absent(row, contents)]
    if row.verdict is not None and row.verdict.document_id in contents.documents:
        document = contents.documents[row.verdict.document_id]
        for window in (row.verdict.best, row.verdict.against):
            if window is not None and not _stands(window, document, contents.texts[document.id]):
                found.append(
                    f"{name}: the passage at characters {window.start} to {window.end} of “{document.title[:80]}” is "
                    f"not the one that was judged: “{' '.join(window.text.split())[:80]}”."
                )
    rescue = row.rescue
    text = contents.texts.get(rescue.document_id) if rescue is not None else None
    if rescue is not None and text is not None and text[rescue.start : rescue.end] != rescue.text:
        found.append(f"{name}: the passage of the better source does not stand at its place.")
    return found


def _absent(row: Finding, contents: PackContents) -> list[str]:
    """Ids of the sources that a row names and the pack does not hold."""
    named = [row.document_id, row.verdict.document_id if row.verdict else None]
    named.append(row.rescue.document_id if row.rescue else None)
    return [one for one in dict.fromkeys(named) if one is not None and one not in contents.documents]


def _stands(window: Judgement, document: Document, text: str) -> bool:
    """Whether the judged words are those of the document; its title may stand in front of them."""
    spans = window.spans or ((window.start, window.end),)
    if not all(0 <= start <= end <= len(text) for start, end in spans):
        return False
    said = "".join(window.text.split())
    stored = "".join("".join(text[start:end].split()) for start, end in spans)
    before = said.removesuffix(stored).removesuffix(":")
    return said.endswith(stored) and "".join(document.title.split()).startswith(before)


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
            checked, notes=tuple(notes), models=models, problems=(*checked.problems, "No verdict was compared.")
        )
    except HostileArchive as error:
        return PackCheck(refused=(str(error),))
    except WorkbenchError as error:
        return replace(checked, notes=tuple(notes), models=models, problems=(*checked.problems, str(error)))
    usual = here_settings.model_dump()
    for name, value in info.verification.model_dump().items():
        if value != usual[name]:
            notes.append(f"The pack was judged with {name} {value}; the setting here is {usual[name]}.")
    if info.threshold is not None and info.threshold != info.verification.pass_support:
        notes.append(f"In the project of the pack a citation passes from a support of {info.threshold:.2f} on.")
    waiting = sum(row.status is None for row in contents.findings)
    if waiting:
        notes.append(f"{waiting} rows were not judged when the pack was made; there is nothing to compare.")
    notes.append(f"Support may differ by {TOLERANCE} between processors; larger differences are listed.")
    listed = differences(contents.findings, rows, words=not models)
    return replace(
        checked, notes=tuple(notes), models=models, judged=_verdicts(rows), differences=tuple(map(str, listed))
    )


def _verdicts(rows: Sequence[Finding]) -> int:
    return sum(row.verdict is not None for row in rows)


def _models(engines: Engines) -> dict[str, str]:
    found = {"encoder": engines.encoder_fingerprint()}
    with suppress(ModelError):
        found["entailer"] = engines.entailer().fingerprint
    return found
