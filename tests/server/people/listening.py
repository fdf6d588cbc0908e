"""A web server in the test that remembers what it is sent, and a browser that can read it."""

from __future__ import annotations

import asyncio
import json
import os
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from watermeet.server.people import webpush
from watermeet.server.people.webpush import b64, unb64


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Listener:
    """What has arrived, and with which statuses to respond: the last one from then on."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    statuses: list[int] = field(default_factory=lambda: [201])

    async def received(self, count: int) -> list[Request]:
        """All requests, once there are this many."""
        async with asyncio.timeout(20):
            while len(self.requests) < count:
                await asyncio.sleep(0.01)
        return self.requests

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        pairs = (line.split(": ", 1) for line in head[1:] if line)
        headers = {name.lower(): value for name, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append(Request(head[0].split()[1], headers, body))
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        writer.write(f"HTTP/1.1 {status} x\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    """A server on a free port."""
    found = Listener()
    server = await asyncio.start_server(found._serve, "127.0.0.1", 0)
    found.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield found


class Browser:
    """A browser that has subscribed to a push service."""

    def __init__(self, service: str, path: str = "/push/1") -> None:
        self.key, self.auth = webpush.read_key(webpush.make_key()), os.urandom(16)
        self.endpoint = service + path

    def subscription(self, *kinds: str, language: str = "en") -> dict[str, Any]:
        p256dh = b64(webpush.public_bytes(self.key))
        keys = {"endpoint": self.endpoint, "p256dh": p256dh, "auth": b64(self.auth)}
        return {**keys, "kinds": kinds, "language": language}

    def read(self, request: Request) -> dict[str, Any]:
        """Decrypt a message as RFC 8291 and RFC 8188 say, and check who has sent it."""
        body = request.body
        salt, (size, length) = body[:16], struct.unpack("!IB", body[16:21])
        theirs, text = body[21 : 21 + length], body[21 + length :]
        assert size == 4096
        assert request.headers["content-encoding"] == "aes128gcm"
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        info = b"WebPush: info\0" + webpush.public_bytes(self.key) + theirs
        shared = HKDF(SHA256(), 32, self.auth, info).derive(self.key.exchange(ec.ECDH(), point))
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
        padded = AESGCM(key).decrypt(nonce, text, None)
        assert padded.endswith(b"\x02")
        found: dict[str, Any] = json.loads(padded[:-1])
        return found

    def check_sender(self, request: Request, public_key: str) -> dict[str, Any]:
        """Verify VAPID's token, and return what it claims."""
        words = request.headers["authorization"].removeprefix("vapid ").split(", ")
        token, key = (word.split("=", 1)[1] for word in words)
        assert key == public_key
        signed, _, signature = token.rpartition(".")
        raw = unb64(signature)
        numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key))
        sender.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
        head, claims = (json.loads(unb64(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        assert isinstance(claims, dict)
        return claims
