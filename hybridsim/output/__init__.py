"""What a run leaves behind: SimSect's three text files and one HDF5 file, written whole or not at all."""

from __future__ import annotations

from hybridsim.output.files import FORMATS, prepare_folder
from hybridsim.output.hdf5 import load_run
from hybridsim.output.saving import save, save_results, save_start

__all__ = ["FORMATS", "load_run", "prepare_folder", "save", "save_results", "save_start"]
