"""Events: which boundaries are active, whether and when one crosses zero in a step, and what is known about it.

boundary_values, perturbation   the boundaries at (t, x), their rates, and how far rounding moves them
activation, latching, at_zero   where a chart begins: which are active, and how each reacts to zero
crossings                       iterator 3: the first crossing in a step
fall, isolation, *_search       an interval with the first fall to zero; one search for each certificate
root_finding                    from that interval to adjacent floats
crossing_depth, touches         how deep a crossing goes; minima just above zero
slide_entry                     where a flow along a common boundary of two charts begins
zeno                            infinitely many jumps in finite time
input_changes                   where inputs change
"""
