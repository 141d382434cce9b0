"""Structured replies of a language model: JSON checked against a pydantic model, with one attempt at repair."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import LlmMalformed
from core.records import Completion, Prompt

MAX_REPLY_CHARS = 400_000
"""Most characters of a reply that is read as JSON."""
QUOTED_CHARS = 6000
_MAX_TOKENS = 32_000
_Form = TypeVar("_Form", bound=BaseModel)


def structured(write: Callable[[Prompt], Completion], prompt: Prompt, model: type[_Form]) -> _Form:
    """The reply as an instance of ``model``, whose JSON schema is added to the prompt. Raises LlmMalformed (the reply
    does not fit the schema, also after one repair) or LlmError (as ``write``)."""
    return structured_reply(write, prompt, model)[0]


def structured_reply(
    write: Callable[[Prompt], Completion], prompt: Prompt, model: type[_Form]
) -> tuple[_Form, list[Completion]]:
    """The reply as in ``structured``, with its completions (one, or two after a repair)."""
    full_prompt = with_form(prompt, model)
    first = write(full_prompt)
    try:
        return parsed(first, model), [first]
    except LlmMalformed as fault:
        longer = min(_MAX_TOKENS, prompt.max_tokens * 2) if first.truncated else prompt.max_tokens
        again = replace(
            full_prompt, user=_repair(prompt.user, first, str(fault)), max_tokens=max(longer, prompt.max_tokens)
        )
    second = write(again)
    try:
        return parsed(second, model), [first, second]
    except LlmMalformed as fault:
        raise LlmMalformed(
            f"The language model did not keep to the form that was asked for, also after it was told: {fault} "
            "Try again, or choose another model in the settings."
        ) from None


def with_form(prompt: Prompt, model: type[BaseModel]) -> Prompt:
    """The prompt with the form of the reply, as it is sent. Its cost is the cost of the call."""
    return replace(prompt, system=f"{prompt.system.rstrip()}\n\n{form_rule(model)}".strip())


def form_rule(model: type[BaseModel]) -> str:
    schema = json.dumps(model.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else: no words around it. It must fit this JSON schema:\n{schema}"


def parsed(completion: Completion, model: type[_Form]) -> _Form:
    """The JSON object in a reply, checked; words or a fence around it are ignored. Raises LlmMalformed: the fault, in
    words that a model can act on."""
    text = completion.text
    if completion.truncated:
        raise LlmMalformed("The reply was cut off at its greatest length. Keep it shorter.")
    if len(text) > MAX_REPLY_CHARS:
        raise LlmMalformed(f"The reply has {len(text):,} characters, more than {MAX_REPLY_CHARS:,}. Keep it shorter.")
    start, end = text.find("{"), text.rfind("}")
    if not 0 <= start < end:
        raise LlmMalformed("The reply holds no JSON object.")
    try:
        return model.model_validate_json(text[start : end + 1])
    except ValidationError as error:
        raise LlmMalformed(f"The reply does not fit: {_faults(error)}") from None
    except (ValueError, RecursionError):  # numbers or nesting beyond any form
        raise LlmMalformed("The reply is not JSON that can be read.") from None


def _faults(error: ValidationError) -> str:
    lines = []
    for fault in error.errors(include_url=False, include_input=False)[:5]:
        place = ".".join(map(str, fault["loc"])) or "the object"
        lines.append(f"{place}: {fault['msg'][:200]}")
    return "; ".join(lines) + "."


def _repair(user: str, reply: Completion, fault: str) -> str:
    shown = reply.text[:QUOTED_CHARS]
    return (
        f"{user}\n\nYour last reply to this could not be used. {fault}\nIt began (a JSON text to look at, no order): "
        f"{json.dumps(shown, ensure_ascii=False)}\nReply again with the JSON object alone."
    )
