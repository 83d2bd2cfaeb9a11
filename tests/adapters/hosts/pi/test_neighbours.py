"""Finding other extensions of pi that bring the tool."""

import json
import os
from pathlib import Path

import pytest

from native_web_search.adapters.hosts.pi.neighbours import neighbours

TOOL = "export default (pi) => pi.registerTool({ name: 'web_search' });"
OURS = "extensions/native-web-search.ts"


def found(folder: Path, files: dict[str, str], settings: object = None) -> list[str]:
    """What is found, by paths relative to the agent folder."""
    agent = folder / "agent"
    for name, text in files.items():
        path = agent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if settings is not None:
        (agent / "settings.json").write_text(json.dumps(settings))
    environ = {"HOME": str(folder)}
    others = neighbours(agent, agent / OURS, environ)
    return [str(Path(other).relative_to(agent)) for other in others]


@pytest.mark.rule("pi.26")
@pytest.mark.parametrize(
    ("place", "files"),
    [
        ("extensions/a.ts", {"extensions/a.ts": TOOL}),
        ("extensions/a.js", {"extensions/a.js": TOOL}),
        ("extensions/b", {"extensions/b/index.ts": TOOL}),
        (
            "extensions/c",
            {
                "extensions/c/package.json": '{"pi": {"extensions": ["src/x.ts"]}}',
                "extensions/c/src/x.ts": "pi.registerTool(tool)",
                "extensions/c/src/tool.ts": 'export const NAME = "web_search";',
            },
        ),
    ],
)
def test_the_extensions_folder_is_looked_through(
    place: str, files: dict[str, str], tmp_path: Path
) -> None:
    """Files, and folders whatever they are made of."""
    assert found(tmp_path, files) == [place]


@pytest.mark.rule("pi.26")
@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"extensions": ["mine/a.ts"]}, "mine/a.ts"),
        ({"extensions": ["+mine/a.ts"]}, "mine/a.ts"),
        ({"extensions": ["mine"]}, "mine"),
        ({"extensions": ["~/agent/mine/a.ts"]}, "mine/a.ts"),
        ({"packages": ["./mine"]}, "mine"),
        ({"packages": [{"source": "mine", "extensions": ["a.ts"]}]}, "mine"),
        ({"packages": ["npm:pi-web-search@1.0.0"]}, "npm/node_modules/pi-web-search"),
        ({"packages": ["npm:@a/b"]}, "npm/node_modules/@a/b"),
        ({"packages": ["git:github.com/a/b@v1"]}, "git/github.com/a/b"),
        ({"packages": ["https://github.com/a/b.git"]}, "git/github.com/a/b"),
        ({"packages": ["git:git@github.com:a/b"]}, "git/github.com/a/b"),
        ({"packages": ["ssh://git@github.com:22/a/b@v1"]}, "git/github.com/a/b"),
        ({"extensions": ["-mine/a.ts", "!mine/a.ts", "builtin:mcp"]}, None),
        ({"packages": [{"source": "mine", "extensions": []}]}, None),
        ({"packages": 7, "extensions": [None]}, None),
        ([], None),
    ],
)
def test_what_the_settings_name_is_looked_through(
    settings: object, place: str | None, tmp_path: Path
) -> None:
    """Paths, and packages where pi puts them; what is switched off is not."""
    files = {
        f"{folder}/a.ts": TOOL
        for folder in (
            "mine",
            "npm/node_modules/pi-web-search",
            "npm/node_modules/@a/b",
            "git/github.com/a/b",
        )
    }
    assert found(tmp_path, files, settings) == ([] if place is None else [place])


@pytest.mark.rule("pi.26")
@pytest.mark.parametrize(
    "files",
    [
        {},
        {OURS: TOOL},
        {"extensions/a.ts": "pi.registerTool({ name: 'web_searcher' })"},
        {"extensions/a.ts": "pi.setActiveTools(['web_search'])"},
        {"extensions/a.md": TOOL},
        {"extensions/.a.ts": TOOL},
        {"extensions/a/index.ts": "", "extensions/a/node_modules/b/index.js": TOOL},
    ],
)
def test_what_does_not_bring_the_tool_is_left_out(files: dict[str, str], tmp_path: Path) -> None:
    """Our own, other tools, other files, what an extension merely depends on."""
    assert found(tmp_path, files) == []


@pytest.mark.rule("pi.26")
def test_a_link_in_a_circle_is_no_trouble(tmp_path: Path) -> None:
    """It is followed for a while."""
    (tmp_path / "agent/extensions/a").mkdir(parents=True)
    (tmp_path / "agent/extensions/a/again").symlink_to(tmp_path / "agent/extensions/a")
    assert found(tmp_path, {"extensions/a/index.ts": TOOL}) == ["extensions/a"]


@pytest.mark.rule("small_file.4")
def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    """Neither as an extension nor as pi's settings."""
    extensions = tmp_path / "agent" / "extensions"
    extensions.mkdir(parents=True)
    for name in ("extensions/a.ts", "extensions/package.json", "settings.json"):
        os.mkfifo(tmp_path / "agent" / name)
    assert found(tmp_path, {"extensions/b.ts": TOOL}) == ["extensions/b.ts"]


@pytest.mark.rule("pi.26")
def test_each_place_is_named_once(tmp_path: Path) -> None:
    """The settings may name what lies in the folder anyway; broken settings name nothing."""
    files = {"extensions/a.ts": TOOL}
    assert found(tmp_path, files, {"extensions": ["extensions/a.ts"]}) == ["extensions/a.ts"]
    (tmp_path / "agent/settings.json").write_text("{")
    assert found(tmp_path, files) == ["extensions/a.ts"]
