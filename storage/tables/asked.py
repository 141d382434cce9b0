"""What finding new evidence and answering keep, put together."""

from __future__ import annotations

from storage.tables.answers import Answers
from storage.tables.llm_calls import LlmCalls
from storage.tables.questions import Questions


class Asking(Questions, Answers, LlmCalls):
    """``core.ports.asking.AskingStore`` over the project's database."""
