"""Three guards A, B and C: functions of time that change sign at given roots.

A guard is a table (lead, n, root 1 ... root 4): the polynomial lead (t - root 1) ... (t - root n), or the same signs
made of arcs, parabolas from root to root with a kink at each. It is crossed in both directions, by one boundary each.

`watched`, both boundaries are always there and the transition declines: nothing but the record changes. Else the chart
remembers the side of each guard, and a crossing changes it; the first crossing of A may swap the tables of B and C.
"""

from hybridsim import DECLINED, Boundary, Model, Parameter, Records, State

N = 3
NOTHING = (-1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STATES = Records(State("y"))
PARAMETERS = Records(
    *(Parameter(name, NOTHING) for name in ("A", "B", "C", "A_swapped", "B_swapped", "C_swapped")),
    Parameter("shape", "polynomial", choices=("polynomial", "arcs", "signs", "zero_then_positive")),
    Parameter("watched", 0, integer=True),
    Parameter("swaps", 0, integer=True),
)
BOUNDARIES = Records(
    *(Boundary(f"{name}_{way}", degree=4, armed="when_positive") for name in "ABC" for way in ("rises", "falls"))
)
SHAPE, WATCHED, SWAPS = range(2 * N, 2 * N + 3)
POLYNOMIAL, ARCS, SIGNS, ZERO_THEN_POSITIVE = range(4)
SWAPPED = 1 << N
"""The bit of the chart that is set while the tables are swapped; the lower bits show which guards are positive."""


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def boundaries(g, t, x, p, chart):
    for i in range(N):
        value = guard(i, t, p, chart)
        if p[WATCHED] or not chart >> i & 1:
            g[2 * i] = -value
        if p[WATCHED] or chart >> i & 1:
            g[2 * i + 1] = value


def transition(x_new, t, x, p, chart, crossed):
    if p[WATCHED]:
        return DECLINED
    next_chart = chart
    for i in range(N):
        if crossed[2 * i] or crossed[2 * i + 1]:
            next_chart ^= 1 << i
    if p[SWAPS] and crossed[0] and chart < SWAPPED:
        next_chart |= SWAPPED
        for i in range(1, N):
            if not (crossed[2 * i] or crossed[2 * i + 1]):
                next_chart &= ~(1 << i)
                if guard(i, t, p, SWAPPED) > 0.0:
                    next_chart |= 1 << i
    return next_chart


def initial_chart(x_new, t, x, p):
    chart = 0
    for i in range(N):
        if guard(i, t, p, 0) >= 0.0:
            chart |= 1 << i
    return chart


def guard(i, t, p, chart):
    table = int(p[i + N if chart >= SWAPPED else i])
    n = int(p[table + 1])
    if p[SHAPE] == ZERO_THEN_POSITIVE:
        return 0.0 if t < 2.0 else t + 50.0
    if p[SHAPE] == ARCS and n > 0:
        return arc(t, p, table, n)
    value = p[table]
    for k in range(n):
        value *= t - p[table + 2 + k]
    if p[SHAPE] == SIGNS:
        return 1.0 if value > 0.0 else -1.0
    return value


def arc(t, p, table, n):
    first = table + 2
    passed = 0
    while passed < n and t > p[first + passed]:
        passed += 1
    sign = p[table] if (n - passed) % 2 == 0 else -p[table]
    if passed == 0:
        return sign * (p[first] - t)
    if passed == n:
        return sign * (t - p[first + n - 1])
    return sign * (t - p[first + passed - 1]) * (p[first + passed] - t)


MODEL = Model(
    "guards",
    STATES,
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    initial_chart=initial_chart,
    parameters=PARAMETERS,
    chart_fields={"A": 1, "B": 1, "C": 1, "swapped": 1},
    boundary_records=BOUNDARIES,
)
