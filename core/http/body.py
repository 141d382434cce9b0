"""The body of a request: read under limits of size and time, as JSON of one model."""

import asyncio
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from core.errors import RequestRefused
from core.http.slots import Place

M = TypeVar("M", bound=BaseModel)
_MOST_FAULTS = 20
_DRAIN_S = 2.0


async def read_body(request: Request, place: Place, *, largest: int, within_s: float) -> bytes:
    """The bytes of the request.

    Raises:
        RequestRefused: of another type than JSON, compressed, too large, or not there in time.
        ServiceBusy: there is no memory for it now.
        starlette.requests.ClientDisconnect: the client has gone.
    """
    _check_headers(request, largest)
    body = bytearray()
    try:
        async with asyncio.timeout(within_s):
            async for chunk in request.stream():
                if len(body) + len(chunk) > largest:
                    raise _too_large(largest)
                place.take(len(chunk))
                body += chunk
    except TimeoutError as error:
        raise RequestRefused(
            408, f"The request was not complete within {within_s:.0f} seconds. Send it faster or in smaller parts."
        ) from error
    return bytes(body)


async def drain(request: Request) -> None:
    """Read on for a moment without keeping anything. A client that still sends would not see the answer otherwise."""
    try:
        async with asyncio.timeout(_DRAIN_S):
            async for _ in request.stream():
                pass
    except Exception:  # noqa: S110 - the answer is decided; how the rest of the request fails changes nothing
        pass


def _check_headers(request: Request, largest: int) -> None:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestRefused(415, f"The body is {kind[:80]!r}, not JSON. Send `Content-Type: application/json`.")
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise RequestRefused(415, f"The body is compressed ({coding[:80]!r}). Send it as it is.")
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and (len(announced) > 18 or int(announced) > largest):
        raise _too_large(largest)


def _too_large(largest: int) -> RequestRefused:
    return RequestRefused(413, f"The body is over {largest:,} bytes, the most that is taken here. Send less at once.")


def parse(model: type[M], body: bytes) -> M:
    """The body as a model, types as they are in JSON (RequestRefused: 400 no JSON, 422 other fields or values)."""
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        raise _refused(error, "body") from error


def parse_parameters(model: type[M], pairs: list[tuple[str, str]]) -> M:
    """The parts of the address as a model (RequestRefused)."""
    values: Mapping[str, str] = dict(pairs)
    if len(values) < len(pairs):
        raise RequestRefused(422, "A parameter stands twice in the address. Give each once.")
    try:
        return model.model_validate_strings(values, strict=False)
    except ValidationError as error:
        raise _refused(error, "address") from error


def _refused(error: ValidationError, what: str) -> RequestRefused:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    if details[0]["type"] == "json_invalid":
        return RequestRefused(400, f"The body is no valid JSON: {details[0]['msg'].partition(': ')[2]}.")
    faults = tuple((".".join(map(_shown, detail["loc"])), detail["msg"]) for detail in details[:_MOST_FAULTS])
    listed = "; ".join(f"{place or what}: {message}" for place, message in faults[:3])
    return RequestRefused(422, f"The {what} does not fit: {listed}. `GET /openapi.json` says what does.", faults)


def _shown(part: str | int) -> str:
    # Unknown field names are the client's own text, of any length and with any character.
    return str(part)[:80].encode("utf-8", "replace").decode("utf-8")
