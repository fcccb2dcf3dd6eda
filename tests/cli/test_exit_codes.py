"""What becomes of a run whose display goes away."""

import pytest

from hybridsim import ConfigError
from hybridsim.cli.exit_codes import code_of


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (ConfigError("ball.h5: no room"), 2, "ball.h5: no room"),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("of ours"), 1, "ZeroDivisionError: of ours"),
    ],
)
def test_what_fails_after_the_display_is_lost_is_told_and_has_its_exit_code(raised, code, told, capsys):
    def fails():
        raise raised

    assert code_of(fails) == code
    assert told in capsys.readouterr().err
    assert code_of(lambda: 0) == 0
