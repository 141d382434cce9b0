"""A small OpenID provider on the loopback: it signs whoever it is told to, at once and without asking.

Discovery document, authorization code with PKCE (RFC 7636), token endpoint with an id token signed by RS256, JWKS, end
of session (OpenID Connect Core 1.0, Discovery 1.0, RP-Initiated Logout 1.0). Whatever a client sends is checked.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "workbench", "of the workbench"


class Provider:
    """What it knows. ``account`` holds the claims of whoever signs in next; ``faults`` says what a client did wrong."""

    def __init__(self, url: str) -> None:
        from joserfc.jwk import RSAKey

        self.url = url
        self.account: Mapping[str, str] = {}
        self.faults: list[str] = []
        self.signed_in: list[str] = []
        self.signed_out = 0
        self._key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})
        self._codes: dict[str, dict[str, str]] = {}

    def discovery(self) -> dict[str, object]:
        """``/.well-known/openid-configuration``."""
        return {
            "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token", "jwks_uri": f"{self.url}/jwks",
            "end_session_endpoint": f"{self.url}/logout", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        }  # fmt: skip

    def jwks(self) -> dict[str, object]:
        """The public key."""
        return {"keys": [self._key.as_dict(private=False)]}

    def authorize(self, asked: Mapping[str, str]) -> str:
        """Where the browser goes back to, with a code."""
        if asked.get("client_id") != CLIENT or asked.get("response_type") != "code" or not asked.get("state"):
            self.faults.append(f"authorize: {dict(asked)}")
        if asked.get("code_challenge_method") != "S256" or not asked.get("nonce"):
            self.faults.append("authorize: no PKCE or nonce")
        code = secrets.token_urlsafe(16)
        self._codes[code] = {**asked, **{f"claim {name}": value for name, value in self.account.items()}}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked.get('state', '')})}"

    def token(self, given: Mapping[str, str], authorization: str) -> dict[str, object]:
        """The id token for a code, which works once."""
        from joserfc import jwt

        asked = self._codes.pop(given.get("code", ""), {})
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+')}".encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        posted = (given.get("client_id"), given.get("client_secret")) == (CLIENT, SECRET)
        if authorization not in (f"Basic {basic}", f"Basic {plain}") and not posted:
            self.faults.append("token: the client did not say who it is")
        proof = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(proof).rstrip(b"=").decode() != asked.get("code_challenge"):
            self.faults.append("token: the verifier does not fit")
        if given.get("redirect_uri") != asked.get("redirect_uri"):
            self.faults.append("token: another redirect_uri")
        now = int(time.time())
        claims = {name.removeprefix("claim "): one for name, one in asked.items() if name.startswith("claim ")}
        self.signed_in.append(claims.get("email", ""))
        body = {
            "iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 3600, "nonce": asked.get("nonce", ""), **claims,
        }  # fmt: skip
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, body, self._key)
        return {
            "access_token": secrets.token_urlsafe(16),
            "token_type": "Bearer",
            "expires_in": 3600,
            "id_token": signed,
        }


@contextmanager
def providing() -> Iterator[Provider]:
    """A provider that answers until the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.provider = Provider(f"http://127.0.0.1:{server.server_address[1]}")  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.provider  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the console."""

    @property
    def _provider(self) -> Provider:
        return self.server.provider  # type: ignore[attr-defined, no-any-return]

    def do_GET(self) -> None:
        """Discovery, keys, sign in, sign out."""
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/openid-configuration":
            self._answer(self._provider.discovery())
        elif parts.path == "/jwks":
            self._answer(self._provider.jwks())
        elif parts.path == "/authorize":
            self._leave(self._provider.authorize(asked))
        elif parts.path == "/logout":
            self._provider.signed_out += 1
            self._leave(asked.get("post_logout_redirect_uri", self._provider.url))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """A token."""
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        given = {name: values[0] for name, values in parse_qs(body).items()}
        self._answer(self._provider.token(given, self.headers.get("authorization") or ""))

    def _leave(self, url: str) -> None:
        self.send_response(302)
        self.send_header("location", url)
        self.send_header("content-length", "0")
        self.end_headers()

    def _answer(self, value: Mapping[str, object]) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
