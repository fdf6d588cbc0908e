"""An authenticator for tests: makes passkeys and signs with them, as a browser does (WebAuthn)."""

from __future__ import annotations

import hashlib
import json
import secrets
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from watermeet.server.people.passkeys import decode_id, encode_id

PRESENT, VERIFIED, ATTESTED = 1, 4, 64


class Authenticator:
    """One passkey for one site."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.rp = origin.rpartition("/")[2].partition(":")[0]
        self.id, self.key = secrets.token_bytes(16), ec.generate_private_key(ec.SECP256R1())
        self.count, self.user, self.flags = 0, "", PRESENT | VERIFIED

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """A new passkey."""
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        key = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(key)
        data = self._data(self.flags | ATTESTED) + attested
        statement = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._credential(
            {
                "clientDataJSON": encode_id(self._client("webauthn.create", options)),
                "attestationObject": encode_id(cbor2.dumps(statement)),
            }
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What signs in."""
        self.count += 1
        client, data = self._client("webauthn.get", options), self._data(self.flags)
        signed = data + hashlib.sha256(client).digest()
        return self._credential(
            {
                "clientDataJSON": encode_id(client),
                "authenticatorData": encode_id(data),
                "signature": encode_id(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
                "userHandle": self.user,
            }
        )

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        challenge = encode_id(decode_id(options["challenge"]))
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int) -> bytes:
        return hashlib.sha256(self.rp.encode()).digest() + struct.pack(">BI", flags, self.count)

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        id_ = encode_id(self.id)
        return {"id": id_, "rawId": id_, "type": "public-key", "response": response}
