"""The threshold in effect: that of a project goes before that of the settings."""

from __future__ import annotations

from core.records import ReviewPolicy
from core.settings.values import Verification


def passing(settings: Verification, policy: ReviewPolicy) -> Verification:
    """The settings by which the status of a citation is decided in a project.

    Only statuses: a pair of claim and source is judged under the settings as they are (``core.verify.judge``), because
    which words decide, and which part of a claim is supported, hang on their threshold. So a project's threshold can
    move without anything being judged again.
    """
    if policy.threshold is None:
        return settings
    return settings.model_copy(update={"pass_support": policy.threshold})
