"""Reads a response's body with its size capped, as sent and after decompression.

Own decompression, because httpx2's leaves a truncated gzip stream and an unknown coding unnoticed and
drops all but the first gzip member; here each is a failure by name or read in full. We only ever offer
gzip and deflate.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Literal

import httpx2  # noqa: TID253 - this module is itself loaded by the first fetch only

from core.acquire.fetch_failures import TransientFailure
from core.errors import FetchFailed
from core.labels import FetchState

ACCEPT_ENCODING = "gzip, deflate"
_PIECE = 1 << 16
_MAX_CODINGS = 3


async def read_body(response: httpx2.Response, max_bytes: int, excess: Literal["fail", "cut"] = "fail") -> bytes:
    """The body after content decoding, at most ``max_bytes`` long; ``excess="cut"`` returns a longer one's
    start instead of failing.

    Raises:
        FetchFailed: ``too_large``; ``server_error`` for a body that breaks off or does not decode.
    """
    url = str(response.url)
    declared = response.headers.get("content-length", "")
    if excess == "fail" and declared.isascii() and declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(url, max_bytes)
    decoder = _Decoder(response.headers.get("content-encoding", ""), url)
    received, body = 0, bytearray()
    async for chunk in response.aiter_raw():
        received += len(chunk)
        for piece in decoder.feed(chunk):
            body += piece
            if len(body) > max_bytes:
                break
        if max(received, len(body)) > max_bytes:
            await response.aclose()
            if excess == "cut":
                return bytes(body[:max_bytes])
            raise _too_large(url, max_bytes)
    decoder.finish()
    return bytes(body)


def _too_large(url: str, max_bytes: int) -> FetchFailed:
    return FetchFailed(
        FetchState.TOO_LARGE, f"{url} is larger than {max_bytes:,} bytes (setting fetching.max_bytes); not stored."
    )


class _Decoder:
    """Undoes the content codings of one body in pieces of at most 64 KiB, the last coding first."""

    def __init__(self, header: str, url: str) -> None:
        names = [name.strip().lower() for name in header.split(",")]
        names = [name for name in names if name not in ("", "identity")]
        unknown = [name for name in names if name not in ("gzip", "x-gzip", "deflate")]
        if unknown or len(names) > _MAX_CODINGS:
            raise FetchFailed(
                FetchState.UNSUPPORTED_TYPE, f"{url} is packed as {header!r}, which we did not ask for and cannot read."
            )
        self._stages = [_Inflate(raw_allowed=name == "deflate") for name in reversed(names)]
        self._url = url

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._through(0, data)
        except zlib.error as error:
            raise FetchFailed(
                FetchState.SERVER_ERROR, f"{self._url} does not unpack as its server says it does ({error})."
            ) from error

    def _through(self, stage: int, data: bytes) -> Iterator[bytes]:
        if stage == len(self._stages):
            yield data
            return
        for piece in self._stages[stage].feed(data):
            yield from self._through(stage + 1, piece)

    def finish(self) -> None:
        if any(not stage.complete for stage in self._stages):
            raise TransientFailure(
                FetchState.SERVER_ERROR, f"{self._url} breaks off in the middle of its compressed body."
            )


class _Inflate:
    """gzip (all members) or deflate (RFC 1950, or bare RFC 1951 as some servers send it)."""

    def __init__(self, raw_allowed: bool) -> None:
        self._raw_allowed = raw_allowed
        self._inflater: zlib._Decompress | None = None
        self._started = False

    @property
    def complete(self) -> bool:
        """True when the data ended where the format says it ends (or there was none)."""
        return self._inflater is None or self._inflater.eof

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflater is None or (self._inflater.eof and data[:2] == b"\x1f\x8b"):
                self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 32)
            elif self._inflater.eof:
                return  # padding after the end, which gzip allows
            try:
                piece = self._inflater.decompress(data, _PIECE)
            except zlib.error:
                if not self._raw_allowed or self._started:
                    raise
                self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)
                piece = self._inflater.decompress(data, _PIECE)
            self._started = True
            if piece:
                yield piece
            data = self._inflater.unused_data if self._inflater.eof else self._inflater.unconsumed_tail
            if not data and len(piece) == _PIECE and not self._inflater.eof:
                yield from self._drain()

    def _drain(self) -> Iterator[bytes]:
        """Output that zlib still holds back after all input is taken in."""
        assert self._inflater is not None
        while piece := self._inflater.decompress(b"", _PIECE):
            yield piece
