"""An abbreviation that the source defines is its long form."""

from __future__ import annotations

import pytest

from core.labels import Label
from core.ports.engines import Engines
from core.settings.values import Verification
from core.verify.checks.abbreviations import abbreviations
from core.verify.checks.rounding import as_the_evidence_writes
from core.verify.sentences import CitedSource
from core.verify.source import judge_in_source
from tests.contract.builders import make_document


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("Cerebrospinal fluid (CSF) was taken.", {"CSF": "Cerebrospinal fluid"}),
        ("We used bronchoalveolar lavage (BAL).", {"BAL": "bronchoalveolar lavage"}),
        ("The World Health Organization (WHO) said so.", {"WHO": "World Health Organization"}),
        ("Chronic obstructive pulmonary disease (COPD) is common.", {"COPD": "Chronic obstructive pulmonary disease"}),
        ("The CSF (cerebrospinal fluid) was clear.", {"CSF": "cerebrospinal fluid"}),
        ("Green fluorescent proteins (GFPs) glow.", {"GFPs": "Green fluorescent proteins"}),
        # no definitions
        ("It rose in May (see Table 2).", {}),
        ("The mayor (Berg) was pleased.", {}),
        ("Limes were planted (USA).", {}),
        ("We saw 12 patients (IL-6) there.", {}),
        ("", {}),
        ("((((((((((", {}),
    ],
)
def test_definitions_in_brackets(text: str, defined: dict[str, str]) -> None:
    assert abbreviations(text) == defined


@pytest.mark.parametrize(
    ("claim", "evidence", "asked"),
    [
        ("Pressure of cerebrospinal fluid rose.", "CSF pressure rose.", "Pressure of CSF rose."),
        ("CSF pressure rose.", "The pressure of cerebrospinal fluid rose.", "Cerebrospinal fluid pressure rose."),
        ("CSF pressure rose.", "CSF pressure rose at night.", "CSF pressure rose."),
        ("The NCSF pressure rose.", "Cerebrospinal fluid pressure rose.", "The NCSF pressure rose."),
    ],
)
def test_the_model_is_asked_with_the_form_of_the_evidence(claim: str, evidence: str, asked: str) -> None:
    assert as_the_evidence_writes(claim, evidence, {"CSF": "Cerebrospinal fluid"}) == asked


def test_an_abbreviation_defined_elsewhere_in_the_source_passes(engines: Engines) -> None:
    text = "Cerebrospinal fluid (CSF) was taken in May. Buses ran late. In all patients CSF pressure rose at night."
    claim = "In all patients the pressure of cerebrospinal fluid rose at night"
    source = CitedSource(make_document(text), text)
    verdict = judge_in_source(claim, source, engines.entailer(), Verification(), names=())
    assert (verdict.label, verdict.vetoed) == (Label.SUPPORTS, False)
