"""The text of the functions of a model with contacts, with places in braces for its constants and for what it has."""

MECHANISM = """{ground}
@separate(void)
def find_terms(work, motion, t, x, p, mode):
    set_constants(work, TABLE, {table})
    find_bodies(work, motion, {bodies}, x, p, mode){more}


@separate(void)
def coordinate_slopes(qdot, q, u):
    put_coordinate_rates(qdot, {tree}, q, u)


@separate(void)
def other_outputs(y, work, motion, x, p):{more_outputs}
    put_energies(subarray(y, {n_others}, 3), motion, {bodies}, x){soft_energy}
"""

GROUND = """
@separate(integer)
def find_ground(work, motion, p):
    foot, tight = scratch({foot_size}), 0{feet}
    return tight
"""

FOOT = """
    begin_foot(foot, motion, {pool}, {i}, p)
    for _ in range({foot_steps}):
        {shape}(subarray(foot, {at_shape}, 6), foot[0], foot[1], p{further})
        if next_foot(foot, work, {place}, p) == 1:
            break
    tight = {number} if put_foot(foot, motion, {pool}, {i}, p) == 1 else tight"""

MISPLACED = """    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p, -1)
"""
TIGHT = """    tight = find_ground(work, motion, p)
    if tight > 0:
        return {n_messages} + tight
"""
LYING = """    lying = lying_wheel({pool})
    if lying > 0:
        return {before} + lying
"""

UNSTEADY = """    if p[{at}] < p[{at} + 1]:
        return {message}
"""

EQUATIONS = """
@separate(void)
def find_terms(work, motion, t, x, p, mode):
    set_constants(work, TABLE, {table})
    equation_terms(work, {length})
    rows, gaps = subarray(work, {rows}, {rows_size}), subarray(work, {gaps}, {points})
    terms(subarray(work, {mass}, {n} * {n}), subarray(work, {force}, {n}), rows, gaps, t, x, p){more}


@separate(void)
def coordinate_slopes(qdot, q, u):
    for i in range({n}):
        qdot[i] = u[i]


@separate(void)
def other_outputs(y, work, motion, x, p):{more_outputs}
    y[{n_others}] = energy_of(work, speeds_in(x, read_layout(work)))
"""

