import resource
import subprocess

import pytest

from hybridsim.errors import ConfigError
from hybridsim.results.files import prepare_folder, replacing


def test_a_missing_folder_is_created_with_its_parents(tmp_path):
    assert prepare_folder(tmp_path / "a" / "b", "run").is_dir()
    assert not [*(tmp_path / "a" / "b").iterdir()]


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"runs' cannot be written \(Not a directory\)"):
        prepare_folder(tmp_path / "file" / "runs", "run")


def test_an_unwritable_folder_is_refused():
    with pytest.raises(ConfigError, match=r"the folder '/proc' cannot be written"):
        prepare_folder("/proc", "run")


@pytest.mark.parametrize("base", ["", ".", "..", "a/b", "a\0b"])
def test_a_base_name_is_a_plain_file_name(tmp_path, base):
    with pytest.raises(ConfigError, match="is not a plain file name"):
        prepare_folder(tmp_path, base)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path):
    (tmp_path / "run.h5").mkdir()
    with pytest.raises(ConfigError, match="move it away"):
        prepare_folder(tmp_path, "run")


def test_an_unknown_format_gets_a_suggestion(tmp_path):
    with pytest.raises(ConfigError, match="did you mean `hdf5`"):
        prepare_folder(tmp_path, "run", ["hdf"])


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    def interrupted_writing():
        with replacing(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    path = tmp_path / "run.data"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted_writing()
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_full_disk_leaves_no_half_written_file(run, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(ConfigError, match=r"ball\.h5: cannot be written"):
            run.save(tmp_path / "ball.h5")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not [*tmp_path.iterdir()]


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of so many pages."""
    mount = tmp_path / "disk"
    mount.mkdir()
    mounted = []

    def make(n_pages):
        command = ["mount", "-t", "tmpfs", "-o", f"size={n_pages * resource.getpagesize()}", "none", mount]
        if subprocess.run(command, capture_output=True, check=False, timeout=60).returncode:
            pytest.skip("mounting needs root")
        mounted.append(mount)
        return mount

    yield make
    for _ in mounted:
        subprocess.run(["umount", mount], check=True, timeout=60)


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("n_pages", range(1, 6))
def test_on_a_full_disk_no_start_of_a_run_stays_without_its_results(run, small_disk, n_pages, there):
    """Each of the text files takes a page; the older file of another run stays, and so does `.data` if it has room."""
    folder = small_disk(n_pages + there)
    if there:
        (folder / "other.initial").write_text("x = 1;")
    with pytest.raises(ConfigError, match=r"/ball\.\w+: cannot be written \(No space left on device\); make room"):
        run.save(folder / "ball")
    expected = {"ball.initial", "ball.param", "ball.data"} if n_pages >= 3 else set()
    assert {path.name for path in folder.iterdir()} == expected | ({"other.initial"} if there else set())


def test_a_start_that_cannot_be_written_leaves_that_of_the_run_before(run, tmp_path):
    """No byte has room."""
    before = {path: path.read_bytes() for path in run.save(tmp_path / "ball")}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(ConfigError, match=r"ball\.initial: cannot be written"):
            run.save(tmp_path / "ball")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_second_run_overwrites_its_own_files(run, tmp_path):
    first = run.save(tmp_path / "ball")
    assert run.save(tmp_path / "ball") == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ball.data", "ball.h5", "ball.initial", "ball.param"]


def test_formats_choose_the_files(run, tmp_path):
    assert [path.name for path in run.save(tmp_path / "ball", formats=["hdf5"])] == ["ball.h5"]
    assert [path.suffix for path in run.save(tmp_path / "ball", formats=["simsect"])] == [".initial", ".param", ".data"]


def test_the_ending_of_a_name_chooses_the_one_file_that_is_written_into_a_new_folder(run, tmp_path):
    for name in ("ball.h5", "ball.csv"):
        folder = tmp_path / name / "runs"
        assert run.save(folder / name) == [folder / name]
        assert [path.name for path in folder.iterdir()] == [name]


def test_a_name_without_a_folder_is_written_into_the_current_one(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.save("ball", ["hdf5", "csv"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ball.csv", "ball.h5"]


@pytest.mark.parametrize(
    ("name", "formats", "problem"),
    [
        ("ball.hdf5", None, r"ends in \.h5 or \.csv; give such a name, or one without an ending"),
        ("ball.h5", ["csv"], "the ending of 'ball.h5' says the format; leave out `formats`"),
        ("ball", ["text"], "there is no 'text'.*; choose among simsect, hdf5, csv"),
    ],
)
def test_an_unknown_ending_or_format_is_refused_before_anything_is_written(run, tmp_path, name, formats, problem):
    with pytest.raises(ConfigError, match=problem):
        run.save(tmp_path / "runs" / name, formats)
    assert not [*tmp_path.iterdir()]


def test_a_run_does_not_go_into_the_folder_of_a_sweep(tmp_path):
    (tmp_path / "_plan.yaml").write_text("")
    with pytest.raises(ConfigError, match=r"holds the results of a sweep.*; choose another"):
        prepare_folder(tmp_path, "run")
    assert prepare_folder(tmp_path, "run", ()) == tmp_path
