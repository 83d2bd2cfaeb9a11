"""One target under the engine: `python -m fuzz.worker TARGET [options of libFuzzer] [folders]`.

Only the library is instrumented. The engine ends this process, at its budget or at a fault.
"""

import shlex
import sys

import atheris


def main(arguments: list[str]) -> None:
    with atheris.instrument_imports(include=["native_web_search"]):
        from fuzz.targets import BY_NAME  # noqa: PLC0415 - imported to be instrumented

    name, *options = arguments
    again = shlex.join([sys.executable, "-m", "fuzz.worker", name])  # how it calls itself
    atheris.Setup([again, *options], BY_NAME[name].holds)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
