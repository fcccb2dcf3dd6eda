// heyoka as C++ programs use it: its steps, its events, and between them a loop without Python.
//
// The wheel of heyoka has the library but no headers. Declared here is what is called of it; HEYOKA is the namespace
// that the version of its binary interface stands for. The integrators are those that Python has made.
#include "models.hpp"
#include <algorithm>
#include <tuple>

namespace heyoka::HEYOKA {
enum class taylor_outcome : long {};
template <typename T> struct taylor_adaptive {
    std::tuple<taylor_outcome, T> step(T, bool);
    T *get_state_data();
    T *get_pars_data();
    void set_time(T);
    void reset_cooldowns();
};
} // namespace heyoka::HEYOKA

using Integrator = heyoka::HEYOKA::taylor_adaptive<double>;
constexpr long STOPPED = -(1L << 32); // and above it: a terminal event without a callback ends the step

static const double *parameter_of(const Runner &runner) { return &runner.footx; }
static const double *parameter_of(const CompassGait &) { return nullptr; }

// Run until so many events of the counted chart, or so much time; return how many events are left, or -1.
template <typename Model>
static long run(Model model, Integrator *const *integrators, long strides, double end, double *x) {
    double t = 0.0;
    for (int chart = 0; strides > 0 && t < end;) {
        Integrator &integrator = *integrators[chart];
        double *state = integrator.get_state_data();
        std::copy(x, x + Model::N, state);
        if (double *parameters = integrator.get_pars_data()) *parameters = *parameter_of(model); // if the chart has one
        integrator.set_time(0.0);
        integrator.reset_cooldowns();
        bool is_event = false;
        while (!is_event && t < end) {
            auto [outcome, h] = integrator.step(end - t, false);
            t += h;
            is_event = long(outcome) >= STOPPED && long(outcome) < 0;
            if (!std::isfinite(state[0])) return -1;
        }
        std::copy(state, state + Model::N, x);
        if (!is_event) break;
        strides -= chart == Model::COUNTED;
        chart = model.transition(chart, x);
    }
    return strides;
}

extern "C" long run_runner(const double *p, Integrator *const *integrators, long strides, double end, double *x) {
    return run(Runner{p[0], p[1], p[2], p[3], p[4], p[5], 0.0}, integrators, strides, end, x);
}

extern "C" long run_compass_gait(const double *p, Integrator *const *integrators, long strides, double end, double *x) {
    return run(CompassGait{p[0], p[1], p[2], p[3], p[4], p[5]}, integrators, strides, end, x);
}
