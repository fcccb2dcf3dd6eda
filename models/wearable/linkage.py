"""The links follow the leg: where their joints are, and the equations that say how the links turn.

A pose is where the origin of upright stance is on a body, x and z [m], and how far the body is turned, from z to x.
Joints are pins, so the speeds of both bodies are the same there: twelve equations for the speeds of four links. They
are solved for a rate of the hip, for one of the knee, and for what closes gaps.
"""

import math

from hybridsim import integers, scratch, subarray
from hybridsim.multibody.linear import eliminate

from .records import P
from .topologies import DESIGNS, EDGES, N_BODIES, N_JOINTS, N_LINKS, SHANK, THIGH, TORSO

N = 3 * N_LINKS
HIP, KNEE, GAP = range(3)
RIGHT = 3
WIDTH = N + RIGHT
"""Right sides; numbers in a row: a coefficient for each speed of a link, and these."""
LEG, PLACES, ROWS, RATES = 3 * N_BODIES, 2 * N_JOINTS, N * WIDTH, 3 * N
"""Sizes of arrays: poses of the leg, places of joints, rows of equations, rates of links."""
N_EDGES, N_DESIGNS = len(EDGES), 3 * len(DESIGNS)


def body_of(p, joint, end):
    """Return the body at an end, 0 or 1, of a joint."""
    topology = integers(p, P.designs, N_DESIGNS)[3 * int(p[P.design])]
    return integers(p, P.edges, N_EDGES)[2 * N_JOINTS * topology + 2 * joint + end]


def actuator_of(p, number):
    """Return the joint of an actuator, 0 or 1."""
    return integers(p, P.designs, N_DESIGNS)[3 * int(p[P.design]) + 1 + number]


def hip_height(p):
    """Return the height of the hip in upright stance [m]."""
    return p[P.ankle_height] + p[P.shank_length] + p[P.thigh_length]


def find_places(places, p):
    """Write the places (2 N_JOINTS) of the joints in upright stance, x and z [m]."""
    seen = scratch(N_BODIES)
    for body in range(N_BODIES):
        seen[body] = 0.0
    n_free = 0
    hip = hip_height(p)
    for joint in range(N_JOINTS):
        body = body_of(p, joint, 0)
        if body >= N_BODIES:
            places[2 * joint], places[2 * joint + 1] = p[P.pin1_x + 2 * n_free], p[P.pin1_z + 2 * n_free]
            n_free += 1
            continue
        along = p[P.torso + body] if seen[body] == 0.0 else p[P.second]
        seen[body] = 1.0
        places[2 * joint] = 0.0
        if body == TORSO:
            places[2 * joint + 1] = hip + along * p[P.torso_length]
        elif body == THIGH:
            places[2 * joint + 1] = hip - along * p[P.thigh_length]
        else:
            places[2 * joint + 1] = hip - p[P.thigh_length] - along * p[P.shank_length]


def find_leg(poses, p, hip, knee):
    """Write the poses (3 N_BODIES) of torso, thigh and shank for these angles [rad]."""
    height = hip_height(p)
    knee_height = height - p[P.thigh_length]
    for k in range(3 * N_BODIES):
        poses[k] = 0.0
    thigh, shank = subarray(poses, 3 * THIGH, 3), subarray(poses, 3 * SHANK, 3)
    thigh[2] = -hip
    thigh[0], thigh[1] = -math.sin(thigh[2]) * height, height - math.cos(thigh[2]) * height
    x, z = thigh[0] + math.sin(thigh[2]) * knee_height, thigh[1] + math.cos(thigh[2]) * knee_height
    shank[2] = knee - hip
    shank[0], shank[1] = x - math.sin(shank[2]) * knee_height, z - math.cos(shank[2]) * knee_height


