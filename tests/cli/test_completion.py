"""What the shell offers after the tab key, and where the version is printed."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

import hybridsim
from hybridsim.cli.main import app


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """Ask, as bash does, for what may follow a command line, whose last word may be incomplete."""
    monkeypatch.chdir(tmp_path)

    def ask(line):
        words = line.split(" ")
        environment = {"_HYBRIDSIM_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        ended = CliRunner().invoke(app, env=environment, prog_name="hybridsim")
        assert ended.exit_code == 0, ended.output
        return ended.output.split()

    return ask


def test_commands_and_options_are_offered(offered):
    assert offered("hybridsim sw") == ["sweep"]
    assert offered("hybridsim orbit con") == ["continue"]
    assert offered("hybridsim run --dry") == ["--dry-run"]


def test_models_and_the_configs_of_this_folder_are_offered(offered, tmp_path):
    (tmp_path / "slippery.yaml").touch()
    (tmp_path / "slides.txt").touch()
    assert offered("hybridsim run sli") == ["slip", "slippery.yaml"]
    assert offered("hybridsim models kneed") == ["kneed_walker"]
    assert offered("hybridsim view a.h5 --model sli") == ["slip"]


def test_the_shell_completes_files_where_nothing_fits(offered):
    assert offered("hybridsim run configs/sl") == []


def test_keys_are_those_of_the_config_and_of_its_model(offered, tmp_path):
    (tmp_path / "a.yaml").write_text("# a runner\nmodel: slip\nfinal_time: 1\n")
    assert offered("hybridsim run a.yaml fin") == ["final_time="]
    assert offered("hybridsim run a.yaml final_time=3 engine.rt") == ["engine.rtol="]
    assert "parameters.k=" in offered("hybridsim run slip parameters.")
    assert offered("hybridsim sweep -c a.yaml initial.touch") == ["initial.touchdown_angle="]


def test_old_configs_name_their_model_too(offered, tmp_path):
    (tmp_path / "SimSect.rc").write_text('systemName = "slip";\n')
    assert offered("hybridsim run SimSect.rc initial.touch") == ["initial.touchdown_angle="]


def test_the_tab_key_executes_no_plugin(offered, tmp_path):
    (tmp_path / "plugin.py").write_text("raise SystemExit('executed')\n")
    (tmp_path / "b.yaml").write_text("model: ./plugin.py\n")
    assert offered("hybridsim run b.yaml parameters.") == []
    assert offered("hybridsim run plugin.py fin") == ["final_time="]


@pytest.mark.parametrize(
    "words", [["--version"], ["-V"], ["version"], ["run", "--version"], ["orbit", "find", "--version"]]
)
def test_the_version_is_printed_wherever_one_asks_for_it(hybridsim, words):
    assert hybridsim(*words).out == f"hybridsim {sys.modules['hybridsim'].__version__}\n"


@pytest.mark.slow
def test_python_m_prints_the_version():
    ended = subprocess.run(
        [sys.executable, "-m", "hybridsim", "--version"], check=True, capture_output=True, text=True, timeout=60
    )
    assert ended.stdout == f"hybridsim {hybridsim.__version__}\n"
