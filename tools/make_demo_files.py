"""Make the generated files of the demonstration project: ``python -m tools.make_demo_files``.

Reads tools/demo (texts, tagged report, key, questions) and core/demo/catalogue.toml; writes the PDF and DOCX
sources, report.md, key.json and questions.json into core/demo. Needs the test extra (reportlab, Pillow,
python-docx). The HTML, Markdown, text and JATS sources are written by hand and left alone.
"""

from __future__ import annotations

import json
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "tools" / "demo"
TARGET = ROOT / "core" / "demo"
PDFS = {
    "heat-and-health": ("heat-and-health-2018-2023.pdf", 1, datetime(2024, 4, 9, tzinfo=UTC)),
    "trapped-heat": ("trapped-heat-wp-22-07.pdf", 2, datetime(2022, 11, 1, tzinfo=UTC)),
    "auditor-value-for-money": ("auditor-value-for-money-2025.pdf", 1, datetime(2025, 5, 14, tzinfo=UTC)),
}
DOCX = {
    "heat-action-plan": ("heat-action-plan-2025-2030.docx", datetime(2025, 6, 19, tzinfo=UTC)),
    "unequal-shade": ("unequal-shade-2023.docx", datetime(2023, 7, 1, tzinfo=UTC)),
    "roofs-or-trees": ("roofs-or-trees-2024.docx", datetime(2024, 3, 12, tzinfo=UTC)),
}
SCAN = """\
PORT MERRIN PARKS DEPARTMENT
STREET TREE REGISTER
Sheet 14        Mill Street        surveyed May 1987

No.   Species        Girth (cm)   Condition
1     London plane   241          good
2     London plane   228          good
3     London plane   236          fair, cavity
4     London plane   219          good
5     Small-leaved lime 122       good

Planted 1931. Full-grown. Do not pollard.

Demonstration source, written for the evidence workbench;
the organisations and figures are invented.""".splitlines()


def make_text(target: Path) -> None:
    """Write report.md, key.json and questions.json into ``target``."""
    from tools.demo.report import check_labels, make_key, strip_tags

    catalogue = tomllib.loads((TARGET / "catalogue.toml").read_text(encoding="utf-8"))
    key = tomllib.loads((HERE / "key.toml").read_text(encoding="utf-8"))
    questions = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))["question"]
    report, spans = strip_tags((HERE / "report.src.md").read_text(encoding="utf-8"))
    check_labels(spans, key["citation"])
    solved = make_key(spans, key, {row["file"]: row["url"] for row in catalogue["source"]})
    solved["grades"] = {row["file"]: row["grade"] for row in catalogue["source"] if "grade" in row}
    (target / "report.md").write_text(report, encoding="utf-8", newline="\n")
    _write_json(target / "key.json", solved)
    _write_json(target / "questions.json", questions)


def make_sources(target: Path) -> None:
    """Write the PDF and DOCX sources into ``target``."""
    from tools.demo.article import read_article
    from tools.demo.docx_files import write_docx
    from tools.demo.pdf import write_pdf, write_scan

    for name, (file, columns, published) in PDFS.items():
        write_pdf(read_article(HERE / "text" / f"{name}.txt"), target / file, columns=columns, published=published)
    for name, (file, published) in DOCX.items():
        write_docx(read_article(HERE / "text" / f"{name}.txt"), target / file, published=published)
    write_scan(SCAN, target / "register-1987-sheet-14-scan.pdf", subject=" ".join(SCAN[-2:]))


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    make_text(TARGET)
    make_sources(TARGET / "sources")
    sys.stdout.write(f"written to {TARGET.relative_to(ROOT)}\n")
