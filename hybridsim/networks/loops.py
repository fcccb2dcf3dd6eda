"""The loops of generated modules, as texts."""

NODES = """{before}
    slopes, pulls = scratch({n_states}), scratch({n_inflows})
    for i in range(n):
{within}
{pulls}
        {field}(slopes, t, values, own, pulls{chart})
{written}"""
"""Slopes of a population."""

OUTPUTS = """{before}
    for i in range(n):
{within}
        y[place + i] = {output}(t, values, own{chart})"""
"""An output of a population."""

BOUNDARIES = """{before}
    distances = scratch({n_boundaries})
    for i in range(n):
{within}
{unset}
        {boundaries}(distances, t, values, own, {bits})
{written}"""
"""Boundaries of a population; an entry that a node does not write keeps the mark of what is inactive."""

TRANSITION = """{before}
    new, marks, declined = scratch({n_states}), scratch({n_boundaries}), True
    for i in range(n):
        if {any_crossed}:
{within}
{copied}
{marked}
            answer = {function}(new, t, values, own, {bits}, marks)
            if answer < -1 or answer > {last}:
                return answer if answer < 0 else beyond + answer
            if answer >= 0:
                declined = False
{written}
    return -1 if declined else chart"""
"""Transitions of the nodes of which a boundary has crossed; -1 if all decline."""

INITIAL_CHART = """{before}
    new = scratch({n_states})
    for i in range(n):
{within}
{copied}
        answer = {function}(new, t, values, own)
        if answer < 0 or answer > {last}:
            return answer if answer < 0 else beyond + answer
{written}
    return chart"""
"""How nodes begin."""

FEEDS = """{before}
    sources, starts = integers(p, sources_at, n_edges), integers(p, starts_at, n_targets + 1)
    for i in range(n_targets):
{of_target}
        total = 0.0
        for e in range(starts[i], starts[i + 1]):
            j = sources[e]
{one}
            total += {feed}(t, source, target, own)
        inflow[place + i] += total"""
"""What edges add, by target."""

SINES_OF_EDGES = """{before}
    sources, targets = integers(p, sources_at, n_edges), integers(p, targets_at, n_edges)
    starts, angles = integers(p, starts_at, n_targets + 1), scratch(AT_ONCE)
    for first in range(0, n_edges, AT_ONCE):
        many = min(AT_ONCE, n_edges - first)
        for k in range(many):
            e = first + k
            i, j = targets[e], sources[e]
{both}
            angles[k] = {ahead}(t, source, own) - {behind}(t, target, own)
        sines(angles, many, 0.0)
        e = first
        i = targets[e]
        while e < first + many:
            end = min(starts[i + 1], first + many)
            total = 0.0
            while e < end:
                j = sources[e]
{one}
                total += {factor}(t, source, own) * angles[e - first]
                e += 1
            inflow[place + i] += total
            i += 1"""
"""The same for sines; edges of a target that two blocks share are summed in two parts."""

SINES_OF_ALL = """{before}
    a, b = scratch(AT_ONCE), scratch(AT_ONCE)
    total, total_of_cosines = 0.0, 0.0
    for first in range(0, n_sources, AT_ONCE):
        many = min(AT_ONCE, n_sources - first)
        for k in range(many):
            j = first + k
{source}
            a[k] = {ahead}(t, source, own)
            b[k] = a[k]
        sines(a, many, 0.0)
        sines(b, many, 0.5)
        for k in range(many):
            j = first + k
{source}
            weight = {factor}(t, source, own)
            total += weight * a[k]
            total_of_cosines += weight * b[k]
    for first in range(0, n_targets, AT_ONCE):
        many = min(AT_ONCE, n_targets - first)
        for k in range(many):
            i = first + k
{target}
            a[k] = {behind}(t, target, own)
            b[k] = a[k]
        sines(a, many, 0.0)
        sines(b, many, 0.5)
        for k in range(many):
            inflow[place + first + k] += total * b[k] - total_of_cosines * a[k]"""
"""The sum over j of w_j sin(a_j - b_i) is cos(b_i) times that of w_j sin(a_j), less sin(b_i) times that of cosines."""

WITHOUT_ITSELF = """
        for k in range(many):
            i = first + k
{target}
{itself}
            a[k] = {ahead}(t, source, own) - {behind}(t, target, own)
        sines(a, many, 0.0)
        for k in range(many):
            i = first + k
{itself}
            inflow[place + i] -= {factor}(t, source, own) * a[k]"""
"""Takes away what each node adds to itself."""
