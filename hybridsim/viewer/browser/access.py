"""Access to the page in a browser: a random token in its address, and checks of each request and each connection."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names by which a browser addresses its own machine."""
TOKEN_BYTES = 24
"""Random bytes of a token."""
REFUSAL_TEXT = "403: this page can be opened only at the address that hybridsim has printed.\n"


class PageAccess:
    """The rules by which requests for a page are answered or refused.

    The page and its websocket lie in a folder whose name is a random token. Other web sites, and other
    users of the machine, do not know the token. A request is also refused if it comes from a page of another web site
    (header `Origin`), or if it was sent to another machine's name (header `Host`): a web site whose name resolves to
    this machine could otherwise pass for the page itself.

    Parameters
    ----------
    address : str
        Address at which the browser reaches the server, without the token; {port} stands for the port. If it has no
        host name ("/proxy/{port}/"), a proxy hands on the requests, and its name is not checked.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        host = urlsplit(address.replace("{port}", "0")).hostname
        self._host_names = None if host is None else LOOPBACK_NAMES | {host}

    def address(self, port: int) -> str:
        """Return the address of the page, with the token."""
        return f"{self._address.format(port=port).rstrip('/')}/{self._token}/"

    def serves(self, path: str, name: str = "") -> bool:
        """Return whether a path is that of this file in the folder of the token."""
        return path == f"/{self._token}/{name}"

    def permits(self, path: str, headers: Any) -> bool:
        """Return whether a request has the token, and comes from this page if it comes from a page.

        Parameters
        ----------
        path : str
            Path of the request, which begins with a slash.
        headers : mapping of str to str
            Headers of the request. One that opens a websocket must have an `Origin`, as those of browsers do.

        Returns
        -------
        bool
            Whether it may be answered.
        """
        folder = path.split("/")[1] if "/" in path else ""
        if not secrets.compare_digest(folder.encode(errors="replace"), self._token.encode()):
            return False
        host = headers.get("Host", "").lower()
        if self._host_names is not None and _host_name(f"//{host}") not in self._host_names:
            return False
        origin = headers.get("Origin")
        if origin is None:
            return "Upgrade" not in headers
        return bool(host) and origin.lower() in (f"http://{host}", f"https://{host}")


def _host_name(address: str) -> str | None:
    """Return the host name in an address, without the port; None if there is none."""
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
