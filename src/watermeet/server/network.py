"""At which addresses other devices reach this machine."""

from __future__ import annotations

import ipaddress
import socket

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
"""What a server listens on that can be reached through every network of its machine."""
_OUTSIDE = ("192.0.2.1", 9)
"""An address that belongs to nobody. Nothing is sent to it: the system only picks a way there."""


def is_loopback(host: str) -> bool:
    """Whether a host is the machine itself.

    >>> is_loopback("localhost"), is_loopback("[::1]"), is_loopback("192.168.0.7")
    (True, True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def network_hosts(host: str) -> list[str]:
    """The hosts by which others reach a server that listens on ``host``, the likeliest first.

    >>> network_hosts("127.0.0.1"), network_hosts("192.168.0.7")
    ([], ['192.168.0.7'])
    """
    if host not in EVERYWHERE:
        return [] if is_loopback(host) else [host]
    found = [*_on_the_way_out(), *_by_name()]
    usable = [each for each in found if not _is_private_to_the_machine(each)]
    return list(dict.fromkeys(usable))


def _on_the_way_out() -> list[str]:
    """The address from which this machine would send to the outside."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:  # There is no network.
            return []
        return [probe.getsockname()[0]]


def _by_name() -> list[str]:
    """The addresses that the machine's own name stands for."""
    try:
        return socket.gethostbyname_ex(socket.gethostname())[2]
    except OSError:
        return []


def _is_private_to_the_machine(address: str) -> bool:
    found = ipaddress.ip_address(address)
    return found.is_loopback or found.is_link_local or found.is_unspecified


def url(host: str, port: int) -> str:
    """The URL of a server's page.

    >>> url("192.168.0.7", 8765), url("fd00::7", 80)
    ('http://192.168.0.7:8765/', 'http://[fd00::7]/')
    """
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"
