// CVODE as C programs use it: Adams' formulas with functional iteration, root finding, no Python.
//
// Where an event changes nothing in the flow, CVODE goes on from where it is, and looks at its root function anew, which
// is then that of the next chart; else it begins anew.
#include "models.hpp"

extern "C" {
int SUNContext_Create(int, void **);
int SUNContext_Free(void **);
void *N_VMake_Serial(long, double *, void *);
double *N_VGetArrayPointer(void *);
void N_VDestroy(void *);
void *SUNNonlinSol_FixedPoint(void *, int, void *);
int SUNNonlinSolFree(void *);
void *CVodeCreate(int, void *);
int CVodeInit(void *, int (*)(double, void *, void *, void *), double, void *);
int CVodeReInit(void *, double, void *);
int CVodeSStolerances(void *, double, double);
int CVodeSetNonlinearSolver(void *, void *);
int CVodeSetUserData(void *, void *);
int CVodeSetMaxNumSteps(void *, long);
int CVodeRootInit(void *, int, int (*)(double, void *, double *, void *));
int CVodeSetRootDirection(void *, int *);
int CVode(void *, double, void *, double *, int);
void CVodeFree(void **);
}

constexpr int ADAMS = 1, NORMAL = 1, ROOT_RETURN = 2;

template <typename Model> struct Problem {
    Model model;
    int chart;

    static int field(double, void *x, void *xdot, void *self) {
        const auto &problem = *static_cast<Problem *>(self);
        problem.model.field(problem.chart, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot));
        return 0;
    }
    static int boundary(double, void *x, double *value, void *self) {
        const auto &problem = *static_cast<Problem *>(self);
        *value = problem.model.boundary(problem.chart, N_VGetArrayPointer(x));
        return 0;
    }
};

// Run until so many events of the counted chart, or so much time; return how many events are left, or -1.
template <typename Model>
static long run(Model model, double rtol, double atol, long strides, double end, double *x) {
    Problem<Model> problem{model, 0};
    void *context = nullptr;
    SUNContext_Create(0, &context);
    void *vector = N_VMake_Serial(Model::N, x, context), *iteration = SUNNonlinSol_FixedPoint(vector, 0, context);
    void *cvode = CVodeCreate(ADAMS, context);
    int falling = -1, flag = 0;
    CVodeInit(cvode, Problem<Model>::field, 0.0, vector);
    CVodeSStolerances(cvode, rtol, atol);
    CVodeSetNonlinearSolver(cvode, iteration);
    CVodeSetUserData(cvode, &problem);
    CVodeSetMaxNumSteps(cvode, 1000000);
    CVodeRootInit(cvode, 1, Problem<Model>::boundary);
    CVodeSetRootDirection(cvode, &falling);
    double t = 0.0;
    while (strides > 0) {
        flag = CVode(cvode, end, vector, &t, NORMAL);
        if (flag != ROOT_RETURN) break;
        strides -= problem.chart == Model::COUNTED;
        bool goes_on = Model::flow_goes_on(problem.chart);
        problem.chart = problem.model.transition(problem.chart, x);
        if (!goes_on) CVodeReInit(cvode, t, vector);
    }
    CVodeFree(&cvode);
    SUNNonlinSolFree(iteration);
    N_VDestroy(vector);
    SUNContext_Free(&context);
    return flag < 0 ? -1 : strides;
}

extern "C" long run_runner(const double *p, double rtol, double atol, long strides, double end, double *x) {
    return run(Runner{p[0], p[1], p[2], p[3], p[4], p[5], 0.0}, rtol, atol, strides, end, x);
}

extern "C" long run_compass_gait(const double *p, double rtol, double atol, long strides, double end, double *x) {
    return run(CompassGait{p[0], p[1], p[2], p[3], p[4], p[5]}, rtol, atol, strides, end, x);
}
