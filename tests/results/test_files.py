import resource

import pytest

from hybridsim.errors import ConfigError
from hybridsim.results.files import prepare_folder, replacing
from hybridsim.results.saving import save_run


def test_a_missing_folder_is_created_with_its_parents(tmp_path):
    assert prepare_folder(tmp_path / "a" / "b", "run").is_dir()
    assert not [*(tmp_path / "a" / "b").iterdir()]


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"output\.folder: .*cannot be written \(Not a directory\)"):
        prepare_folder(tmp_path / "file" / "runs", "run")


def test_an_unwritable_folder_is_refused():
    with pytest.raises(ConfigError, match=r"output\.folder: '/proc' cannot be written"):
        prepare_folder("/proc", "run")


@pytest.mark.parametrize("base", ["", ".", "..", "a/b", "a\0b"])
def test_a_base_name_is_a_plain_file_name(tmp_path, base):
    with pytest.raises(ConfigError, match=r"output\.base"):
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
            save_run(run, tmp_path, "ball", ["hdf5"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not [*tmp_path.iterdir()]


def test_a_second_run_overwrites_its_own_files(run, tmp_path):
    first = save_run(run, tmp_path)
    assert save_run(run, tmp_path) == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ball.data", "ball.h5", "ball.initial", "ball.param"]


def test_formats_choose_the_files(run, tmp_path):
    assert [path.name for path in save_run(run, tmp_path, formats=["hdf5"])] == ["ball.h5"]
    assert [path.suffix for path in save_run(run, tmp_path, formats=["simsect"])] == [".initial", ".param", ".data"]


def test_a_run_does_not_go_into_the_folder_of_a_sweep(tmp_path):
    (tmp_path / "_plan.yaml").write_text("")
    with pytest.raises(ConfigError, match=r"holds the results of a sweep.*; choose another"):
        prepare_folder(tmp_path, "run")
    assert prepare_folder(tmp_path, "run", ()) == tmp_path
