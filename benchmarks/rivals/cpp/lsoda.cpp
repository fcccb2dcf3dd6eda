// LSODA as C++ programs use it: Dilawar Singh's translation, which numbalsoda's source distribution has; no Python.
//
// LSODA finds no roots. Here each of its steps is looked at: a boundary that has fallen below zero at its end is
// located on LSODA's own interpolant to the last bit. Where an event changes nothing in the flow, LSODA goes on.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>
#define private public // the tolerances have no other way in
#include "LSODA.h"
#undef private
#include "models.hpp"

template <typename Model> struct Problem {
    Model model;
    int chart = 0;

    static void field(double, double *x, double *xdot, void *self) {
        const auto &problem = *static_cast<Problem *>(self);
        problem.model.field(problem.chart, x, xdot);
    }
};

template <typename Model> struct Run {
    Problem<Model> problem;
    LSODA lsoda;
    std::vector<double> x = std::vector<double>(Model::N + 1); // counted from 1, as LSODA does
    std::array<int, 7> integers{};
    std::array<double, 4> reals{};
    double t = 0.0;
    int state = 1;

    double boundary_at(double time) {
        int flag;
        lsoda.intdy(time, 0, x, &flag);
        return problem.model.boundary(problem.chart, &x[1]);
    }

    // The first float at which the boundary is not positive, by false position (Illinois) and at the end bisection.
    double root(double before, double after, double g_before, double g_after) {
        for (int side = 0, k = 0; std::nextafter(before, after) < after; k++) {
            double middle = 0.5 * (before + after);
            double time = k < 12 ? after - g_after * (after - before) / (g_after - g_before) : middle;
            if (!(time > before && time < after)) time = middle;
            double g = boundary_at(time);
            if (g > 0.0) {
                before = time, g_before = g;
                if (side == 1) g_after *= 0.5;
                side = 1;
            } else {
                after = time, g_after = g;
                if (side == 2) g_before *= 0.5;
                side = 2;
            }
        }
        return after;
    }
};

// Run until so many events of the counted chart, or so much time; return how many events are left, or -1.
template <typename Model>
static long run(Model model, double rtol, double atol, long strides, double end, double *x) {
    Run<Model> run{{model}};
    run.lsoda.mxstep = 1000000;
    run.lsoda.rtol_.assign(Model::N + 1, rtol);
    run.lsoda.atol_.assign(Model::N + 1, atol);
    std::copy(x, x + Model::N, &run.x[1]);
    double g_before = model.boundary(0, x);
    while (strides > 0 && run.t < end) {
        double before = run.t;
        run.lsoda.lsoda(Problem<Model>::field, Model::N, run.x, &run.t, end, 2, &run.state, 0, 2, run.integers,
                        run.reals, &run.problem);
        if (run.state <= 0) return -1;
        double after = std::min(run.t, end), g_after = run.boundary_at(after);
        for (; g_before > 0.0 && g_after <= 0.0; g_after = run.boundary_at(after)) { // several events in one step
            before = run.root(before, after, g_before, g_after);
            run.boundary_at(before); // the state there
            bool goes_on = Model::flow_goes_on(run.problem.chart);
            strides -= run.problem.chart == Model::COUNTED;
            run.problem.chart = run.problem.model.transition(run.problem.chart, &run.x[1]);
            g_before = run.problem.model.boundary(run.problem.chart, &run.x[1]);
            if (strides == 0) break;
            if (!goes_on) {
                run.t = before;
                run.state = 1;
                g_after = g_before;
                break;
            }
        }
        if (strides > 0 && run.state != 1) g_before = g_after;
    }
    std::copy(&run.x[1], &run.x[1] + Model::N, x);
    return strides;
}

extern "C" long run_runner(const double *p, double rtol, double atol, long strides, double end, double *x) {
    return run(Runner{p[0], p[1], p[2], p[3], p[4], p[5], 0.0}, rtol, atol, strides, end, x);
}

extern "C" long run_compass_gait(const double *p, double rtol, double atol, long strides, double end, double *x) {
    return run(CompassGait{p[0], p[1], p[2], p[3], p[4], p[5]}, rtol, atol, strides, end, x);
}
