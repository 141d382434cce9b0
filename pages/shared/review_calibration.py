"""The trust in the machine, measured by decisions, and the support from which on a citation passes."""

from collections.abc import Sequence

import streamlit as st

from core.errors import WorkbenchError
from core.labels import Role
from core.records import Person, Reliability, ThresholdPreview
from core.text.words import count_words, short
from core.workbench.open_project import OpenProject
from pages.shared.keyed_table import fit, show_table
from pages.shared.notices import rerun_with
from pages.shared.safe import plain
from pages.shared.session import guarded, this_project
from pages.words.measures import calibration_line, precision_line, preview_line, reliability_rows

_SHOWN = 50
_TARGETS = [80, 85, 90, 92, 94, 95, 96, 97, 98, 99]


def show_calibration(opened: OpenProject, me: Person) -> None:
    """The share of passes that hold, the reliability curve, and the choice of another threshold."""
    st.subheader("How often does a pass hold?")
    with guarded("counting"):
        st.text(precision_line(opened.reviews.threshold.precision()))
        st.caption("The queue holds a few citations that passed, drawn at random, so that this can be told.")
    st.subheader("Is the machine as sure as it should be?")
    with guarded("drawing the curve"):
        show_reliability(opened.reviews.threshold.reliability())
    st.subheader("Ask for more, or less")
    with guarded("looking ahead"):
        _threshold(opened, me)


def show_reliability(reliability: Reliability) -> None:
    """The curve of chances given and found, with its table."""
    rows = reliability_rows(reliability)
    if not rows:
        st.text("This can be told once people have decided on citations.")
        return
    if line := calibration_line(reliability.ece, reliability.n):
        st.text(line)
    if reliability.note:
        st.caption(plain(reliability.note))
    st.caption(
        "Each point: citations to which the machine gave about the same chance, and how many of them people found to "
        "hold. On the dashed line both are the same; below it the machine is too sure. The bars are 95 % intervals."
    )
    _curve(rows)
    import pandas as pd

    show_table(
        pd.DataFrame(
            {
                "Chance given": [f"{row['start']:.2f} to {row['end']:.2f}" for row in rows],
                "On average": [f"{row['predicted']:.2f}" for row in rows],
                "Found to hold": [f"{row['share']:.2f}" for row in rows],
                "95 % interval": [f"{row['low']:.2f} to {row['high']:.2f}" for row in rows],
                "Decisions": [int(row["n"]) for row in rows],
            }
        ),
        "The chance that the machine gave, beside the share that people found to hold.",
        wide=False,
    )


def _curve(rows: Sequence[dict[str, float]]) -> None:
    import altair as alt
    import pandas as pd

    whole = alt.Scale(domain=[0, 1])
    x = alt.X("predicted:Q", title="Chance that the machine gave", scale=whole)
    base = alt.Chart(pd.DataFrame(list(rows))).encode(x=x)
    diagonal = (
        alt.Chart(pd.DataFrame({"predicted": [0.0, 1.0], "share": [0.0, 1.0]}))
        .mark_line(strokeDash=[5, 5], color="#7a8594")
        .encode(x=x, y=alt.Y("share:Q", scale=whole))
    )
    bars = base.mark_rule(strokeWidth=2, color="#7a8594").encode(
        y=alt.Y("low:Q", title="Share that people found to hold", scale=whole), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        y=alt.Y("share:Q", scale=whole),
        tooltip=[
            alt.Tooltip("predicted:Q", title="Chance given", format=".2f"),
            alt.Tooltip("share:Q", title="Found to hold", format=".2f"),
            alt.Tooltip("n:Q", title="Decisions"),
        ],
    )
    st.altair_chart(
        (diagonal + bars + base.mark_line(strokeWidth=2).encode(y="share:Q") + points).properties(
            height=320, width=460
        ),
        width="content",
        alt="Reliability curve: share found to hold over the chance given. The table below has the same numbers.",
    )


def _threshold(opened: OpenProject, me: Person) -> None:
    reviews = opened.reviews
    policy = reviews.people.policy()
    st.text(f"A citation passes from a support of {reviews.threshold.current():.2f} of 1 on.")
    if policy.threshold is not None:
        wanted = "" if policy.target_precision is None else f" so that {policy.target_precision:.0%} of passes hold"
        st.caption(f"This was set for this project{wanted}.")
        if me.role is Role.OWNER:
            back = reviews.threshold.preview(None)
            if st.button("Back to the setting of this installation", key="threshold-back", type="tertiary"):
                _apply(None, me, None)
            st.caption(_changes(back))
    target = st.select_slider(
        "Of the citations that pass, at least this many should hold",
        _TARGETS,
        value=95,
        format_func=lambda percent: f"{percent} %",
        key="target",
    )
    ahead = reviews.threshold.lowest_for(target / 100)
    _preview(opened, ahead)
    if ahead.threshold is None or ahead.threshold == reviews.threshold.current():
        return
    if me.role is not Role.OWNER:
        st.caption("An owner of this project can set it.")
    elif st.button(
        f"Pass from {ahead.threshold:.2f} on", key="threshold-apply", type="primary", icon=":material/tune:"
    ):
        _apply(ahead.threshold, me, target / 100)


def _changes(ahead: ThresholdPreview) -> str:
    wanted = ahead.current if ahead.threshold is None else ahead.threshold
    return preview_line(wanted, ahead.current, len(ahead.to_review), len(ahead.to_pass))


def _preview(opened: OpenProject, ahead: ThresholdPreview) -> None:
    if ahead.threshold is None:
        st.info(plain(ahead.why), icon=":material/info:")
        return
    st.text(ahead.why)
    st.text(_changes(ahead))
    for label, ids in (("Would go to a person", ahead.to_review), ("Would pass", ahead.to_pass)):
        if ids:
            with st.expander(f"{label}: {count_words(len(ids), 'citation')}", icon=":material/list:"):
                _rows(opened, ids)


def _rows(opened: OpenProject, ids: Sequence[int]) -> None:
    import pandas as pd

    findings = []
    for finding_id in ids[:_SHOWN]:
        try:
            findings.append(opened.audits.finding(finding_id))
        except WorkbenchError:  # deleted while this was counted
            continue
    show_table(
        pd.DataFrame(
            {
                "Sentence": [fit(finding.claim_text, 520, 1) for finding in findings],
                "Cited as": [short(finding.marker_text, 40) for finding in findings],
                "Support": [f"{finding.verdict.supports:.2f}" if finding.verdict else "–" for finding in findings],
            }
        ),
        "The citations that would change.",
    )
    if len(ids) > _SHOWN:
        st.caption(f"The first {_SHOWN} of {len(ids):,}.")


def _apply(value: float | None, me: Person, target: float | None) -> None:
    changed = this_project().reviews.threshold.apply(value, by=me.name, target=target)
    rerun_with(f"Set. {count_words(changed, 'citation')} changed; nothing was judged anew.")
