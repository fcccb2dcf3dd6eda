"""What a run needs is imported when it is needed."""

import subprocess
import sys


def test_results_are_imported_without_h5py():
    code = "import sys, hybridsim.results; assert 'h5py' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
