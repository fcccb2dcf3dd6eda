"""The checksum of a part's values: altered values are noticed."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hybridsim.errors import ConfigError
from hybridsim.sweeps import load_sweep, part_file, run_sweep


@pytest.fixture
def folder(balls, tmp_path):
    run_sweep(balls(), tmp_path / "balls")
    return tmp_path / "balls"


def test_altered_values_are_refused_on_reading_and_computed_again(balls, folder, content):
    """One value of each column in turn is altered, and the part is written with all it says about itself."""
    before = content(folder)
    part = folder / "part-0000004-0000007.parquet"
    table = pq.read_table(part)
    for index, field in enumerate(table.schema):
        values = table.column(index).to_pylist()
        values[1] = "STOPPED" if isinstance(values[1], str) else values[1] + 1
        pq.write_table(table.set_column(index, field, pa.array(values, field.type)), part)
        with pytest.raises(ConfigError, match=r"its values were altered; compute it again with --resume"):
            load_sweep(folder)
        outcome = run_sweep(balls(), folder, resume=True)
        assert outcome.computed == 4
        assert "its values were altered; it is computed again" in outcome.notes[0]
        assert content(folder) == before


def test_a_part_without_a_checksum_counts_as_altered(folder):
    part = next(folder.glob("part-*"))
    whole = pq.read_table(part)
    metadata = {key: value for key, value in whole.schema.metadata.items() if key != part_file.CHECKSUM}
    pq.write_table(whole.replace_schema_metadata(metadata), part)
    with pytest.raises(ConfigError, match="its values were altered"):
        load_sweep(folder)
