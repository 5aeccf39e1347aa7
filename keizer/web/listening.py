"""Where a program listens: which addresses of this machine, and how others come there."""

import socket
from contextlib import closing, suppress
from ipaddress import ip_address

from keizer.errors import KeizerError

ALONE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104  # asked for
"""This machine alone; and all addresses that it has."""
_WAITING = 400
"""Connections that the system keeps until they are taken."""
_PROBES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of nobody."""


def own_address(typed: str) -> str:
    """Return an IPv4 or IPv6 address of this machine, as it is written.

    Raises KeizerError for what is not an address, and where nothing can listen.
    """
    try:
        address = ip_address(typed.strip())
    except ValueError:
        raise KeizerError(
            "“{typed}” is not an address: say one such as 192.168.1.7.", typed=typed
        ) from None
    try:
        with listen(str(address), 0) as probe:
            # Linux listens at a broadcast, where nobody can come.
            if not address.is_unspecified:
                socket.create_connection(probe.getsockname()[:2], timeout=1).close()
    except (KeizerError, OSError):
        raise KeizerError(
            "keizer cannot listen at {address}: in its network this machine is {here}.",
            address=str(address),
            here=_as_others_see(socket.AF_INET),
        ) from None
    return str(address)


def url(address: str, port: int) -> str:
    """Return where a browser finds what listens there; of all addresses, one that others see."""
    family = _family(address)
    if ip_address(address).is_unspecified:
        address = _as_others_see(family)
    host = f"[{address}]" if family == socket.AF_INET6 else address
    return f"http://{host}:{port}/"


def listen(address: str, *ports: int) -> socket.socket:
    """Return a socket at the first of these ports that is free; KeizerError where none is."""
    for port in ports:
        try:
            found = socket.create_server(
                (address, port), family=_family(address), backlog=_WAITING
            )
        except OSError as error:
            wrong = error
            continue
        found.settimeout(0)
        return found
    why = (wrong.strerror or str(wrong)).partition(" (")[0]
    raise KeizerError(
        "port {port} cannot be used: {why}.", port=ports[0], why=why
    ) from wrong


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET  # noqa: PLR2004


def _as_others_see(family: socket.AddressFamily) -> str:
    """The address of this machine in its network."""
    with suppress(OSError), closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
        probe.connect((_PROBES[family], 9))  # nothing is sent
        return str(probe.getsockname()[0])
    return "::1" if family == socket.AF_INET6 else ALONE
