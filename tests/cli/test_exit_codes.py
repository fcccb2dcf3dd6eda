"""The exit codes of a run whose display is lost."""

import pytest

from hybridsim import ConfigError
from hybridsim.cli.exit_codes import exit_code_of_call


@pytest.mark.parametrize(
    ("raised", "code", "printed"),
    [
        (ConfigError("ball.h5: no room"), 2, "ball.h5: no room"),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("of ours"), 1, "ZeroDivisionError: of ours"),
    ],
)
def test_an_error_after_the_display_is_lost_is_printed_and_has_its_exit_code(raised, code, printed, capsys):
    def fails():
        raise raised

    assert exit_code_of_call(fails) == code
    assert printed in capsys.readouterr().err
    assert exit_code_of_call(lambda: 0) == 0
