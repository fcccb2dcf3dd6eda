// The models of work_precision.py as C++ knows them: charts, their vector fields, boundaries and transitions.
#pragma once
#include <cmath>

// The runner of slip.py; a chart is a part of a stride: descent, compression, decompression, ascent.
struct Runner {
    static constexpr int N = 4, CHARTS = 4, COUNTED = 0;
    double mass, length, gravity, stiffness, touchdown_height, ahead, footx;

    static bool flow_goes_on(int chart) { return chart == 1 || chart == 3; } // at bottom and apex nothing changes

    void field(int chart, const double *x, double *xdot) const {
        xdot[0] = x[2];
        xdot[1] = x[3];
        xdot[2] = 0.0;
        xdot[3] = -gravity;
        if (chart == 0 || chart == 3) return;
        double legx = x[0] - footx, rho = std::sqrt(legx * legx + x[1] * x[1]);
        double push = stiffness * (length - rho) / (mass * rho);
        xdot[2] = push * legx;
        xdot[3] += push * x[1];
    }

    double boundary(int chart, const double *x) const {
        double legx = x[0] - footx;
        switch (chart) {
        case 0: return x[1] - touchdown_height;
        case 1: return -(legx * x[2] + x[1] * x[3]);
        case 2: return length * length - (legx * legx + x[1] * x[1]);
        default: return x[3];
        }
    }

    int transition(int chart, double *x) {
        if (chart == 0) footx = x[0] + ahead;
        return (chart + 1) % CHARTS;
    }
};

// The compass gait of models/walkers; charts: swing leg behind, swing leg ahead.
struct CompassGait {
    static constexpr int N = 4, CHARTS = 2, COUNTED = 1;
    double m, m_hip, a, b, gravity, slope;

    static bool flow_goes_on(int chart) { return chart == 0; }

    void solve(double cosine, double first, double second, double *rates) const {
        double length = a + b, m11 = m * a * a + (m_hip + m) * length * length, m12 = -m * length * b * cosine;
        double m22 = m * b * b, determinant = m11 * m22 - m12 * m12;
        rates[0] = (m22 * first - m12 * second) / determinant;
        rates[1] = (m11 * second - m12 * first) / determinant;
    }

    void field(int, const double *x, double *xdot) const {
        double spread = x[0] - x[1], length = a + b, coupling = m * length * b * std::sin(spread);
        double pull_stance = gravity * (m * a + (m_hip + m) * length) * std::sin(x[0] + slope);
        double pull_swing = gravity * m * b * std::sin(x[1] + slope);
        xdot[0] = x[2];
        xdot[1] = x[3];
        solve(std::cos(spread), coupling * x[3] * x[3] + pull_stance, -coupling * x[2] * x[2] - pull_swing, xdot + 2);
    }

    double boundary(int chart, const double *x) const { return chart == 0 ? x[1] - x[0] : -(x[0] + x[1]); }

    int transition(int chart, double *x) {
        if (chart == 0) return 1;
        double length = a + b, cosine = std::cos(x[0] - x[1]), about_hip = -m * a * b * x[2];
        double about_foot = ((m_hip * length + 2.0 * m * a) * length * cosine - m * a * b) * x[2] - m * a * b * x[3];
        double stance = x[1], swing = x[0];
        solve(cosine, about_foot - about_hip, about_hip, x + 2);
        x[0] = stance;
        x[1] = swing;
        return 0;
    }
};
