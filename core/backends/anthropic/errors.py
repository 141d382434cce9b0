"""Failures of the Messages API as errors of ours, each with a sentence that helps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.errors import LlmBusy, LlmError, LlmKeyRejected, LlmMalformed, LlmRefused, LlmRequestRejected

if TYPE_CHECKING:
    from anthropic import APIStatusError

KEY = "ANTHROPIC_API_KEY"
ENDED = "The connection to the language model ended before the reply was whole."
_STATUS_OF = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_BUSY_STATUSES = frozenset({408, 409, 425, 429})


class Passing(LlmBusy):
    """A failure that may pass: worth another try, after ``wait`` seconds if the API asks for that."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def error_of(error: Exception, model: str, base_url: str) -> LlmError:
    """The error of ours for an exception of the SDK, of HTTP, or of reading the reply."""
    import anthropic
    import httpx2

    if isinstance(error, LlmError):
        return error
    if isinstance(error, anthropic.APIStatusError):
        return _status_error(error, model)
    if isinstance(error, (anthropic.APITimeoutError, httpx2.TimeoutException)):
        return Passing("The language model did not answer in time.")
    if isinstance(error, (anthropic.APIConnectionError, httpx2.NetworkError)):
        cause = _cause_of(error)
        return Passing(f"The language model cannot be reached{cause}. Check the network{_address(base_url)}.")
    if isinstance(error, httpx2.RemoteProtocolError):
        return Passing(ENDED)
    if isinstance(error, (json.JSONDecodeError, anthropic.APIResponseValidationError, anthropic.AnthropicError)):
        return malformed("it cannot be read", base_url)
    if isinstance(error, (httpx2.HTTPError, httpx2.InvalidURL)):
        return LlmRequestRejected(f"The language model cannot be asked: {error}.{_address(base_url)}")
    return malformed("it has another shape than the API promises", base_url)


def malformed(what: str, base_url: str) -> LlmMalformed:
    """A reply that is not one of the Messages API."""
    hint = f" Check llm.base_url ({base_url})." if base_url else " Try again later."
    return LlmMalformed(f"The reply of the language model is broken: {what}.{hint}")


def refused(explanation: str) -> LlmRefused:
    """The model declines."""
    its_words = f" It says: {explanation[:300]}" if explanation else ""
    return LlmRefused(
        f"The language model declines to answer this.{its_words} Ask in other words, or leave out the source that "
        "led to it."
    )


def _status_error(error: APIStatusError, model: str) -> LlmError:
    # In the middle of a stream the HTTP status is 200, and only the type says what happened.
    status = error.status_code if error.status_code >= 300 else _STATUS_OF.get(str(error.type), 500)
    its_words = f" The API says: {str(error.api_message)[:300]}" if error.api_message else ""
    if 300 <= status < 400:
        return LlmRequestRejected("The address of the language model leads elsewhere, and the key is not sent there.")
    if status == 401:
        return LlmKeyRejected(f"The key {KEY} is not accepted. Enter a valid one on the settings page.{its_words}")
    if status == 402:
        return LlmRequestRejected(f"The account of the key {KEY} cannot pay. Check its billing.{its_words}")
    if status == 403:
        return LlmKeyRejected(f"The key {KEY} may not use this model or address.{its_words}")
    if status == 404:
        return LlmRequestRejected(
            f"There is no model {model!r} for this key. Choose another in the settings.{its_words}"
        )
    if status == 413:
        return LlmRequestRejected(f"The request is too large. Send fewer or shorter passages.{its_words}")
    if status == 429:
        wait = _wait_of(error)
        pause = f" It asks to wait {wait:.0f} s." if wait else ""
        return Passing(f"The limit of requests of this key is reached.{pause}{its_words}", wait)
    if status == 529:
        return Passing(f"The language model is overloaded at the moment. Try again later.{its_words}", _wait_of(error))
    if status >= 500 or status in _BUSY_STATUSES:
        return Passing(f"The service of the language model fails (status {status}).{its_words}", _wait_of(error))
    return LlmRequestRejected(f"The language model does not accept the request (status {status}).{its_words}")


def _wait_of(error: APIStatusError) -> float | None:
    try:
        wait = float(error.response.headers["retry-after"])
    except (KeyError, ValueError):  # a date is not used by this API; without a number the usual pause holds
        return None
    return wait if 0 <= wait < float("inf") else None


def _cause_of(error: BaseException) -> str:
    cause = error.__cause__ or error
    words = str(cause).strip().rstrip(".")
    return f" ({words[:200]})" if words and words != "Connection error" else ""


def _address(base_url: str) -> str:
    return f" and llm.base_url ({base_url})" if base_url else ""
