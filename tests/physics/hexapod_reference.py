"""The hexapod's equations once more, in numpy, written from the model's description and not from its code."""

import numpy as np

TRIPOD = (0, 2, 4)


class Reference:
    """Values of parameters by name; all legs in flight or at rest on the ground. torque(leg, phi, phidot) [N m]."""

    def __init__(self, values, torque):
        self.v, self.torque = values, torque

    def rotation(self, q):
        w, x, y, z = np.asarray(q) / np.linalg.norm(q)
        k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.eye(3) + 2 * w * k + 2 * k @ k

    def leg(self, i, r, q, rdot, omega, f, fdot):
        """(force on the toe in W, rates and torque)."""
        v, rotation = self.v, self.rotation(q)
        attach = np.array([v[f"attach{i}_{a}"] for a in "xyz"])
        vector = rotation.T @ (f - r) - attach
        rate = rotation.T @ (fdot - rdot - np.cross(omega, f - r))
        rho = np.linalg.norm(vector)
        theta = np.arctan2(vector[0], np.hypot(vector[1], vector[2]))
        phi = np.arctan2(vector[1], -vector[2])
        jacobian = np.array(
            [
                [np.sin(theta), rho * np.cos(theta), 0],
                [
                    np.cos(theta) * np.sin(phi),
                    -rho * np.sin(theta) * np.sin(phi),
                    rho * np.cos(theta) * np.cos(phi),
                ],
                [
                    -np.cos(theta) * np.cos(phi),
                    rho * np.sin(theta) * np.cos(phi),
                    rho * np.cos(theta) * np.sin(phi),
                ],
            ]
        )
        rhodot, thetadot, phidot = np.linalg.solve(jacobian, rate)
        tau = self.torque(i, phi, phidot)
        limit = v["max_torque"] * (1 - np.sign(tau) * phidot / (v["max_speed"] * 2 * np.pi / 60 / v["gear"]))
        tau = np.sign(tau) * min(abs(tau), np.clip(limit, 0, v["max_torque"])) - v["hip_damping"] * phidot
        radial = -v[f"rho{i}_k"] * (rho - v[f"rho{i}_r0"]) - v[f"rho{i}_d"] * rhodot
        if rho > v["q_rl"]:
            radial -= v["stop_force"] * np.expm1((rho - v["q_rl"]) / v["stop_length"])
        bend = -v[f"theta{i}_k"] * (theta - v[f"theta{i}_r0"]) - v[f"theta{i}_d"] * thetadot
        # Generalised forces belong to the coordinates, so the force is the transposed inverse of the Jacobian.
        return rotation @ np.linalg.solve(jacobian.T, [radial, bend, tau])

    def accelerations(self, state, stance):
        """(rddot, omegadot, fddot[6]) for state = (r, q, rdot, omega, f[6], fdot[6])."""
        r, q, rdot, omega, f, fdot = state
        v, rotation = self.v, self.rotation(q)
        force, moment = np.array([0, 0, -v["body_mass"] * v["g"]]), np.zeros(3)
        fddot = np.zeros((6, 3))
        for i in range(6):
            push = self.leg(i, r, q, rdot, omega, f[i], np.zeros(3) if stance[i] else fdot[i])
            if stance[i] or v["flight_reaction"]:
                force, moment = force - push, moment - np.cross(f[i] - r, push)
            if not stance[i]:
                fddot[i] = push / v["leg_mass"]
        inertia = rotation @ np.array([[v[f"J_{a}{b}"] for b in "123"] for a in "123"]) @ rotation.T
        return force / v["body_mass"], np.linalg.solve(inertia, moment - np.cross(omega, inertia @ omega)), fddot

    def derivative(self, t, y, stance):
        r, q, rdot, omega = y[:3], y[3:7], y[7:10], y[10:13]
        f, fdot = y[13:31].reshape(6, 3), y[31:49].reshape(6, 3)
        rddot, omegadot, fddot = self.accelerations((r, q, rdot, omega, f, fdot), stance)
        qdot = 0.5 * np.array([-omega @ q[1:], *(q[0] * omega + np.cross(omega, q[1:]))])
        moving = np.where(np.array(stance)[:, None], 0.0, fdot)
        return np.concatenate([rdot, qdot, rddot, omegadot, moving.ravel(), fddot.ravel()])
