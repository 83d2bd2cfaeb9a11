"""Scripts in files."""

import json
from pathlib import Path

import httpx
import pytest

from native_web_search.adapters.simulator.faults import (
    Cut,
    Delay,
    Fault,
    Hang,
    Heartbeats,
    Replay,
    Reset,
    Stall,
    Status,
    Trickle,
)
from native_web_search.adapters.simulator.scenario import ScenarioError, load_scenario
from native_web_search.adapters.simulator.simulator import Simulator


def _written(folder: Path, scenario: object) -> Path:
    path = folder / "scenario.json"
    path.write_text(json.dumps(scenario), "utf-8")
    return path


@pytest.mark.rule("simulator.11")
class TestLoaded:
    """What a file means."""

    @pytest.mark.parametrize(
        ("written", "fault"),
        [
            ({"status": 500}, Status(500)),
            ({"status": 500, "body": {"error": "é"}}, Status(500, {"error": "é"})),
            (
                {"status": 429, "headers": {"retry-after": "7"}},
                Status(429, None, {"retry-after": "7"}),
            ),
            ({"delay": 1.5}, Delay(1.5)),
            ({"delay": 1}, Delay(1)),
            ({"hang": True}, Hang()),
            ({"stall": True}, Stall()),
            ({"stall": True, "after_bytes": 10}, Stall(10)),
            ({"trickle": True, "bytes_per_piece": 3, "interval": 0.1}, Trickle(3, 0.1)),
            ({"cut": 100}, Cut(100)),
            ({"cut": 100, "orderly": True}, Cut(100, orderly=True)),
            ({"reset": True}, Reset()),
            ({"heartbeats": True}, Heartbeats()),
            ({"interval": 0.5, "count": 3, "heartbeats": True}, Heartbeats(0.5, 3)),
        ],
    )
    def test_every_fault_can_be_written(
        self, tmp_path: Path, written: object, fault: Fault
    ) -> None:
        """One member names the fault, the others are its fields, in any order."""
        assert load_scenario(_written(tmp_path, {"xai": [written]})) == {"xai": (fault,)}

    def test_a_recording_is_read_from_beside_the_scenario(self, tmp_path: Path) -> None:
        """The file's bytes are taken as they are."""
        (tmp_path / "failed.sse").write_bytes(b"data: \xff\r\n\r\n")
        plain, told = {"replay": "failed.sse"}, {"content_type": "application/json", "status": 503}
        path = _written(tmp_path, {"openai": [plain, {**plain, **told}]})
        assert load_scenario(path)["openai"] == (
            Replay(b"data: \xff\r\n\r\n"),
            Replay(b"data: \xff\r\n\r\n", "application/json", 503),
        )

    def test_order_is_kept_for_each_provider(self, tmp_path: Path) -> None:
        """Providers have scripts of their own, which may be empty."""
        scenario = {"openai": [{"hang": True}, {"reset": True}], "xai": []}
        loaded = load_scenario(_written(tmp_path, scenario))
        assert loaded == {"openai": (Hang(), Reset()), "xai": ()}

    async def test_the_simulator_takes_it(self, tmp_path: Path, client: httpx.AsyncClient) -> None:
        """What was loaded is a script."""
        path = _written(tmp_path, {"deepseek": [{"status": 503, "body": "later"}]})
        async with Simulator(faults=load_scenario(path)) as simulator:
            response = await client.post(f"{simulator.base_url('deepseek')}/v1/tools/search")
        assert (response.status_code, response.text) == (503, "later")


@pytest.mark.rule("simulator.11")
class TestRefused:
    """What a file must not say."""

    @pytest.mark.parametrize(
        ("scenario", "said"),
        [
            ([], "not a JSON object"),
            ({"deepsek": []}, "there is no provider 'deepsek'"),
            ({"xai": {"hang": True}}, "xai is not a list"),
            ({"xai": [{}]}, "xai[0] names no fault"),
            ({"xai": [{"hang": True}, {"explode": True}]}, "xai[1] names no fault"),
            ({"xai": [{"hang": False}]}, "xai[0] has an unusable hang"),
            ({"xai": ["hang"]}, "xai[0] names no fault"),
            ({"xai": [{"delay": "long"}]}, "xai[0] has an unusable delay"),
            ({"xai": [{"delay": -1}]}, "xai[0]: 'seconds' must be >= 0"),
            ({"xai": [{"trickle": True, "bytes_per_piece": 0}]}, "xai[0]: 'bytes_per_piece' must"),
            ({"xai": [{"delay": True}]}, "xai[0] has an unusable delay"),
            ({"xai": [{"cut": 1.5}]}, "xai[0] has an unusable cut"),
            ({"xai": [{"status": 500, "headers": []}]}, "xai[0] has an unusable headers"),
            ({"xai": [{"replay": 5}]}, "xai[0] has an unusable replay"),
            ({"xai": [{"cut": 5, "orderly": 1}]}, "xai[0] has an unusable orderly"),
            ({"xai": [{"hang": True, "seconds": 1}]}, "xai[0]: "),
            ({"xai": [{"delay": 1, "nonsense": 1}]}, "xai[0]: "),
            ({"xai": [{"hang": True, "reset": True}]}, "xai[0]: "),
        ],
    )
    def test_the_message_says_where_and_why(
        self, tmp_path: Path, scenario: object, said: str
    ) -> None:
        """A mistake is found when the file is read, with the place of the entry."""
        with pytest.raises(ScenarioError) as raised:
            load_scenario(_written(tmp_path, scenario))
        assert said in str(raised.value)

    def test_what_is_no_json_is_named(self, tmp_path: Path) -> None:
        """A file that cannot be parsed is called by its name."""
        path = tmp_path / "broken.json"
        path.write_bytes(b"{")
        with pytest.raises(ScenarioError, match=r"broken\.json is not JSON"):
            load_scenario(path)

    def test_a_missing_file_is_an_os_error(self, tmp_path: Path) -> None:
        """Neither a missing scenario nor a missing recording is passed over."""
        with pytest.raises(FileNotFoundError):
            load_scenario(tmp_path / "scenario.json")
        with pytest.raises(FileNotFoundError):
            load_scenario(_written(tmp_path, {"xai": [{"replay": "gone.sse"}]}))

    @pytest.mark.rule("small_file.4")
    def test_what_is_no_file_is_not_read(self, tmp_path: Path) -> None:
        """A device without an end, as the scenario or as a recording, is an error at once."""
        with pytest.raises(OSError, match="/dev/zero: it is no regular file"):
            load_scenario(Path("/dev/zero"))
        with pytest.raises(OSError, match="/dev/zero: it is no regular file"):
            load_scenario(_written(tmp_path, {"xai": [{"replay": "/dev/zero"}]}))

    def test_what_is_nested_too_deep_is_no_json(self, tmp_path: Path) -> None:
        """However the parser fails, it is the file's mistake."""
        path = tmp_path / "deep.json"
        path.write_text("[" * 200_000)
        with pytest.raises(ScenarioError, match=r"deep\.json is not JSON"):
            load_scenario(path)
