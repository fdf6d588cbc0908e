"""Web Push: encrypts a message for one browser (RFC 8291), and says who sends it (RFC 8292).

The primitives are those of the library cryptography; here is only how the standards join them.
"""

from __future__ import annotations

import base64
import os
import struct
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_SIZE = 4096
TOKEN_S = 12 * 3600
"""How long a token of ours is valid; a day is the most that is allowed."""
KEY_LENGTH, AUTH_LENGTH = 65, 16

Key = ec.EllipticCurvePrivateKey


def make_key() -> bytes:
    """A new private key."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return number.to_bytes(32, "big")


def read_key(body: bytes) -> Key:
    """A private key from its bytes."""
    return ec.derive_private_key(int.from_bytes(body, "big"), ec.SECP256R1())


def public_bytes(key: Key) -> bytes:
    """The public key as a point, as browsers take it."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def b64(data: bytes) -> str:
    """Base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """The reverse; raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def check_keys(p256dh: bytes, auth: bytes) -> None:
    """Raise ValueError unless these can be the keys of a browser."""
    if len(p256dh) != KEY_LENGTH or len(auth) != AUTH_LENGTH:
        raise ValueError("the keys have the wrong length")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)


def encrypt(
    text: bytes, p256dh: bytes, auth: bytes, *, key: Key | None = None, salt: bytes | None = None
) -> bytes:
    """A message that only the browser with these keys can read; ``key`` and ``salt`` for tests."""
    key, salt = key or ec.generate_private_key(ec.SECP256R1()), salt or os.urandom(16)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)
    ours = public_bytes(key)
    shared = key.exchange(ec.ECDH(), theirs)
    secret = _derive(shared, auth, b"WebPush: info\0" + p256dh + ours, 32)
    content_key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!IB", RECORD_SIZE, len(ours)) + ours
    assert len(text) + 1 + 16 <= RECORD_SIZE, "a message fits into one record"
    return header + AESGCM(content_key).encrypt(nonce, text + b"\x02", None)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def authorization(key: Key, endpoint: str, now_s: int, contact: str) -> str:
    """The header by which a push service knows who sends (VAPID)."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": now_s + TOKEN_S,
        "sub": contact,
    }
    words = [b64(msgspec.json.encode(each)) for each in ({"typ": "JWT", "alg": "ES256"}, claims)]
    signed = ".".join(words).encode()
    one, two = decode_dss_signature(key.sign(signed, ec.ECDSA(SHA256())))
    signature = one.to_bytes(32, "big") + two.to_bytes(32, "big")
    return f"vapid t={signed.decode()}.{b64(signature)}, k={b64(public_bytes(key))}"