def write_equations(rows, links, places, p, hip, knee):
    """Write the rows (N * WIDTH) for links with these poses (N,), and angles of the leg; return the largest gap [m]."""
    leg = scratch(LEG)
    find_leg(leg, p, hip, knee)
    height, largest = hip_height(p), 0.0
    knee_height = height - p[P.thigh_length]
    thigh = subarray(leg, 3 * THIGH, 3)
    knee_x, knee_z = thigh[0] + math.sin(thigh[2]) * knee_height, thigh[1] + math.cos(thigh[2]) * knee_height
    for k in range(N * WIDTH):
        rows[k] = 0.0
    for joint in range(N_JOINTS):
        along_x, along_z = subarray(rows, 2 * joint * WIDTH, WIDTH), subarray(rows, (2 * joint + 1) * WIDTH, WIDTH)
        for end in range(2):
            body, sign = body_of(p, joint, end), 1.0 - 2.0 * end
            pose = subarray(leg, 3 * body, 3) if body < N_BODIES else subarray(links, 3 * (body - N_BODIES), 3)
            cos, sin = math.cos(pose[2]), math.sin(pose[2])
            arm_x = cos * places[2 * joint] + sin * places[2 * joint + 1]
            arm_z = -sin * places[2 * joint] + cos * places[2 * joint + 1]
            x, z = pose[0] + arm_x, pose[1] + arm_z
            along_x[N + GAP] -= sign * x
            along_z[N + GAP] -= sign * z
            if body >= N_BODIES:
                first = 3 * (body - N_BODIES)
                along_x[first], along_x[first + 2] = sign, sign * arm_z
                along_z[first + 1], along_z[first + 2] = sign, -sign * arm_x
                continue
            if body >= THIGH:  # a rate of hip flexion turns thigh and shank from x to z
                along_x[N + HIP] += sign * (z - height)
                along_z[N + HIP] -= sign * x
            if body == SHANK:
                along_x[N + KNEE] -= sign * (z - knee_z)
                along_z[N + KNEE] += sign * (x - knee_x)
        gap = max(abs(along_x[N + GAP]), abs(along_z[N + GAP]))
        largest = gap if gap > largest else largest
    return largest


def solve_equations(rates, rows, n, n_right):
    """Solve n equations for several right sides, which are the last numbers of each row; return the determinant.

    The solution of the first one comes first in `rates`: of the rows above, the rates (3 N) of the links per hip rate,
    per knee rate, and what closes gaps.
    """
    width, determinant = n + n_right, 1.0
    for column in range(n):
        swapped = eliminate(rows, 0, column, n, width)
        pivot = rows[width * column + column]
        determinant *= pivot if swapped == column else -pivot
    for right in range(n_right):
        for step in range(n):
            i = n - 1 - step
            left = rows[width * i + n + right]
            for j in range(i + 1, n):
                left -= rows[width * i + j] * rates[n * right + j]
            rates[n * right + i] = left / rows[width * i + i]
    return determinant


def size_of(places, p):
    """Return the product of the lengths of the links [m^4], the scale of the determinant."""
    size = 1.0
    for link in range(N_BODIES, N_BODIES + N_LINKS):
        longest = 0.0
        for one in range(N_JOINTS):
            for other in range(one):
                if on_link(p, one, link) and on_link(p, other, link):
                    longest = max(longest, distance_of(places, one, other))
        size *= longest
    return size


def on_link(p, joint, link):
    """Return whether a joint is on a link."""
    return body_of(p, joint, 0) == link or body_of(p, joint, 1) == link


def distance_of(places, one, other):
    """Return the distance of two joints [m]."""
    return math.hypot(places[2 * one] - places[2 * other], places[2 * one + 1] - places[2 * other + 1])


def close(links, places, p, hip, knee):
    """Close the loops for angles of the leg by Newton's method, from these poses; return the determinant, or 0."""
    rows, rates = scratch(ROWS), scratch(RATES)
    determinant = 0.0
    for _ in range(12):
        gap = write_equations(rows, links, places, p, hip, knee)
        determinant = solve_equations(rates, rows, N, RIGHT)
        for k in range(N):
            links[k] += rates[N * GAP + k]
        if gap < 1e-12:
            return determinant
        if not gap < 1.0:
            return 0.0
    return 0.0
