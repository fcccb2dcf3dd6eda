"""Counts of what the random families have compared, printed where the tests end."""

from collections import Counter

import pytest

COUNTED = "counted"


@pytest.fixture
def counted(record_property):
    """A counter of what a test has looked at, such as `counted["events"] += len(run.events)`."""
    counts = Counter()
    yield counts
    record_property(COUNTED, dict(counts))


def pytest_terminal_summary(terminalreporter):
    """Add up the counters of all tests of a file, those of other processes included."""
    files = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, counts in getattr(report, "user_properties", ()):
                if name == COUNTED and report.when == "teardown":
                    file = report.nodeid.partition("::")[0]
                    files.setdefault(file, Counter()).update(counts)
    for file, counts in sorted(files.items()):
        terminalreporter.write_line(f"{file}: " + ", ".join(f"{n:,} {what}" for what, n in counts.items()))
