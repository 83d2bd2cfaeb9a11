"""Putting the extension into pi, and taking it away."""

import json
import os
import re
from pathlib import Path

import pytest

from native_web_search.adapters.hosts.pi import protocol
from native_web_search.adapters.hosts.pi.installation import (
    FILE,
    MARK,
    PACKAGE,
    Installation,
    State,
    extension,
)
from native_web_search.domain.exposure import Exposure, tool_spec
from native_web_search.domain.outcome import Failure, Success

SHIPPED = Path(protocol.__file__).with_name("extension.ts").read_text("utf-8")
NEIGHBOUR = 'export default (pi) => pi.registerTool({ name: "web_search" });'


def line(text: str, name: str) -> object:
    """The value of a constant that stands on one line."""
    found = re.search(rf"^const {name} = (.*?);", text, re.MULTILINE)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    return Installation.of({"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}, "/py/bin/python3")


@pytest.mark.rule("pi.1")
def test_the_extension_registers_one_tool_and_nothing_else() -> None:
    """With these keys and no others; no prompt, command, flag, provider or renderer is touched."""
    registered = re.findall(r"pi\.register\w+\([^)]*\)", SHIPPED)
    keys = 'name, label: "Web Search", description, parameters, defaultActive: false, execute'
    assert registered == [f"pi.registerTool({{ {keys} }})"]
    used = set(re.findall(r"\bpi\.(\w+)", SHIPPED))
    assert used == {"on", "registerTool", "getActiveTools", "setActiveTools"}
    assert "systemPrompt" not in SHIPPED


@pytest.mark.rule("pi.1")
def test_the_tool_begins_in_the_form_for_a_query() -> None:
    """The extension's own copy of it is the one that we would send."""
    spec = tool_spec(Exposure.QUERY)
    assert spec is not None
    assert line(SHIPPED, "TOOL") == {
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.schema,
    }


@pytest.mark.rule("pi.30")
def test_the_extension_looks_whenever_something_may_have_changed() -> None:
    """At pi's start and after a jump in its history, the tools were put back by pi."""
    handlers = re.findall(r'pi\.on\("(\w+)", sync\((\w+)\)\)', SHIPPED)
    assert handlers == [
        ("session_start", "true"),
        ("session_tree", "true"),
        ("model_select", "false"),
        ("before_agent_start", "false"),
    ]


@pytest.mark.rule("pi.22")
def test_the_extension_states_the_protocol_that_we_speak() -> None:
    """So that a file of another version is found out."""
    assert line(SHIPPED, "PROTOCOL") == protocol.PROTOCOL


@pytest.mark.rule("pi.23")
@pytest.mark.parametrize("python", ["/py/bin/python3", 'C:\\a "b"\\python.exe', "/ü/\\1"])
def test_the_file_names_the_python_that_has_the_package(python: str) -> None:
    """Whatever its path; modules of the folder that pi works in are kept out."""
    text = extension(python)
    assert text.startswith(MARK)
    assert line(text, "COMMAND") == [python, "-P", "-m", PACKAGE]
    assert text.count("const COMMAND") == 1


@pytest.mark.rule("pi.23")
def test_installing_writes_the_file_and_says_where(here: Installation) -> None:
    """Once more does no harm; after an upgrade it puts the new one in place."""
    assert here.state() is State.ABSENT
    done = here.install()
    assert isinstance(done, Success)
    assert str(here.path) in done.unwrap()
    assert here.path == here.folder / "extensions" / FILE
    assert here.state() is State.CURRENT
    again = here.install()
    assert isinstance(again, Success)
    assert "already" in again.unwrap()
    here.path.write_text(f"{MARK} of an older version")
    assert here.state() is State.OTHER
    assert "anew" in here.install().unwrap()
    assert here.state() is State.CURRENT


@pytest.mark.rule("pi.23")
def test_a_new_agent_folder_is_its_owners_alone(here: Installation) -> None:
    """Pi will keep credentials there."""
    here.install()
    assert here.folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.rule("pi.24")
def test_another_extension_with_the_tool_is_named(here: Installation) -> None:
    """Nothing is written, unless the user knows better."""
    other = here.folder / "extensions" / "other.ts"
    other.parent.mkdir(parents=True)
    other.write_text(NEIGHBOUR)
    refused = here.install()
    assert isinstance(refused, Failure)
    assert str(other) in refused.failure()
    assert here.state() is State.ABSENT
    assert here.others() == (str(other),)
    assert isinstance(here.install(force=True), Success)
    assert here.others() == (str(other),)


@pytest.mark.rule("pi.25")
def test_only_our_file_is_removed(here: Installation) -> None:
    """What lies beside it stays, and so does a file of the same name that is not ours."""
    here.install()
    beside = here.path.with_name("beside.ts")
    beside.write_text("")
    assert isinstance(here.uninstall(), Success)
    assert not here.path.exists()
    assert beside.exists()
    assert isinstance(here.uninstall(), Success)
    for content in (b"export default () => {};", b"\xff\xfe"):
        here.path.write_bytes(content)
        assert here.state() is State.FOREIGN
        assert isinstance(here.uninstall(), Failure)
        assert isinstance(here.install(force=True), Failure)
        assert here.path.read_bytes() == content


@pytest.mark.rule("small_file.4")
def test_a_pipe_in_our_place_is_not_ours(here: Installation) -> None:
    """Nobody waits for it, and it is left alone."""
    here.path.parent.mkdir(parents=True)
    os.mkfifo(here.path)
    assert here.state() is State.FOREIGN


@pytest.mark.rule("pi.27")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("index.ts", ""),
        ("index.js", ""),
        ("package.json", '{"pi": {"extensions": ["./a.ts"]}}'),
    ],
)
def test_a_folder_in_which_pi_would_not_see_it_is_refused(
    name: str, text: str, here: Installation
) -> None:
    """Pi then reads that one file and no other."""
    here.path.parent.mkdir(parents=True)
    (here.path.parent / name).write_text(text)
    refused = here.install()
    assert isinstance(refused, Failure)
    assert name in refused.failure()
