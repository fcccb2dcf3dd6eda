"""What a folder of results is to hold: the interface of `store` to sweeps and to optimisations."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.sweeps.event_table import EventLayout
from hybridsim.sweeps.plan import Block, Rows
from hybridsim.sweeps.results import Failures


class Layout(Protocol):
    """What a folder of results is to hold: the blocks and columns of a table, and what it depends on.

    Attributes
    ----------
    what : str
        What messages call it: "sweep".
    plan : Rows
        The rows, in blocks.
    schema : pyarrow.Schema
        The columns; the first one has the number of the row.
    events : EventLayout or None
        The columns of a second table, of events, if there is one.
    """

    @property
    def what(self) -> str: ...
    @property
    def plan(self) -> Rows: ...
    @property
    def schema(self) -> pa.Schema: ...
    @property
    def events(self) -> EventLayout | None: ...

    def owns(self, name: str) -> bool:
        """Return whether a file with this name belongs to the results, though it is no part."""
        ...

    def rows(self, block: Block) -> pa.Array:
        """Return the numbers of a block's rows."""
        ...

    def statuses(self, table: pa.Table) -> Counter[str]:
        """Return the number of rows with each status."""
        ...

    def failures(self) -> Failures:
        """Return a counter of the rows that fail."""
        ...

    def config_files(self, folder: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the config in a folder with this name as plain data, and numbers in files of their own."""
        ...

    def description(self) -> dict[str, Any]:
        """Return what the results depend on, as plain data."""
        ...

    def provenance(self) -> dict[str, Any]:
        """Return everything else on which they depend: versions, sources, the machine."""
        ...
