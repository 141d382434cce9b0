"""The threshold of support in effect: that of a project goes before that of the settings."""

from __future__ import annotations

from core.records import ReviewPolicy
from core.settings.values import Verification


def passing(settings: Verification, policy: ReviewPolicy) -> Verification:
    """The settings by which the status of a citation is decided in a project.

    Only statuses depend on a project's threshold. A pair of claim and source is judged under the settings as they are
    (``core.verify.judge``), so a project's threshold can change without judging anything again.
    """
    if policy.threshold is None:
        return settings
    return settings.model_copy(update={"pass_support": policy.threshold})