FUNCTIONS = """
def vector_field(xdot, t, x, p, chart{asked}):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p, chart){press}{soft_rates}
    u = speeds_in(x, read_layout(work))
    solve_chart(work, u, p, chart)
    coordinate_slopes(xdot, x, u)
    put_rates(speeds_in(xdot, read_layout(work)), work)


def boundaries(g, t, x, p, chart{asked}):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p, chart){press}{soft_boundaries}
    solve_chart(work, speeds_in(x, read_layout(work)), p, chart)
    put_boundaries(g, work, p, chart)


def slopes_and_boundaries(xdot, g, t, x, p, chart{asked}):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p, chart){press}{soft_rates}{soft_boundaries}
    u = speeds_in(x, read_layout(work))
    solve_chart(work, u, p, chart)
    coordinate_slopes(xdot, x, u)
    put_rates(speeds_in(xdot, read_layout(work)), work)
    put_boundaries(g, work, p, chart)


def outputs(y, t, x, p, chart{asked_by_outputs}):
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x, p, chart){press}
    solve_chart(work, speeds_in(x, read_layout(work)), p, chart)
    n = read_layout(work).n_coordinates + read_layout(work).n_speeds
    for i in range(n):
        y[i] = x[i]
    n += put_outputs(subarray(y, n, {many}), work, chart){soft_outputs}
    other_outputs(subarray(y, n, {many}), work, motion, x, p){own_outputs}


def move(x_new, work):
    rates, layout = scratch({size}), read_layout(work)
    coordinate_slopes(rates, x_new, subarray(work, layout.change, layout.n_speeds))
    for i in range(layout.n_coordinates):
        x_new[i] += rates[i]


def transition(x_new, t, x, p, chart, crossed{asked}):
    work, motion = scratch({size}), scratch({motion}){begins}
    for _ in range({beginnings}):
        find_terms(work, motion, t, x_new, p, -1)
        members = begin_event(work, speeds_in(x, read_layout(work)), chart, crossed)
        move(x_new, work)
        find_terms(work, motion, t, x_new, p, -1){press_after}
        mode = decide(x_new, work, p, {hard}, members, crossed){declines}
        if mode != {again}:
            break
    mode = {result} if mode >= {declined} else settle(x_new, work, motion, t, p, members, mode, chart{asked})
    return with_ignored(work, mode, chart)


def initial_chart(x_new, t, x, p{asked_at_first}):{prepare}
    work, motion = scratch({size}), scratch({motion})
    find_terms(work, motion, t, x_new, p, -1)
    layout, loop, misfit = read_layout(work), open_loop(work, 0.0), loop_error(work)
    cause = layout.n_coordinates + layout.n_speeds
    for _ in range({closings} if loop > 0 else 0):
        if close_loops(work, speeds_in(x_new, read_layout(work))) == 1:
            break
        move(x_new, work)
        find_terms(work, motion, t, x_new, p, -1)
    if loop > 0 and open_loop(work, 1.0) > 0:
        for i in range(layout.n_coordinates):
            x_new[i] = x[i]
        x_new[cause], x_new[cause + 1] = 1.0 + layout.n_points + loop, misfit
        return 0
    find_terms(work, motion, t, x_new, p, -1)
    members = begin_run(work, speeds_in(x_new, read_layout(work)))
    if members < 0:
        x_new[cause], x_new[cause + 1] = 1.0 - members, -work[layout.gaps - members - 1]
        return 0
    move(x_new, work)
    find_terms(work, motion, t, x_new, p, -1)
    chart = 0{press_first}
    mode = decide_first(x_new, work, p, members)
    mode = {result} if mode >= 0 else settle(x_new, work, motion, t, p, members, mode, chart{asked})
    return with_ignored(work, mode, -1)


def settle(x_new, work, motion, t, p, members, kind, chart{asked}):
    mode = kind
    begin_impacts(x_new, work)
    if mode <= {impact} and collide(x_new, work, p, members, mode):
        find_terms(work, motion, t, x_new, p, -1){press_anew}
        mode = go_on(x_new, work, p, members, chart)
    if mode == {jammed} and collide(x_new, work, p, members, mode):
        find_terms(work, motion, t, x_new, p, -1){press_anew}
        mode = go_on(x_new, work, p, members, chart)
    if mode >= 0:
        return {result}
    x_new[read_layout(work).n_coordinates + read_layout(work).n_speeds] = 1.0
    return chart


def validate(t, x, p, chart):
{misplaced}{unsteady}    return int(x[{cause}])
{with_soft}"""

SOFT_CALLS = {
    "press": "; press(work, {pads}, x, p, chart)",
    "soft_rates": "; put_spring_rates(xdot, {pads}, x, p, chart)",
    "soft_boundaries": "; put_soft_boundaries(subarray(g, {n_boundaries}, {many}), {pads}, x, p, chart)",
    "soft_outputs": "; n += put_soft_outputs(subarray(y, n, {many}), {pads}, x, p, chart)",
    "soft_energy": "; add_spring_energy(subarray(y, {n_others}, 3), {pads}, x, p)",
    "begins": "; before = chart",
    "press_after": "; chart = chart_after({pads}, x_new, p, before, subarray(crossed, {n_boundaries}, {many}))"
    "; press(work, {pads}, x_new, p, chart)",
    "press_first": "; chart = chart_anew({pads}, x_new, p, chart, 1); press(work, {pads}, x_new, p, chart)",
    "press_anew": "; chart = chart_anew({pads}, x_new, p, chart, 0); press(work, {pads}, x_new, p, chart)",
    "declines": "; mode = chart & (1 << {soft_bit}) - 1 if mode == {declined} and chart != before else mode",
    "with_soft": """

def with_soft(x_new, work, motion, t, p, mode, chart):
    find_terms(work, motion, t, x_new, p, -1)
    return mode | chart_anew({pads}, x_new, p, chart, 0) >> {soft_bit} << {soft_bit}
""",
}
"""What a model with soft contacts calls besides."""
