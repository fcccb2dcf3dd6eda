"""Try a wheel as a newcomer has it: in a fresh environment, in an empty folder, without the sources.

    python packaging/try_wheel.py dist/hybridsim-*.whl   # two minutes, most of which pip takes

A run and its verification must end with 0, and leave the cache without a compiled function: the wheel has them all.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

COMMANDS = ("run", "slip", "final_time=3"), ("verify", "slip.h5")
"""What is run; the second one reads what the first one writes."""


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder, cache = Path(made) / "folder", Path(made) / "cache"
        folder.mkdir()
        venv.create(Path(made) / "clean", with_pip=True)
        python = Path(made) / "clean" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment |= {"HYBRIDSIM_CACHE_DIR": str(cache)}
        commands = [("pip", "install", "--quiet", str(wheel)), *(("hybridsim", *command) for command in COMMANDS)]
        for command in commands:
            print(*command, flush=True)
            ended = subprocess.run([python, "-m", *command], cwd=folder, env=environment, check=False, timeout=1800)
            if ended.returncode:
                sys.exit(f"{wheel}: `{' '.join(command)}` must end with 0, and ended with {ended.returncode}")
        compiled = [*cache.glob("*/engine/*.bin"), *cache.glob("*/functions/*.bin")]
        if compiled:
            sys.exit(f"{wheel}: {len(compiled)} functions were compiled; expected none: build it for this system")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit(f"expected the path of one wheel, found {sys.argv[1:]}; build one with `make wheel`")
    main(Path(sys.argv[1]).resolve())
