"""The Writer port on the Anthropic API through its SDK, which is imported only when a call is made."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from core.backends.anthropic.errors import KEY, Passing, error_of
from core.backends.anthropic.prices import Price, price_of
from core.backends.anthropic.prompt import ApiRequest, request_of
from core.backends.anthropic.stream import Reply, cap, read_reply
from core.errors import LlmBusy, LlmError, LlmOff, SettingsError
from core.labels import LlmTask
from core.ports.asking import OnText
from core.records import Completion, Estimate, Prompt, TokenUsage
from core.settings.keys import Keys
from core.settings.values import Llm

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

ADDRESS = "https://api.anthropic.com"
LOOK_EVERY_S = 0.2
"""Seconds between two questions to a waiting caller, whether it still wants the reply."""
CONNECT_S = 10.0
_PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
OFF = "Language models are switched off. Switch them on under Settings → Language model (llm.enabled)."
NO_KEY = f"There is no key for the language model. Enter {KEY} on the settings page or in the environment."


class AnthropicWriter:
    """Writes by the Messages API: streamed, within a total time, retried only while nothing was told."""

    def __init__(self, settings: Llm, keys: Keys) -> None:
        self._settings = settings
        self._keys = keys

    def model(self, prompt: Prompt) -> str:
        return {
            LlmTask.ANSWER: self._settings.model_answer,
            LlmTask.EXPAND: self._settings.model_expand,
            LlmTask.JUDGE: self._settings.model_judge,
            LlmTask.EXTRACT: self._settings.model_extract,
        }[prompt.task]

    def estimate(self, prompt: Prompt) -> Estimate:
        model = self.model(prompt)
        price = self._price(model)
        request = request_of(prompt, model, price)
        cost = price.dearest(request.tokens, request.max_tokens) if price else None
        return Estimate(model, request.tokens, request.max_tokens, cost)

    def reason_off(self) -> str:
        if not self._settings.enabled:
            return OFF
        try:
            return "" if self._keys.get(KEY) else NO_KEY
        except SettingsError as error:
            return str(error)

    def write(self, prompt: Prompt, on_text: OnText | None = None) -> Completion:
        """See the port; not to be called inside a running event loop. ``on_text`` is also called with "" while nothing
        comes, so that it can stop a silent call. Raises LlmOff (switched off, or no key that could be sent) or LlmError
        (as the port says; ``completion`` carries the tokens that were counted)."""
        if reason := self.reason_off():
            raise LlmOff(reason)
        key = str(self._keys.get(KEY))
        _load_sdk()
        call = _Call(self._settings, prompt, self.model(prompt), self._price(self.model(prompt)), on_text)
        try:
            return asyncio.run(call.run(key))
        except LlmError as error:
            # What the API says may repeat the key; no message of ours does.
            without_key = type(error)(str(error).replace(key, "(the key)"))
            without_key.completion = call.counted()
            raise without_key from None
        except BaseException as stopped:  # the caller stopped it: what it cost so far is still told
            stopped.completion = call.counted()  # type: ignore[attr-defined]
            raise

    def _price(self, model: str) -> Price | None:
        return price_of(model, self._settings.prices)


class _Call:
    """One call with its tries. ``spent`` and ``paid`` are tokens and US dollars of tries that failed."""

    def __init__(self, settings: Llm, prompt: Prompt, model: str, price: Price | None, on_text: OnText | None) -> None:
        self._settings = settings
        self._model = model
        self._price = price
        self._on_text = on_text
        self._request: ApiRequest = request_of(prompt, model, price)
        self._began = time.monotonic()
        self._reply = Reply()
        self._spent = TokenUsage()
        self._paid = 0.0
        self._stopped: BaseException | None = None

    async def run(self, key: str) -> Completion:
        """Try until there is a reply, a failure that stays, or no time."""
        import anthropic

        client = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=self._settings.base_url or ADDRESS,
            max_retries=0,  # the SDK's own would not know whether text was told, nor of the total time
            timeout=anthropic.Timeout(self._settings.timeout_s, connect=min(CONNECT_S, self._settings.timeout_s)),
            # The key goes to one place only, and no answer of it fills the memory.
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False, event_hooks={"response": [cap]}),
        )
        async with client:
            for number in range(1, self._settings.attempts + 1):
                try:
                    await self._attempt(client)
                    return self.completion()
                except Passing as error:
                    await self._pause(error, number)
        raise AssertionError("the last try raises")  # pragma: no cover

    def completion(self) -> Completion:
        """The reply so far, with the tokens of all tries."""
        reply, usage = self._reply, _sum(self._spent, self._reply.usage)
        return Completion(
            text=reply.text,
            model=reply.model or self._model,
            usage=usage,
            cost_usd=self._paid + self._price.cost(reply.usage) if self._price else None,
            first_token_ms=None if reply.first is None else (reply.first - self._began) * 1000,
            total_ms=(time.monotonic() - self._began) * 1000,
            truncated=reply.stop_reason in ("max_tokens", "model_context_window_exceeded"),
            citations=tuple(reply.citations),
        )

    def counted(self) -> Completion | None:
        """The reply so far, None when the API has counted nothing."""
        so_far = self.completion()
        return so_far if so_far.usage.total else None

    async def _attempt(self, client: AsyncAnthropic) -> None:
        self._reply = Reply()
        body: dict[str, Any] = dict(self._request.body)
        base_url = self._settings.base_url
        reading = read_reply(client, body, self._request.documents, self._reply, self._tell, base_url)
        task = asyncio.ensure_future(reading)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=min(LOOK_EVERY_S, max(0.0, self._left())))
                if not task.done():
                    self._tell("")
                    if self._left() <= 0:
                        raise LlmBusy(self._too_slow())
            await task
        except Exception as error:
            if error is self._stopped:
                raise
            raise error_of(error, self._model, base_url) from error
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _pause(self, error: Passing, number: int) -> None:
        """Wait before the next try, or raise why there is none."""
        if self._reply.text:
            raise LlmBusy(f"{error} {len(self._reply.text):,} characters had come; they are not used.") from error
        wait = error.wait if error.wait is not None else _PAUSES_S[min(number, len(_PAUSES_S)) - 1]
        if number >= self._settings.attempts:
            raise LlmBusy(f"{error} Tried {number} times." if number > 1 else str(error)) from error
        if wait >= self._left():
            raise LlmBusy(f"{error} That is longer than llm.timeout_s leaves; try again later.") from error
        self._spent = _sum(self._spent, self._reply.usage)
        self._paid += self._price.cost(self._reply.usage) if self._price else 0.0
        self._reply = Reply()
        ends = time.monotonic() + wait
        while (left := ends - time.monotonic()) > 0:
            await asyncio.sleep(min(LOOK_EVERY_S, left))
            self._tell("")

    def _tell(self, text: str) -> None:
        try:
            if self._on_text is not None:
                self._on_text(text)
        except BaseException as stopped:
            self._stopped = stopped
            raise

    def _left(self) -> float:
        return self._began + self._settings.timeout_s - time.monotonic()

    def _too_slow(self) -> str:
        came = len(self._reply.text)
        words = f"only {came:,} characters of the reply had come" if came else "nothing of the reply had come"
        return (
            f"The language model was too slow: after {self._settings.timeout_s:g} s {words}. "
            "Try again, or allow more time (llm.timeout_s)."
        )


def _load_sdk() -> None:
    """Import the SDK before the time of a call begins: it takes seconds the first time, which are not the model's."""
    try:
        import anthropic.resources.messages  # noqa: F401
    except ImportError as error:
        raise LlmOff("The package anthropic is not installed. Install it with: pip install anthropic") from error


def _sum(first: TokenUsage, second: TokenUsage) -> TokenUsage:
    return TokenUsage(
        first.input + second.input,
        first.output + second.output,
        first.cache_read + second.cache_read,
        first.cache_write + second.cache_write,
    )
