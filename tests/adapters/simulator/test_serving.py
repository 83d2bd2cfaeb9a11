"""The simulator as a process of its own."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import httpx
import pytest

from native_web_search.adapters.simulator.__main__ import main
from native_web_search.adapters.simulator.catalogue import PROVIDERS
from native_web_search.adapters.simulator.faults import Status
from native_web_search.adapters.simulator.serving import announcement, serve
from native_web_search.adapters.simulator.simulator import Simulator

MODULE = ("-m", "native_web_search.adapters.simulator")
PIPE = asyncio.subprocess.PIPE


@pytest.mark.rule("simulator.12")
async def test_the_announcement_names_every_address_and_key() -> None:
    """A line for each provider, with all that a client has to be told."""
    async with Simulator() as simulator:
        _, *lines = announcement(simulator).split("\n")
        assert len(lines) == len(PROVIDERS)
        for provider, line in zip(PROVIDERS, lines, strict=True):
            assert line.startswith(f"{provider} ")
            assert simulator.base_url(provider) in line
            assert (simulator.credential(provider).key or "?") in line


@pytest.mark.rule("simulator.12")
async def test_serving_lasts_until_it_is_cancelled(client: httpx.AsyncClient) -> None:
    """It announces itself when it listens, has its faults, and is gone afterwards."""
    listening: asyncio.Future[Simulator] = asyncio.get_running_loop().create_future()
    faults = {"deepseek": [Status(503)]}
    serving = asyncio.create_task(serve(0, faults, announcing=listening.set_result))
    simulator = await listening
    url = f"{simulator.base_url('deepseek')}/v1/tools/search"
    assert (await client.post(url)).status_code == 503
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    with pytest.raises(httpx.ConnectError):
        await client.post(url)


@pytest.mark.rule("simulator.12")
async def test_the_module_runs(tmp_path: Path, client: httpx.AsyncClient) -> None:
    """`python -m` takes a port and a scenario, prints where it is, and stops when interrupted."""
    scenario = tmp_path / "scenario.json"
    scenario.write_text(json.dumps({"xai": [{"status": 418, "body": "teapot"}]}), "utf-8")
    process = await asyncio.create_subprocess_exec(
        sys.executable, *MODULE, "0", str(scenario), stdout=PIPE, stderr=PIPE
    )
    assert process.stdout is not None
    lines = [(await process.stdout.readline()).decode().split() for _ in range(12)]
    urls = {line[0]: line[1] for line in lines[1:]}
    response = await client.post(f"{urls['xai']}/responses")
    assert (response.status_code, response.text) == (418, "teapot")
    process.send_signal(signal.SIGINT)
    async with asyncio.timeout(20):
        _, said = await process.communicate()
    assert (process.returncode, said) == (0, b"")


@pytest.mark.rule("simulator.12")
@pytest.mark.parametrize(
    "arguments", [["port"], ["1", "2", "3"], ["-1"], ["٣"], ["0", "gone.json"], ["65536"]]
)
def test_wrong_arguments_end_it_with_a_word(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a traceback nor silence, and nothing on the standard output."""
    assert main(arguments) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said.count("\n") == 1


@pytest.mark.rule("simulator.12")
async def test_a_port_that_is_taken_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Two simulators cannot have the same port."""
    async with Simulator() as simulator:
        port = simulator.url.rpartition(":")[2]
        assert await asyncio.to_thread(main, [port]) == 2
    assert port in capsys.readouterr().err
