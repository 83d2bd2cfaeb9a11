"""Hypothesis profiles, and a search for secrets in everything that the tests print.

Profiles: `dev` by default, `ci` for CI, `long` for `make props`, `fuzz` for `make fuzz`, `mutants`
for `make mutants`.

Secrets: keys and passwords of the tests hold the word `CANARY` where nobody may ever see them. What
a test prints or logs, at any level, is captured by pytest; a run in which any of it holds that word
fails, whatever its tests say.
"""

import signal

import pytest
from hypothesis import HealthCheck, settings

CANARY = "CANARY"

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile("ci", max_examples=300, deadline=None, print_blob=True)
settings.register_profile(
    "long",
    max_examples=5_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "fuzz",
    max_examples=50_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "mutants",
    max_examples=50,
    deadline=None,
    database=None,
    derandomize=True,  # a mutant is killed every time or never
    suppress_health_check=list(HealthCheck),  # it is run by a copy of a process that ran the test
)
settings.load_profile("dev")


class Canaries:
    """What the tests of one run printed, searched for secrets."""

    def __init__(self) -> None:
        self.characters = 0
        self.places: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        sections = report.sections if report.when == "teardown" else []  # by then, all of them
        for title, printed in sections:
            self.characters += len(printed)
            if CANARY in printed:
                self.places.append(f"{report.nodeid}: {title}")

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.places:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        found = f"{len(self.places)} secrets in {self.characters} characters printed"
        terminalreporter.write_line(f"canaries: {found}")
        for place in self.places:
            terminalreporter.write_line(f"  {place}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if (
        signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):  # as under nohup; children would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(Canaries(), "canaries")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, or one of them keeps a single process busy at the end."""
    items.sort(key=lambda item: item.get_closest_marker("full") is None)
