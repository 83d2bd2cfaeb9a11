"""The tool for callers that cannot await."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock,
    MemoryPreferences,
    NeverAnswers,
    ScriptedFetcher,
    ScriptedSearcher,
)
from native_web_search.application.blocking import BlockingWebSearch
from native_web_search.application.health import ProcessHealth
from native_web_search.application.web_search import WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.domain.family import Candidate, Operation
from native_web_search.ports.observer import Observer
from native_web_search.ports.registry import Credential

DEEPSEEK = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")


def tool() -> WebSearch:
    clock = ManualClock()
    return WebSearch(
        registry=StaticRegistry((DEEPSEEK,), {"deepseek": Credential("test", "k")}),
        searcher=ScriptedSearcher(),
        fetcher=ScriptedFetcher(),
        preferences=MemoryPreferences(),
        health=ProcessHealth(clock),
        clock=clock,
    )


@pytest.mark.rule("blocking.1")
def test_a_synchronous_caller_gets_the_same_result() -> None:
    """Calls and specs come back without an event loop in sight."""
    with BlockingWebSearch(tool()) as web:
        assert not web.call({"query": "q"}).is_error
        spec = web.tool_spec()
        assert spec is not None


@pytest.mark.rule("blocking.2")
async def test_it_works_inside_a_running_loop() -> None:
    """A notebook's running loop does not matter."""
    assert asyncio.get_running_loop().is_running()
    with BlockingWebSearch(tool()) as web:
        assert not web.call({"query": "q"}).is_error


@pytest.mark.rule("blocking.3")
def test_threads_may_share_it() -> None:
    """Ten threads call at once and each gets its answer."""
    with BlockingWebSearch(tool()) as web, ThreadPoolExecutor(10) as pool:
        results = list(pool.map(lambda n: web.call({"query": str(n)}), range(10)))
    assert [result.document["query"] for result in results if result.document] == [
        str(n) for n in range(10)
    ]


@pytest.mark.rule("blocking.4")
def test_closing_ends_the_thread_and_further_calls_say_so() -> None:
    """Closing twice is harmless; calling afterwards is a clear error."""
    before = threading.active_count()
    web = BlockingWebSearch(tool())
    web.close()
    web.close()
    assert threading.active_count() == before
    with pytest.raises(RuntimeError, match="closed"):
        web.call({"query": "q"})


@pytest.mark.rule("blocking.5")
def test_closing_frees_whoever_waits() -> None:
    """A call in another thread is cancelled, however often and from wherever it is closed."""
    hanging = tool()
    hanging.searcher = NeverAnswers()
    web = BlockingWebSearch(hanging)
    with ThreadPoolExecutor(5) as pool:
        calls = [pool.submit(web.call, {"query": "q"}) for _ in range(2)]
        while hanging.searcher.asked < 2:
            time.sleep(0.01)
        closings = [pool.submit(web.close) for _ in range(3)]
        for closing in closings:
            closing.result(timeout=5)
        for call in calls:
            with pytest.raises(CancelledError):
                call.result(timeout=5)


FORKS = """
import os, signal, sys
from native_web_search.adapters.registries.static import StaticRegistry
from native_web_search.adapters.testing.memory import (
    ManualClock, MemoryPreferences, ScriptedFetcher, ScriptedSearcher
)
from native_web_search.application import BlockingWebSearch, ProcessHealth, WebSearch
from native_web_search.domain.chat_model import ChatModel
from native_web_search.ports.registry import Credential

model = ChatModel("deepseek", "deepseek-flash", "openai-completions", "https://d.example")
clock = ManualClock()
web = BlockingWebSearch(WebSearch(
    registry=StaticRegistry((model,), {"deepseek": Credential("test", "k")}),
    searcher=ScriptedSearcher(), fetcher=ScriptedFetcher(), preferences=MemoryPreferences(),
    health=ProcessHealth(clock), clock=clock,
))

def ask():
    assert not web.call({"query": "q"}).is_error
    assert web.tool_spec() is not None

def in_child(*works):
    child = os.fork()
    if not child:
        signal.alarm(20)  # a child that hangs dies of it
        for work in works:
            work()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

in_child(ask, web.close)  # before the parent has called at all
ask()
in_child(ask)
in_child(web.close)
in_child(ask, lambda: in_child(ask, web.close), web.close)
ask()
web.close()
print("parent and children answered")
"""


@pytest.mark.rule("blocking.6")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_process_has_a_loop_of_its_own() -> None:
    """Child, grandchild and parent call and close, each without the others."""
    done = subprocess.run(
        [sys.executable, "-c", FORKS], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "parent and children answered\n"


@pytest.mark.rule("blocking.7")
def test_a_call_from_inside_a_call_is_refused_at_once() -> None:
    """A hook that waits for the thread it runs on would wait for ever."""
    refusals: list[str] = []

    class AsksAgain(Observer):
        def answered(self, operation: Operation, candidate: Candidate, milliseconds: int) -> None:
            for again in (lambda: web.call({"query": "q"}), web.tool_spec, web.close):
                with pytest.raises(RuntimeError) as refusal:
                    again()
                refusals.append(str(refusal.value))

    asked = tool()
    asked.observer = AsksAgain()
    with BlockingWebSearch(asked) as web:
        assert not web.call({"query": "q"}).is_error
        assert not web.call({"query": "q"}).is_error
    assert refusals == ["this BlockingWebSearch was called from inside one of its own calls"] * 6
