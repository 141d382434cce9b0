"""One streamed reply of the Messages API, read event by event."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.backends.anthropic.errors import ENDED, Passing, malformed, refused
from core.backends.anthropic.prices import tokens_of
from core.errors import LlmMalformed, LlmRequestRejected
from core.records import NativeCitation, PromptDocument, TokenUsage

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

MAX_REPLY_BYTES = 24_000_000
"""So much is read of any answer of the address: more than the longest reply of any model takes as events."""
MAX_REPLY_CHARS = 2_000_000
"""A reply beyond this is no reply to any request of ours."""


async def cap(response: httpx2.Response) -> None:
    """A hook of the HTTP client: an answer that does not end is stopped before it fills the memory."""
    response.stream = _capped(response.stream)


def _capped(stream: Any) -> Any:
    import httpx2

    class Capped(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MAX_REPLY_BYTES
            async for chunk in stream:
                left -= len(chunk)
                if left < 0:
                    size = MAX_REPLY_BYTES // 1_000_000
                    raise LlmMalformed(f"The reply of the language model does not end; {size} MB were read.")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Capped()


@dataclass
class Reply:
    """The reply so far. ``began`` and ``first`` are seconds of ``time.monotonic``."""

    began: float = field(default_factory=time.monotonic)
    first: float | None = None
    parts: list[str] = field(default_factory=list)
    chars: int = 0
    citations: list[NativeCitation] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)
    model: str = ""
    stop_reason: str = ""
    whole: bool = False

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def usage(self) -> TokenUsage:
        """Tokens as counted by the API; of a reply that ended early, its text by our own count."""
        output = self.counted.get("output_tokens", 0)
        return TokenUsage(
            input=self.counted.get("input_tokens", 0),
            output=output if self.whole else max(output, tokens_of(self.text)),
            cache_read=self.counted.get("cache_read_input_tokens", 0),
            cache_write=self.counted.get("cache_creation_input_tokens", 0),
        )


async def read_reply(
    client: AsyncAnthropic,
    body: dict[str, Any],
    documents: Sequence[PromptDocument],
    reply: Reply,
    tell: Callable[[str], None],
    base_url: str,
) -> None:
    """Send the request and fill ``reply``; every piece of text goes to ``tell`` at once.

    Raises:
        LlmError, or what the SDK and HTTP raise (see ``errors.error_of``).
    """
    stream = await client.messages.create(**body, stream=True)
    async with stream:
        citing = _Citing(documents, reply)
        async for event in stream:
            try:
                new_text = _take(event, reply, citing)
            except (AttributeError, TypeError, ValueError, KeyError) as error:
                raise malformed("it has another shape than the API promises", base_url) from error
            if new_text:
                tell(new_text)
    if not reply.counted and not reply.whole:
        raise malformed("it is none of the Messages API", base_url)
    if not reply.whole:
        raise Passing(ENDED)
    _judge(reply)


def _take(event: Any, reply: Reply, citing: _Citing) -> str:
    """Take one event into the reply; the text that is new."""
    kind = event.type
    if kind == "message_start":
        reply.model = str(event.message.model or "")
        _count(reply, event.message.usage)
        reply.counted.setdefault("input_tokens", 0)
    elif kind == "content_block_start":
        block = event.content_block
        citing.block(str(block.type))
        return _told(reply, str(block.text or "")) if block.type == "text" else ""
    elif kind == "content_block_delta":
        delta = event.delta
        if delta.type == "text_delta":
            return _told(reply, str(delta.text))
        if delta.type == "citations_delta":
            citing.cited(delta.citation)
    elif kind == "content_block_stop":
        citing.block("")
    elif kind == "message_delta":
        reply.stop_reason = str(event.delta.stop_reason or "")
        _count(reply, event.usage)
        details = getattr(event.delta, "stop_details", None)
        if reply.stop_reason == "refusal":
            raise refused(str(getattr(details, "explanation", None) or ""))
    elif kind == "message_stop":
        reply.whole = True
    return ""


def _told(reply: Reply, text: str) -> str:
    if text and reply.first is None:
        reply.first = time.monotonic()
    reply.parts.append(text)
    reply.chars += len(text)
    if reply.chars > MAX_REPLY_CHARS:
        raise LlmMalformed("The reply of the language model does not end. It was stopped after 2 million characters.")
    return text


def _count(reply: Reply, usage: Any) -> None:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    for name in names:
        value = getattr(usage, name, None)
        if value is not None:  # counts are totals so far; one that is left out stays as it was
            reply.counted[name] = max(0, int(value))


def _judge(reply: Reply) -> None:
    """True when a whole reply holds an answer."""
    if reply.stop_reason == "refusal":
        raise refused("")
    if reply.text.strip():
        return
    if reply.stop_reason == "max_tokens":
        raise LlmMalformed("The language model used up the longest reply before it wrote a word. Try another model.")
    if reply.stop_reason == "model_context_window_exceeded":
        raise LlmRequestRejected("The request is longer than the model can read. Send fewer or shorter passages.")
    raise LlmMalformed("The reply of the language model is empty. Try again, or choose another model.")


class _Citing:
    """Ranges of documents that the API names for the text block that is being written."""

    def __init__(self, documents: Sequence[PromptDocument], reply: Reply) -> None:
        self._documents = documents
        self._reply = reply
        self._start = 0
        self._open: list[tuple[str, int, int, str]] = []

    def block(self, kind: str) -> None:
        """A block begins (its kind) or ends (""): citations hold for the whole text of the block that ends."""
        here = self._reply.chars
        for key, start, end, quote in self._open:
            self._reply.citations.append(NativeCitation(key, start, end, quote, self._start, here))
        self._open.clear()
        if kind:
            self._start = here

    def cited(self, citation: Any) -> None:
        """One citation; what does not fit a document of the request is left out, as it proves nothing."""
        if citation.type != "char_location" or not 0 <= citation.document_index < len(self._documents):
            return
        document, quote = self._documents[citation.document_index], str(citation.cited_text)
        start, end = int(citation.start_char_index), int(citation.end_char_index)
        if document.text[max(0, start) : max(0, end)].strip() != quote.strip() or not quote.strip():
            start = document.text.find(quote) if quote.strip() else -1
            end = start + len(quote)
        if 0 <= start < end:
            self._open.append((document.key, start, end, document.text[start:end]))
