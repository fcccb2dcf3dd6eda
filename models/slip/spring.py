"""The spring laws of the leg, a family with two integer exponents (SimSect, `spring_derivative`).

With the bracket b = -sgn(j) (q^j - q_0^j) the potential is U = k / (|i| |j|) b^i. The exponents i = 2, j = 1 make
Hooke's spring, U = k/2 (q_0 - q)^2; i = 1, j = -2 the compressed air of Raibert's hopper, U = k/2 (1/q^2 - 1/q_0^2),
whose force k/q^3 does not vanish at q_0. The unit of k follows: N/m^(i j - 1).
"""


def force(q, q_0, i, j, k):
    """Return -dU/dq = sgn(i) k b^(i-1) q^(j-1): the push on the body [N] at leg length q [m], rest length q_0 [m]."""
    if i == 2.0 and j == 1.0:
        return k * (q_0 - q)
    push = k * bracket(q, q_0, j) ** int(i - 1.0) * q ** int(j - 1.0)
    return push if i > 0.0 else -push


def potential(q, q_0, i, j, k):
    """Return U [J], zero at the rest length for i > 0."""
    return k / (abs(i) * abs(j)) * bracket(q, q_0, j) ** int(i)


def bracket(q, q_0, j):
    """Return -sgn(j) (q^j - q_0^j): positive while the leg is shorter than q_0."""
    difference = q_0 ** int(j) - q ** int(j)
    return difference if j > 0.0 else -difference
