"""The modes that may come next, by their numbers: which points are down, and how each patch slips."""

from .layout import HOLDS, first_of, is_down, is_spatial, point_bit, slip_bit, slip_of, slip_row
from .sets import allowed_of
from .soles import count_down


def count_slips(slips):
    """Return how many slips a set has."""
    return (slips & 1) + ((slips >> 1) & 1) + ((slips >> 2) & 1) + (slips >> 3)


def count_options(work, layout, members, allowed, j):
    """Return in how many ways a patch can be: each set of its members with each slip, and open; a joint cannot open."""
    slips = count_slips(allowed_of(work, allowed, j)) if j < layout.n_slipping else 1
    if layout.n_contacts <= j < layout.n_slipping:
        return slips
    return ((1 << count_down(work, layout, members, j)) - 1) * slips + 1


def mode_of_trial(work, layout, members, allowed, trial):
    """Return the mode with this number, of those that may be; 0 has all members down and holding."""
    mode, rest = 0, trial
    for j in range(layout.n_patches):
        options = count_options(work, layout, members, allowed, j)
        digit, rest = rest % options, rest // options
        if digit == options - 1 and not layout.n_contacts <= j < layout.n_slipping:
            continue  # open
        slips = allowed_of(work, allowed, j) if j < layout.n_slipping else 1
        n_slips = count_slips(slips)
        chosen = (1 << count_down(work, layout, members, j)) - 1 - digit // n_slips
        for i in range(first_of(work, layout, j), first_of(work, layout, j + 1)):
            if is_down(work, layout, members, i):
                mode |= (chosen & 1) << point_bit(work, layout, i)
                chosen >>= 1
        if j < layout.n_slipping:
            mode |= slip_with_number(slips, digit % n_slips, is_spatial(layout, j)) << slip_bit(work, layout, j)
    return mode


def slip_with_number(slips, number, is_sliding):
    """Return the member of a set of slips with this number; one that is FREE comes before those that move.

    In space, where it carries no friction, FREE is the last one; the first where nothing holds.
    """
    left = number
    for k in range(4):
        slip = (k + 1) % 3 + 1 if k > 0 else HOLDS
        if is_sliding:
            slip = k if slips & 1 else (k + 3) % 4
        if (slips >> slip) & 1:
            if left == 0:
                return slip
            left -= 1
    return HOLDS


def mode_like(work, layout, members, sets, before):
    """Return the chart that ends as a mode: what was down and still may be is down, and slips as it did if it may."""
    mode = 0
    for i in range(layout.n_points):
        if is_down(work, layout, members, i) and is_down(work, layout, before, i):
            mode |= 1 << point_bit(work, layout, i)
    for j in range(layout.n_slipping):
        if slip_row(work, layout, mode, j) >= 0:
            slip, allowed = slip_of(work, layout, before, j), allowed_of(work, sets, j)
            if not (allowed >> slip) & 1:
                slip = slip_with_number(allowed, 0, is_spatial(layout, j))
            mode |= slip << slip_bit(work, layout, j)
    return mode
