"""The event cases of the SBML semantic test suite, run through hybridsim.

`python -m tests.scorecard.sbml FOLDER` prints a line per case and a summary. FOLDER holds one folder per case, with
`model.xml`, `settings.txt` and `results.csv`, or with the names that the suite itself uses
(`00026-sbml-l3v2.xml`, `00026-settings.txt`, `00026-results.csv`). The suite is not part of this repository:
it is at https://github.com/sbmlteam/sbml-test-suite (folder `cases/semantic`, LGPL 2.1 or later), and the tests take
its place from the environment variable SBML_TEST_SUITE.

A case goes through five files:

    reading.py      model.xml -> the symbols, rates and events of the model (python-libsbml reads the XML)
    expressions.py  its formulas as trees: what they vary with, their degree, as Python text
    building.py     trees -> `equations.py`, a module of plain functions
    plugin.py       lies next to it as `model.py`: the hybridsim model, with SBML's rules for events
    running.py      runs it, and compares with the expected results

Features that the translator does not support are refused by name, with `Refused`.
"""
